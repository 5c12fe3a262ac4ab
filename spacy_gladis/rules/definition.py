"""What the rules find: an acronym and its long form, together in one text."""

from typing import NamedTuple


class Definition(NamedTuple):
    """An acronym and its long form found together in a text.

    Both parts are `(start, end)` character offsets: `text[start:end]` is the part.
    """

    acronym: tuple[int, int]
    long_form: tuple[int, int]
    pattern: str = "long (short)"
    confidence: float = 1.0
