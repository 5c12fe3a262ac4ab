"""Nearest-name search with an encoder's vectors, without an alignment model."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from ...options import Base, Device
from ..data import Training
from ..system import NAMES_A_CONCEPT, SYSTEMS, LinkingSystem, Ranking, by_concept
from ..vectors import mean_vectors


@SYSTEMS.register("nearest bert", "Nearest name by an encoder without fine-tuning.", "ours")
@dataclass
class NearestByEncoder(LinkingSystem):
    """Ranks concepts by the cosine of the phrase and the concept's most similar name.

    Attributes:
        base: Checkpoint of the encoder. None for the packaged AcroBERT's.
        device: The device to compute on.
    """

    base: Base = None
    device: Device = "cpu"

    def fit(self, training: Training) -> None:
        """Encode the inventory's names.

        Args:
            training: The inventory of concepts and the linked training phrases.
        """
        self._embed = mean_vectors(self.base, self.device)
        self._owners = training.inventory.owners
        self._vectors = self._embed(training.inventory.names)

    def rank_phrases(self, phrases: Sequence[str], k: int) -> Iterator[Ranking]:
        """Rank concepts by cosine.

        Args:
            phrases: Distinct phrases.
            k: Maximum number of concepts to return.

        Yields:
            For each phrase, its concepts with their scores, best first.
        """
        wanted = min(NAMES_A_CONCEPT * k, len(self._vectors))
        for vector in self._embed(phrases):
            cosines = self._vectors @ vector
            near = np.argpartition(-cosines, wanted - 1)[:wanted]
            yield by_concept(near, cosines[near], self._owners, k)
