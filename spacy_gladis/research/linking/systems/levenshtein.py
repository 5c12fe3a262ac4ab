"""s.3: the Levenshtein ratio to every name (COMETA, section 4.1)."""

from collections.abc import Iterator, Sequence

import numpy as np

from ....concepts import Inventory
from .protocol import NAMES_A_CONCEPT, Mentions, PhraseRanker, Ranking, by_concept

TOGETHER = 64
"""Phrases compared with all names at once: one byte a pair."""


class LevenshteinRatio(PhraseRanker):
    """Ranks concepts by the ratio of their most similar name: 1 - edits / length of the longer.

    A substitution is one edit; scores are in steps of 0.01, which is all that 8 bits hold.
    """

    def fit(self, inventory: Inventory, train: Mentions, dev: Mentions) -> None:
        self._owners = inventory.owners
        self._names = [name.casefold() for name in inventory.names]

    def rank_phrases(self, phrases: Sequence[str], k: int) -> Iterator[Ranking]:
        """Exact: every name is compared."""
        from rapidfuzz import fuzz, process
        from rapidfuzz.distance import Levenshtein

        wanted = min(NAMES_A_CONCEPT * k, len(self._names))
        for first in range(0, len(phrases), TOGETHER):
            some = [phrase.casefold() for phrase in phrases[first : first + TOGETHER]]
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
                yield by_concept(near, np.array(scores), self._owners, k)
