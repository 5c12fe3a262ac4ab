"""Data types for mentions of acronyms and for definitions, used throughout the package."""

from collections.abc import Iterable
from typing import NamedTuple

from ..errors import InputError

Offsets = tuple[int, int]
"""Start and end (exclusive) of a span, in characters. The span of a string is `text[start:end]`."""


class Mention(NamedTuple):
    """An occurrence of an acronym in a text, whose meaning is to be found.

    Attributes:
        text: The text around the acronym, such as a whole document. The acronym is
            `text[start:end]`.
        start: Character offset in `text` at which the acronym starts.
        end: Character offset at which it ends (exclusive).
        document: Number of the document that contains the text. Mentions with the same number
            belong to the same document.
    """

    text: str
    start: int
    end: int
    document: int = 0

    @property
    def acronym(self) -> str:
        """The acronym as written in the text. It may also be another phrase to resolve."""
        return self.text[self.start : self.end]

    def within(self, reach: int) -> tuple[str, str, str]:
        """Return the acronym together with the text before and after it.

        Args:
            reach: Maximum number of characters of context on each side.

        Returns:
            The text before the acronym, the acronym, and the text after it. The context is shorter
            than `reach` at the ends of the text.

        Raises:
            InputError: If the offsets of the mention are outside its text, or the mention is empty.
        """
        text, start, end, _ = self
        if not 0 <= start < end <= len(text):
            raise InputError(
                f"The mention offsets ({start}, {end}) do not fit a text of {len(text)} characters."
                f" Use 0 <= start < end <= {len(text)}."
            )
        return text[max(0, start - reach) : start], text[start:end], text[end : end + reach]


class Definition(NamedTuple):
    """A place in a text that defines an acronym, as `machine learning (ML)` does.

    All positions are ``(start, end)`` character offsets in the text.

    Attributes:
        acronym: Offsets of the acronym.
        long_form: Offsets of the long form, or only of its first words if `ending` is set.
        confidence: Probability that the long form belongs to the acronym, 0 to 1.
        ending: Offsets of the long form's last words if other words separate them from the first
            words. An example is `receptors` for ER in
            `estrogen (ER) and progesterone receptors (PR)`. None if the long form is in one piece.
    """

    acronym: Offsets
    long_form: Offsets
    confidence: float = 1.0
    ending: Offsets | None = None

    def words(self, text: str) -> str:
        """Return the complete long form as written in the text.

        The pieces of a long form in two pieces are joined by a space, unless the first ends with a
        hyphen. In `estrogen (ER) and progesterone receptors (PR)`, the long form of ER is
        ``"estrogen receptors"``.

        Args:
            text: The text in which the definition was found.
        """
        words = text[slice(*self.long_form)]
        if self.ending is None:
            return words
        return words + " " * (words[-1] != "-") + text[slice(*self.ending)]


def sort_spans(spans: Iterable[Offsets]) -> list[Offsets]:
    """Sort spans by their starts. A span that contains others comes before them.

    Args:
        spans: ``(start, end)`` character offsets of the spans.
    """
    return sorted(spans, key=lambda span: (span[0], -span[1]))


def outermost(spans: Iterable[Offsets]) -> list[Offsets]:
    """Return the spans that are not inside another span, in text order.

    Args:
        spans: ``(start, end)`` character offsets of the spans.
    """
    kept: list[Offsets] = []
    for span in sort_spans(spans):
        if not kept or span[1] > kept[-1][1]:
            kept.append(span)
    return kept


def cover(text: str, spans: Iterable[Offsets]) -> bytearray:
    """Mark which characters of a text are inside at least one of the given spans.

    Args:
        text: Text of the document.
        spans: ``(start, end)`` character offsets of the spans.

    Returns:
        One byte for each character of the text: 1 if a span contains the character, otherwise 0.
    """
    covered = bytearray(len(text))
    for start, end in spans:
        covered[start:end] = b"\1" * (end - start)
    return covered
