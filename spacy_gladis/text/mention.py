"""A mention of an acronym in its text, and a definition: what every layer above asks about."""

from typing import NamedTuple

from ..errors import InputError

Offsets = tuple[int, int]
"""Where something begins and ends in its text, in characters: `text[start:end]`."""


class Mention(NamedTuple):
    """The mention `text[start:end]`; `document` tells which mentions are of one document."""

    text: str
    start: int
    end: int
    document: int = 0

    @property
    def acronym(self) -> str:
        """The acronym, or whatever phrase is asked about, as the text spells it."""
        return self.text[self.start : self.end]

    def within(self, reach: int) -> tuple[str, str, str]:
        """The text before it, itself, and the text behind, of `reach` characters at most.

        Raises InputError where its offsets lie outside the text.
        """
        text, start, end, _ = self
        if not 0 <= start < end <= len(text):
            raise InputError(
                f"mention offsets ({start}, {end}) lie outside a text of {len(text)} characters"
            )
        return text[max(0, start - reach) : start], text[start:end], text[end : end + reach]


class Definition(NamedTuple):
    """An acronym and its long form found together in a text.

    Both parts are `(start, end)` character offsets: `text[start:end]` is the part.
    """

    acronym: Offsets
    long_form: Offsets
    confidence: float = 1.0
    ending: Offsets | None = None
    """Where the long form's last words stand if others stand between: `receptors` for ER in
    `estrogen (ER) and progesterone receptors (PR)`."""

    def words(self, text: str) -> str:
        """The whole long form, as it stands in the text."""
        words = text[slice(*self.long_form)]
        if self.ending is None:
            return words
        return words + " " * (words[-1] != "-") + text[slice(*self.ending)]
