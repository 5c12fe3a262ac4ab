"""Long forms as a sentence has them."""

import re

from ..rules.function_words import JOINING_WORDS
from .known import packaged

_NO_PLURAL = re.compile(
    r"(?:ance|cy|data|equipment|ence|graphy|hood|ics|ing|ism|ity|logy|metry|ness|nomy|pathy|plasty|"
    r"research|scopy|ture|ware)$",
    re.IGNORECASE,
)
"""Last words that count nothing as often as not: "computed tomography"."""


def within_sentence(acronym: str, long_form: str) -> str:
    """A long form without the capital of a sentence that it began where it was defined.

    The dictionary tells how its first word is written; else the other words' small letters do.
    """
    first, *others = long_form.split()
    lowered = long_form[:1].lower() + long_form[1:]
    if not (first[:1].isupper() and first[1:2].islower()) or lowered == long_form:
        return long_form
    folded = long_form.casefold()
    spelled = {one.long_form for one in packaged().candidates(acronym)}
    known = {one for one in spelled if one.casefold() == folded}
    if known:
        return lowered if lowered in known else long_form
    capitals = any(map(str.isupper, "".join([first[1:], *others])))
    return long_form if capitals or not others else lowered


def has_simple_plural(long_form: str) -> bool:
    """Whether its last word, and no other, takes the plural, and does so with an ending."""
    *before, last = long_form.lower().split()
    return JOINING_WORDS.isdisjoint(before) and not _NO_PLURAL.search(last)
