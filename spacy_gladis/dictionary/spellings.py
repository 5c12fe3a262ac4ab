"""Which long forms are spellings of one meaning: pure text, for the linker and the linter alike."""

from collections import defaultdict
from functools import lru_cache

from ..rules.folding import fold
from .same_key import same_key

BEGINNING = 0.8
"""Words that share so much of the shorter one's letters from the first on are forms of one word:
"tomography" and "tomographic", but not "community" and "communication"."""

SHORTEST = 5
"""Shorter words must be equal."""


@lru_cache(maxsize=10_000)
def group_spellings(long_forms: tuple[str, ...]) -> tuple[int, ...]:
    """For each long form the place of the first one that it is a spelling of: itself, if none."""
    keys: dict[str, int] = {}
    beginning: defaultdict[str, list[int]] = defaultdict(list)  # of the first word: the groups
    words = [tuple(fold(name).replace("-", " ").split()) for name in long_forms]
    groups: list[int] = []
    for place, name in enumerate(long_forms):
        key = same_key(name)
        group = keys.get(key)
        if group is None:
            known = beginning[words[place][0][:SHORTEST] if words[place] else ""]
            group = next((one for one in known if _alike(words[one], words[place])), place)
            keys[key] = group
            if group == place:
                known.append(place)
        groups.append(group)
    return tuple(groups)


def same_meaning(one: str, other: str) -> bool:
    """Whether two long forms are spellings of one."""
    return len(set(group_spellings((one, other)))) == 1


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
