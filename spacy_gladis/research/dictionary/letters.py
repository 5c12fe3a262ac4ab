"""How well an acronym's letters fit a long form."""

import re
from functools import lru_cache

from ...rules.acronym import Acronym, read_acronym
from ...rules.alignment import COST, align
from ...rules.tokens import Token, tokens_of
from ..mining.statistics import FUNCTION_WORDS

NO_FIT = 9.0
"""The cost of a long form that lacks the acronym's letters."""

_LIMIT, _LIMIT_PER_LETTER = 1.5, 0.9

READ_SMALL = 0.5  # cost of function words that give letters

_PLURAL = re.compile(r"[A-Z0-9]{2,}s")


@lru_cache(1 << 16)
def letter_cost(acronym: str, long_form: str) -> float:
    """What a letter of the acronym costs on average, words left out included, 0.1 to `NO_FIT`.

    0.1 where each word begins with a letter; see `rules.alignment.COST`. Function words are dear
    to read and free to leave out: "transient tachypnea of the newborn" fits TTN better than
    "tachypnea of the newborn" does.
    """
    read = read_acronym(acronym.rstrip("."))
    if read is None:
        return NO_FIT
    words = tokens_of(long_form, 0)
    content = [token for token in words if token.text not in FUNCTION_WORDS]
    best = NO_FIT
    for form in (read, read.turned()) if read.subscript else (read,):
        cost = _cost(form, content)
        if len(content) < len(words):
            cost = min(cost, _cost(form, words) + READ_SMALL / len(form.letters))
        best = min(best, cost)
    return best


def _cost(acronym: Acronym, tokens: list[Token]) -> float:
    """What a letter costs, words before the alignment's first included."""
    count = len(acronym.letters)
    found = align(acronym, reversed(tokens), len(tokens), _LIMIT + _LIMIT_PER_LETTER * count)
    costs = [one.cost + tokens.index(one.first) * COST["w"] for one in found]
    return min(costs) / count if costs else NO_FIT


def singular(acronym: str, long_form: str) -> str:
    """The acronym without the plural's "s" that its long form has, too: "GPUs" as "GPU"."""
    last = long_form.rsplit(" ", 1)[-1].lower()
    if _PLURAL.fullmatch(acronym) and last.endswith("s") and not last.startswith("s"):
        return acronym[:-1]
    return acronym
