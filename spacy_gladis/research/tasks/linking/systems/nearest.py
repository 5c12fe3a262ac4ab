"""The system `nearest bert`: search for the concept name whose vector is closest to the phrase."""

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
    """Links phrases by the cosine between the phrase and the most similar name of each concept.

    The vectors come from a pretrained encoder, which is not trained.

    Attributes:
        base: Checkpoint of the encoder: a folder, `package:NAME` or a Hugging Face name. None for
            the packaged AcroBERT.
        device: Torch device to compute on, such as "cuda".
    """

    base: Base = None
    device: Device = "cpu"

    def fit(self, training: Training) -> None:
        """Compute the vectors of all names in the inventory. Nothing is trained.

        Args:
            training: Training data, of which only the inventory is used.
        """
        self._embed = mean_vectors(self.base, self.device)
        self._owners = training.inventory.owners
        self._vectors = self._embed(training.inventory.names)

    def rank_phrases(self, phrases: Sequence[str], k: int) -> Iterator[Ranking]:
        """Rank concepts by the cosine between each phrase and the concept's most similar name.

        Args:
            phrases: Phrases to link, without duplicates.
            k: Maximum number of concepts to return for a phrase.

        Yields:
            For each phrase, pairs of a concept's index in the inventory and its cosine. The best
            concept comes first.
        """
        wanted = min(NAMES_A_CONCEPT * k, len(self._vectors))
        for vector in self._embed(phrases):
            cosines = self._vectors @ vector
            near = np.argpartition(-cosines, wanted - 1)[:wanted]
            yield by_concept(near, cosines[near], self._owners, k)
