"""Words that the end of a line breaks in two, in formats whose line ends are those of the page."""

import re
from collections.abc import Iterator

from ..lists import names

_BROKEN = re.compile(
    r"(?P<before>[-\u2010]?)(?<![^\W_])(?P<left>[^\W_]+)(?P<hyphen>[-\u2010\u00ad])"
    r"(?P<end>[ \t]*\n[ \t>]*)"  # ">" quotes
    r"(?=(?P<right>[^\W_]+)(?P<after>[-\u2010]?))"
)
_WORD = re.compile(r"[^\W_]+(?:-[^\W_]+)?")
_COORDINATION = names("and or to und oder bis et ou")
"""Words behind a hyphen that stands for a later word: "pre- and postoperative"."""
_COMPOUND = names("self well long high low large")
"""Words that begin a compound far more often than a word of one part."""


def broken_words(text: str) -> Iterator[tuple[int, int]]:
    """Find what to leave out of a text, so that words broken at line ends are whole.

    The hyphen goes too, unless it is one of the word itself: beside a digit, beside a capital or
    another hyphen, or where the text elsewhere writes the word with it. Words in capitals need the
    whole word elsewhere.

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
        small = left[-1].islower() and right[0].islower()
        own_hyphen = broken["hyphen"] != "\u00ad" and (
            not (small or f"{left}{right}".isupper())
            or bool(broken["before"] or broken["after"])
            or left.lower() in _COMPOUND
        )
        if not own_hyphen and broken["hyphen"] != "\u00ad":
            words = set(_WORD.findall(text.lower())) if words is None else words
            whole = f"{left}{right}".lower() in words
            own_hyphen = not whole and (not small or f"{left}-{right}".lower() in words)
        yield broken.start("end" if own_hyphen else "hyphen"), broken.end("end")
