"""Acronyms that keep a word of their long form: `UN-Women` for `United Nations Entity for ... of
Women`."""

import re
from itertools import pairwise
from typing import Final

from .initials import Initials

_SHORT: Final = re.compile(r"([A-Z]{2,6})-([A-Z][a-z]{3,})")
_REACH: Final = 120  # characters of a long form
_BOUND: Final = re.compile(r"[^\w\s'’&-]")  # what stands in no such name: it ends the stretch
_WORD: Final = re.compile(r"[^\W\d_]+")


def kept_word_before(text: str, end: int, short: str) -> Initials | None:
    """The long form that ends at `end` with the word that the acronym keeps.

    It begins with words in capitals, side by side, that have the acronym's other letters.
    """
    match = _SHORT.fullmatch(short)
    if not match or not text.endswith(match[2], 0, end):
        return None
    letters, last = match[1], end - len(match[2])
    begin = max(0, end - _REACH)
    for bound in _BOUND.finditer(text, begin, end):
        begin = bound.end()
    words = [word.span() for word in _WORD.finditer(text, begin, last)]
    if not words or (begin and text[begin - 1].isalnum()):
        words = words[1:]  # the edge cut it
    initials = "".join(text[start] for start, _ in words)
    at = initials.rfind(letters)
    while at >= 0:
        run = words[at : at + len(letters)]
        if all(text[one[1] : other[0]].isspace() for one, other in pairwise(run)):
            return Initials(run[0][0], end, "W" * (len(letters) + 1))
        at = initials.rfind(letters, 0, at + len(letters) - 1)
    return None
