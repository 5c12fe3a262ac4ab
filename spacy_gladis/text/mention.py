"""Data types for mentions of acronyms and for definitions, which the whole package uses."""

from typing import NamedTuple

from ..errors import InputError

Offsets = tuple[int, int]
"""Start and end (exclusive) of a span in characters, so that the span is `text[start:end]`."""


class Mention(NamedTuple):
    """A mention of an acronym, with the text that contains it.

    Attributes:
        text: The text that contains the mention as `text[start:end]`.
        start: Start of the mention, in characters.
        end: End of the mention (exclusive).
        document: Number of the document. Mentions with the same number belong to the same document.
    """

    text: str
    start: int
    end: int
    document: int = 0

    @property
    def acronym(self) -> str:
        """The acronym as written in the text. It can also be another phrase to resolve."""
        return self.text[self.start : self.end]

    def within(self, reach: int) -> tuple[str, str, str]:
        """Return the mention with its context.

        Args:
            reach: Maximum number of characters of context on each side.

        Returns:
            The text before the mention, the mention, and the text after it.

        Raises:
            InputError: If the offsets lie outside the text, or the mention is empty.
        """
        text, start, end, _ = self
        if not 0 <= start < end <= len(text):
            raise InputError(
                f"The mention offsets ({start}, {end}) do not fit a text of {len(text)} characters."
            )
        return text[max(0, start - reach) : start], text[start:end], text[end : end + reach]


class Definition(NamedTuple):
    """A definition, which is an acronym and its long form in the same text.

    Attributes:
        acronym: Character offsets of the acronym.
        long_form: Character offsets of the long form, or of its first words.
        confidence: Confidence that the long form belongs to the acronym, 0 to 1.
        ending: Character offsets of the long form's last words if other words separate them from
            the first words. An example is `receptors` for ER in `estrogen (ER) and progesterone
            receptors (PR)`.
    """

    acronym: Offsets
    long_form: Offsets
    confidence: float = 1.0
    ending: Offsets | None = None

    def words(self, text: str) -> str:
        """Return the complete long form as written in the text.

        Args:
            text: Text of the document.
        """
        words = text[slice(*self.long_form)]
        if self.ending is None:
            return words
        return words + " " * (words[-1] != "-") + text[slice(*self.ending)]
