"""Rejoin words that are broken at line ends, in formats that keep the lines of a page."""

import re
from collections.abc import Iterator

from ...text.tokens import word_rate
from ..lists import names

_BROKEN = re.compile(
    r"(?P<before>[-\u2010]?)(?<![^\W_])(?P<left>[^\W_]+)(?P<hyphen>[-\u2010\u00ad])"
    r"(?P<end>[ \t]*\n[ \t>]*(?:\f[ \t]*|\n[ \t\f]*)?)"  # ">" quotes; the page may end
    r"(?=(?P<right>[^\W_]+)(?P<after>[-\u2010]?))"
)
_WORD = re.compile(r"[^\W_]+(?:-[^\W_]+)?")
_COORDINATION = names("and or to und oder bis et ou")
"""Words before which a hyphen stands for a later word, as in "pre- and postoperative"."""
_COMPOUND = names("self well long high low large")
"""Words that mostly begin compounds with a hyphen, such as "self" in "self-test"."""


_BEFORE_HYPHEN = re.compile(r"(?<![\w-])[^\W\d_]+(?=[-\u2010]\Z)")
_FIRST_WORD = re.compile(r"\s*([^\W\d_]+)(?![\w-])")
_LONGEST_PART = 30  # characters


def breaks_word(text: str, end: int, following: int) -> bool:
    """Return whether the hyphen at the end of a line breaks a word, as in "exam-" and "ple".

    Some authors also break lines after the hyphens of compounds, such as "well-known". A hyphen
    therefore breaks a word only if the two parts form a word that is more common than one of the
    parts alone.

    Args:
        text: The text with its markup.
        end: Offset after the last character of the line.
        following: Offset at which the text of the next line starts.
    """
    if end < 2 or text[end - 1] not in "-\u2010":
        return False
    left = _BEFORE_HYPHEN.search(text[max(0, end - _LONGEST_PART) : end])
    right = _FIRST_WORD.match(text, following, following + _LONGEST_PART)
    return bool(left and right and right[1][0].islower() and is_one_word(left[0], right[1]))


def is_one_word(left: str, right: str) -> bool:
    """Return whether two parts form an English word that is more common than one of the parts.

    For example, the result is True for "exam" and "ple".

    Args:
        left: The part before the line end, without the hyphen.
        right: The part after the line end.
    """
    return word_rate(left + right) > min(word_rate(left), word_rate(right))


def broken_words(text: str) -> Iterator[tuple[int, int]]:
    r"""Find the characters to remove from a text so that words broken at line ends become whole.

    These are the line end and usually the hyphen before it. The hyphen is kept if it is part of the
    word: next to a digit, a capital letter or another hyphen, or if the text contains the word with
    a hyphen elsewhere. In words in capital letters, it is kept unless the text contains the word
    without a hyphen elsewhere.

    Args:
        text: The text, with ``\n`` as line ends.

    Yields:
        The ``(start, end)`` offsets of the characters to remove, in text order.
    """
    words: set[str] | None = None
    for broken in _BROKEN.finditer(text):
        left, right = broken["left"], broken["right"]
        if right in _COORDINATION or len(left) == 1:
            continue
        small = left[-1].islower() and right[0].islower()
        if broken["end"].count("\n") > 1 and not (small and is_one_word(left, right)):
            continue
        keeps_hyphen = broken["hyphen"] != "\u00ad" and (
            not (small or f"{left}{right}".isupper())
            or bool(broken["before"] or broken["after"])
            or left.lower() in _COMPOUND
        )
        if not keeps_hyphen and broken["hyphen"] != "\u00ad":
            words = set(_WORD.findall(text.lower())) if words is None else words
            whole = f"{left}{right}".lower() in words
            keeps_hyphen = not whole and (not small or f"{left}-{right}".lower() in words)
        yield broken.start("end" if keeps_hyphen else "hyphen"), broken.end("end")
