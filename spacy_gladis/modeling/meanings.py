"""Which candidates of one acronym are spellings of one meaning.

Mined dictionaries hold "computed tomography", "computed tomographic", "computed tomography scan".
Each would take its share of the probability, and the right meaning would look unsure. So a
resolution speaks of meanings: the shares of the spellings are added, and the most frequent
spelling stands for them.
"""

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from rapidfuzz import fuzz, process

from ..dictionary import Candidate
from ..rules import merge_key

ALIKE = 85.0
"""Merge keys at least this alike (rapidfuzz ratio, 0..100) are one meaning."""

EXTRA_WORDS = 2
"""A long form with all words of another, and at most so many more, means the same."""


def meanings(candidates: Sequence[Candidate]) -> list[int]:
    """For each candidate the place of the one that stands for its meaning.

    Candidates come in the order of preference: a later one joins the first earlier one that it
    is a spelling of. The one that stands for a meaning is its most frequent.
    """
    found = group_spellings(tuple(candidate.long_form for candidate in candidates))
    best: dict[int, int] = {}
    for place, group in enumerate(found):
        if group not in best or candidates[place].total > candidates[best[group]].total:
            best[group] = place
    return [best[group] for group in found]


@lru_cache(maxsize=10_000)
def group_spellings(long_forms: tuple[str, ...]) -> tuple[int, ...]:
    """For each long form the place of the first one that it is a spelling of: itself, if none."""
    keys = [merge_key(name) for name in long_forms]
    words = [frozenset(key.split()) for key in keys]
    ratios = process.cdist(keys, keys, scorer=fuzz.ratio, score_cutoff=ALIKE, dtype=np.uint8)
    groups: list[int] = []
    for place, own in enumerate(words):
        group = place
        for earlier in range(place):
            if groups[earlier] != earlier:
                continue
            other = words[earlier]
            contained = (own <= other or other <= own) and len(own ^ other) <= EXTRA_WORDS
            if ratios[place, earlier] or (contained and min(len(own), len(other)) > 1):
                group = earlier
                break
        groups.append(group)
    return tuple(groups)
