"""Every word in capitals is an acronym: the baseline for every system that finds them."""

import re

_WORD = re.compile(r"[^\W_]{2,}")


def all_capitals(text: str) -> set[tuple[int, int]]:
    """Offsets of the words of two characters or more that hold a capital and no small letter."""
    return {match.span() for match in _WORD.finditer(text) if match[0].isupper()}
