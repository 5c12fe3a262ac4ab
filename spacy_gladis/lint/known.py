"""Names that are better known than their words, by the packaged dictionary."""

import re
from functools import cache

from ..dictionary.dictionary import Dictionary
from ..rules import base_form, merge_key
from .wording import is_wording

WIDELY = 60
"""The `commonness` from which readers know a meaning by its letters: that of one field's second
grade of five."""
_COMMON = "common: "
_WORD = re.compile(r"[^\W\d_]{4,}")


def name_grade(acronym: str, long_form: str) -> int:
    """How well the dictionary's lists of what people write without defining it know a proper
    name: the highest of its counts there, 20 for the third of five grades; 0 of other words."""
    wanted = merge_key(long_form)
    for candidate in packaged().candidates(base_form(acronym)):
        words = _WORD.findall(candidate.long_form)
        if merge_key(candidate.long_form) == wanted and all(word[0].isupper() for word in words):
            counts = candidate.counts.items()
            known = (count for source, count in counts if source.startswith(_COMMON))
            return max(known, default=0)
    return 0


def commonness(acronym: str, long_form: str) -> int:
    """How widely people write an acronym of this meaning without defining it: the counts of all
    those lists for wordings of its long form, such as 60 for a field's second of five grades."""
    return sum(
        count
        for candidate in packaged().candidates(base_form(acronym))
        if is_wording(candidate.long_form, long_form)
        for source, count in candidate.counts.items()
        if source.startswith(_COMMON)
    )


@cache
def packaged() -> Dictionary:
    """The packaged dictionary, opened once."""
    return Dictionary.open()
