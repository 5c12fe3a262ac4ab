"""The nearest name or label by vectors, without an alignment model: ours, beside COMETA's."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from .....arrays import Floats, Ints
from ...options import Base, Device
from ..data import Training
from ..system import NAMES_A_CONCEPT, SYSTEMS, LinkingSystem, Ranking, by_concept
from ..vectors import Embed, label_vectors, mean_vectors


class Nearest(LinkingSystem):
    """Ranks concepts by the cosine of their nearest vector; exact, every vector is compared."""

    _embed: Embed
    _owners: Ints
    _vectors: Floats

    def rank_phrases(self, phrases: Sequence[str], k: int) -> Iterator[Ranking]:
        """Rank concepts by cosine."""
        wanted = min(NAMES_A_CONCEPT * k, len(self._vectors))
        for vector in self._embed(phrases):
            cosines = self._vectors @ vector
            near = np.argpartition(-cosines, wanted - 1)[:wanted]
            yield by_concept(near, cosines[near], self._owners, k)


@SYSTEMS.register("nearest bert", "Nearest name by an encoder as it is.", "ours")
@dataclass
class NearestByEncoder(Nearest):
    """The nearest name by an encoder, the mean of its last layer.

    Attributes:
        base: The encoder; None for the packaged AcroBERT's.
        device: Where it computes.
    """

    base: Base = None
    device: Device = "cpu"

    def fit(self, training: Training) -> None:
        """Encode the names; nothing is learnt."""
        self._embed = mean_vectors(self.base, self.device)
        self._owners = training.inventory.owners
        self._vectors = self._embed(training.inventory.names)


@SYSTEMS.register("nearest label", "Nearest label, the mean of its names.", "ours")
@dataclass
class NearestLabel(NearestByEncoder):
    """The nearest label: the mean of the vectors of a concept's names."""

    def fit(self, training: Training) -> None:
        """Encode the names; nothing is learnt."""
        self._embed = mean_vectors(self.base, self.device)
        self._owners = np.arange(len(training.inventory))
        self._vectors = label_vectors(training.inventory, self._embed)
