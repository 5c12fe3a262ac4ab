"""An approximate matcher in the manner of QuickUMLS (Soldaini and Goharian 2016)."""

from collections.abc import Sequence

import numpy as np

from ....concepts import Inventory
from ....concepts.mention import ConceptMention
from ....concepts.trigrams import TrigramIndex
from .protocol import Ranking, by_concept

THRESHOLD = 0.7
"""QuickUMLS's own default."""
POOL = 200
"""Names compared for a phrase: those with most trigrams in common."""


class ApproximateMatch:
    """Ranks concepts by the Jaccard similarity of trigram sets; none below the threshold."""

    def __init__(self, threshold: float = THRESHOLD) -> None:
        self.threshold = threshold

    def fit(
        self,
        inventory: Inventory,
        train: Sequence[ConceptMention],
        dev: Sequence[ConceptMention],
    ) -> None:
        """Index the names' trigrams."""
        self._owners = inventory.owners
        self._index = TrigramIndex(inventory.names, binary=True)
        self._sizes = np.diff(self._index.vectors.indptr)

    def rank(self, mentions: Sequence[ConceptMention], k: int) -> list[Ranking]:
        """The concepts above the threshold."""
        phrases = sorted({one.phrase for one in mentions})
        sizes = [len(self._index.trigrams(phrase)) for phrase in phrases]
        rankings = {}
        nearest = self._index.nearest(phrases, POOL)
        for phrase, size, (numbers, common) in zip(phrases, sizes, nearest, strict=True):
            scores = common / (size + self._sizes[numbers] - common)
            above = scores >= self.threshold
            found = numbers[above].tolist(), scores[above].tolist()
            rankings[phrase] = by_concept(*found, self._owners, k)
        return [rankings[one.phrase] for one in mentions]
