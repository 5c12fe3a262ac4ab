"""n.1, n.2 and n.4: the concept with the nearest vector, of a name or of all its names."""

from collections.abc import Iterator, Sequence

import numpy as np

from ....arrays import Floats, Ints
from ....concepts import Inventory
from .embeddings import Embed, MakeEmbed, unit
from .protocol import NAMES_A_CONCEPT, Mentions, PhraseRanker, Ranking, by_concept


class NearestName(PhraseRanker):
    """Ranks concepts by the cosine of their nearest name."""

    def __init__(self, make_embed: MakeEmbed) -> None:
        self._make_embed = make_embed

    def fit(self, inventory: Inventory, train: Mentions, dev: Mentions) -> None:
        self._embed = self._make_embed(inventory, train)
        self._owners, self._vectors = self._targets(inventory)

    def _targets(self, inventory: Inventory) -> tuple[Ints, Floats]:
        return inventory.owners, self._embed(inventory.names)

    def rank_phrases(self, phrases: Sequence[str], k: int) -> Iterator[Ranking]:
        """Exact: every vector is compared."""
        wanted = min(NAMES_A_CONCEPT * k, len(self._vectors))
        for vector in self._embed(phrases):
            cosines = self._vectors @ vector
            near = np.argpartition(-cosines, wanted - 1)[:wanted]
            yield by_concept(near, cosines[near], self._owners, k)


class NearestLabel(NearestName):
    """Ranks concepts by the cosine of their label vector, the mean of their names' vectors."""

    def _targets(self, inventory: Inventory) -> tuple[Ints, Floats]:
        return np.arange(len(inventory)), label_vectors(inventory, self._embed)


def label_vectors(inventory: Inventory, embed: Embed) -> Floats:
    """One vector a concept, the mean of its names', float32 [concepts, width]."""
    vectors = embed(inventory.names)
    sums = np.zeros((len(inventory), vectors.shape[1]), dtype=np.float32)
    np.add.at(sums, inventory.owners, vectors)
    return unit(sums)
