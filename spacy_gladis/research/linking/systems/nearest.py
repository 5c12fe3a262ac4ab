"""n.1, n.2 and n.4: the concept with the nearest vector, of a name or of all its names."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ....concepts import Inventory
from ....concepts.mention import ConceptMention
from .embeddings import Embed, Floats, MakeEmbed, unit
from .protocol import Ranking, by_concept

POOL = 8
"""Names looked at for each concept wanted."""


class NearestName:
    """Ranks concepts by the cosine of their nearest name."""

    def __init__(self, make_embed: MakeEmbed) -> None:
        self._make_embed = make_embed

    def fit(
        self,
        inventory: Inventory,
        train: Sequence[ConceptMention],
        dev: Sequence[ConceptMention],
    ) -> None:
        """Embed all names."""
        self._embed = self._make_embed(inventory, train)
        self._owners, self._vectors = self._targets(inventory)

    def _targets(self, inventory: Inventory) -> tuple[NDArray[np.int64], Floats]:
        return inventory.owners, self._embed(inventory.names)

    def rank(self, mentions: Sequence[ConceptMention], k: int) -> list[Ranking]:
        """Exact: every vector is compared."""
        phrases = sorted({one.phrase for one in mentions})
        rankings = {}
        wanted = min(POOL * k, len(self._vectors))
        for phrase, vector in zip(phrases, self._embed(phrases), strict=True):
            cosines = self._vectors @ vector
            near = np.argpartition(-cosines, wanted - 1)[:wanted]
            rankings[phrase] = by_concept(near.tolist(), cosines[near].tolist(), self._owners, k)
        return [rankings[one.phrase] for one in mentions]


class NearestLabel(NearestName):
    """Ranks concepts by the cosine of their label vector, the mean of their names' vectors."""

    def _targets(self, inventory: Inventory) -> tuple[NDArray[np.int64], Floats]:
        return np.arange(len(inventory)), label_vectors(inventory, self._embed)


def label_vectors(inventory: Inventory, embed: Embed) -> Floats:
    """One vector a concept, the mean of its names', float32 [concepts, width]."""
    vectors = embed(inventory.names)
    sums = np.zeros((len(inventory), vectors.shape[1]), dtype=np.float32)
    np.add.at(sums, inventory.owners, vectors)
    return unit(sums)
