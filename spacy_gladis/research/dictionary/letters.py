"""How well an acronym's letters fit a long form."""

from functools import lru_cache

from ...rules.acronym import read_acronym
from ...rules.alignment import COST, align
from ...rules.tokens import tokens_of

NO_FIT = 9.0
"""The cost of a long form that lacks the acronym's letters."""

_LIMIT, _LIMIT_PER_LETTER = 1.5, 0.9


@lru_cache(1 << 16)
def letter_cost(acronym: str, long_form: str) -> float:
    """What a letter of the acronym costs on average, words left out included, 0.1 to `NO_FIT`.

    0.1 where each word begins with a letter; see `rules.alignment.COST`.
    """
    read = read_acronym(acronym.rstrip("."))
    if read is None:
        return NO_FIT
    tokens = tokens_of(long_form, 0)
    best = NO_FIT
    for form in (read, read.turned()) if read.subscript else (read,):
        count = len(form.letters)
        found = align(form, reversed(tokens), len(tokens), _LIMIT + _LIMIT_PER_LETTER * count)
        if found:
            leading = tokens.index(found.first)
            best = min(best, (found.cost + leading * COST["w"]) / count)
    return best
