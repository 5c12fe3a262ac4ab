"""s.3: the Levenshtein ratio to every name (COMETA, section 4.1)."""

from collections.abc import Sequence

import numpy as np

from ....concepts import Inventory
from ....concepts.mention import ConceptMention
from .protocol import Ranking, by_concept

TOGETHER = 64
"""Phrases compared with all names at once: one byte a pair."""
POOL = 8
"""Names looked at for each concept wanted: a concept has several that are alike."""


class LevenshteinRatio:
    """Ranks concepts by the ratio of their most similar name: 1 - edits / length of the longer.

    A substitution is one edit; scores are in steps of 0.01, which is all that 8 bits hold.
    """

    def fit(
        self,
        inventory: Inventory,
        train: Sequence[ConceptMention],
        dev: Sequence[ConceptMention],
    ) -> None:
        """Fold the names."""
        self._owners = inventory.owners
        self._names = [name.casefold() for name in inventory.names]

    def rank(self, mentions: Sequence[ConceptMention], k: int) -> list[Ranking]:
        """Exact: every name is compared."""
        from rapidfuzz import fuzz, process
        from rapidfuzz.distance import Levenshtein

        phrases = sorted({one.phrase.casefold() for one in mentions})
        wanted = min(POOL * k, len(self._names))
        rankings = {}
        for first in range(0, len(phrases), TOGETHER):
            some = phrases[first : first + TOGETHER]
            ratios = process.cdist(
                some,
                self._names,
                scorer=Levenshtein.normalized_similarity,
                score_multiplier=100,
                dtype=np.uint8,
            )
            for phrase, row in zip(some, ratios, strict=True):
                near = np.argpartition(-row.astype(np.int16), wanted - 1)[:wanted]
                # Full ratios among the nearest names only, to order those of one step.
                scores = [
                    Levenshtein.normalized_similarity(phrase, self._names[at])
                    + fuzz.token_sort_ratio(phrase, self._names[at]) * 1e-6
                    for at in near
                ]
                rankings[phrase] = by_concept(near.tolist(), scores, self._owners, k)
        return [rankings[one.phrase.casefold()] for one in mentions]
