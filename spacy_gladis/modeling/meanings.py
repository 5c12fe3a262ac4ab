"""Which candidates of one acronym are spellings of one meaning.

Mined dictionaries hold "computed tomography", "computed tomographic", "computed tomography scan".
Each would take its share of the probability, and the right meaning would look unsure. So a
resolution speaks of meanings: the shares of the spellings are added, and the most frequent
spelling stands for them.
"""

from collections.abc import Sequence
from functools import lru_cache

from ..dictionary import Candidate, same_key
from ..rules.folding import fold

BEGINNING = 0.8
"""Words that share so much of the shorter one's letters from the first on are forms of one word:
"tomography" and "tomographic", but not "community" and "communication"."""

SHORTEST = 5
"""Shorter words must be equal."""


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
    keys: dict[str, int] = {}
    words = [tuple(fold(name).replace("-", " ").split()) for name in long_forms]
    groups: list[int] = []
    for place, name in enumerate(long_forms):
        group = keys.get(same_key(name))
        if group is None:
            alike = (
                earlier for earlier in dict.fromkeys(groups) if _alike(words[earlier], words[place])
            )
            group = next(alike, place)
            keys[same_key(name)] = group
        groups.append(group)
    return tuple(groups)


def _alike(one: tuple[str, ...], other: tuple[str, ...]) -> bool:
    """Whether the words are the same in other forms, or with one more at the end: "CT scan"."""
    shorter = min(len(one), len(other))
    if abs(len(one) - len(other)) > (shorter > 1):
        return False
    return all(map(_same_word, one[:shorter], other[:shorter]))


def _same_word(one: str, other: str) -> bool:
    if one == other:
        return True
    shorter = min(len(one), len(other))
    shared = max(SHORTEST, -(-int(10 * BEGINNING) * shorter // 10))
    return shorter >= SHORTEST and one.isalpha() and one[:shared] == other[:shared]
