"""Words that the end of a line breaks in two, in formats whose line ends are those of the page."""

import re
from collections.abc import Iterator

from ..lists import names

_BROKEN = re.compile(
    r"(?P<before>-?)(?<![^\W_])(?P<left>[^\W_]+)(?P<hyphen>-)(?P<end>[ \t]*\n[ \t>]*)"  # ">" quotes
    r"(?=(?P<right>[^\W_]+)(?P<after>-?))"
)
_WORD = re.compile(r"[^\W_]+(?:-[^\W_]+)?")
_COORDINATION = names("and or to und oder bis et ou")
"""Words behind a hyphen that stands for a later word: "pre- and postoperative"."""
_COMPOUND = names("self well long high low large")
"""Words that begin a compound far more often than a word of one part."""


def broken_words(text: str) -> Iterator[tuple[int, int]]:
    """Find what to leave out of a text, so that words broken at line ends are whole.

    The hyphen goes too, unless it is one of the word itself: beside a capital or a digit, beside
    another hyphen, or where the text elsewhere writes the word with it.

    Args:
        text: A text whose line ends are ``\\n``.

    Yields:
        ``(start, end)`` character offsets, in order.
    """
    words: set[str] | None = None
    for broken in _BROKEN.finditer(text):
        left, right = broken["left"], broken["right"]
        if right in _COORDINATION or len(left) == 1:
            continue
        own_hyphen = (
            not (left[-1].islower() and right[0].islower())
            or bool(broken["before"] or broken["after"])
            or left.lower() in _COMPOUND
        )
        if not own_hyphen:
            words = set(_WORD.findall(text.lower())) if words is None else words
            joined, hyphenated = f"{left}{right}".lower(), f"{left}-{right}".lower()
            own_hyphen = hyphenated in words and joined not in words
        yield broken.start("end" if own_hyphen else "hyphen"), broken.end("end")
