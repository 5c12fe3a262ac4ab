"""Which mined long forms belong in a dictionary that many will use."""

import re
from collections.abc import Callable
from dataclasses import dataclass

from .candidate import Entry, total

LONGEST = 100  # characters of a long form
FREQUENT = 3  # times seen; what is less sure must be
PUNCTUATION = ",;:"

_NUMERAL = re.compile(r"[ivxlcdm]+", re.IGNORECASE)


def is_plausible(acronym: str, entry: Entry) -> bool:
    """Whether a mined pair is more likely right than wrong, by its shape and its frequency.

    Left out: long forms over 100 characters, that end in punctuation, or that are the acronym
    itself in other signs ("CDC", "U. S."); what no text writes as an
    acronym (no capital, blanks, a word such as "West") unless it was seen three times; lower-case
    Roman numerals, which number the clauses of a law, always.
    """
    long_form = entry[0]
    if len(long_form) > LONGEST or long_form[-1] in PUNCTUATION or acronym[-1] in PUNCTUATION:
        return False
    if _letters(long_form) == _letters(acronym):
        return False
    if acronym.islower() and _NUMERAL.fullmatch(acronym):
        return False
    doubtful = (
        len(acronym) == 1
        or " " in acronym
        or not any(map(str.isupper, acronym))
        or (len(acronym) > 3 and acronym.istitle() and acronym.isalpha())
    )
    return not doubtful or total(entry) >= FREQUENT


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text)).casefold()


@dataclass(frozen=True)
class Selection:
    """Keeps the merged long forms that are frequent enough and, given `noise`, look right.

    `noise` says why a long form by itself is none, or None where nothing speaks against it.
    """

    min_count: int = 1
    noise: Callable[[str], str | None] | None = None

    def __call__(self, acronym: str, entry: Entry) -> bool:
        """Whether to keep a long form of an acronym."""
        if total(entry) < self.min_count:
            return False
        if self.noise is None:
            return True
        return self.noise(entry[0]) is None and is_plausible(acronym, entry)
