"""Mentions of acronyms and definitions, the types that all higher layers share."""

from typing import NamedTuple

from ..errors import InputError

Offsets = tuple[int, int]
"""Start and end (exclusive) of a span, in characters: `text[start:end]`."""


class Mention(NamedTuple):
    """A mention of an acronym in its text, `text[start:end]`.

    Attributes:
        text: The text around the mention.
        start: Start of the mention, in characters.
        end: End of the mention (exclusive).
        document: Number of the document. Mentions with the same number share a document.
    """

    text: str
    start: int
    end: int
    document: int = 0

    @property
    def acronym(self) -> str:
        """The acronym, or any other phrase to resolve, as written in the text."""
        return self.text[self.start : self.end]

    def within(self, reach: int) -> tuple[str, str, str]:
        """Return the mention with its context.

        Args:
            reach: Maximum characters of context on each side.

        Returns:
            The text before the mention, the mention, and the text after it.

        Raises:
            InputError: If the offsets are outside of the text or the mention is empty.
        """
        text, start, end, _ = self
        if not 0 <= start < end <= len(text):
            raise InputError(
                f"The mention offsets ({start}, {end}) do not fit a text of {len(text)} characters."
            )
        return text[max(0, start - reach) : start], text[start:end], text[end : end + reach]


class Definition(NamedTuple):
    """An acronym and its long form in a text.

    Attributes:
        acronym: Character offsets of the acronym.
        long_form: Character offsets of the long form, or of its first words.
        confidence: Confidence of the pair, 0 to 1.
        ending: Character offsets of the long form's last words if other words come in between. An
            example is `receptors` for ER in `estrogen (ER) and progesterone receptors (PR)`.
    """

    acronym: Offsets
    long_form: Offsets
    confidence: float = 1.0
    ending: Offsets | None = None

    def words(self, text: str) -> str:
        """Return the whole long form as written.

        Args:
            text: Text of the document.
        """
        words = text[slice(*self.long_form)]
        if self.ending is None:
            return words
        return words + " " * (words[-1] != "-") + text[slice(*self.ending)]
