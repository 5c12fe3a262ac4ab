"""What the rules find: an acronym and its long form, together in one text."""

from typing import NamedTuple

from .mention import Offsets


class Definition(NamedTuple):
    """An acronym and its long form found together in a text.

    Both parts are `(start, end)` character offsets: `text[start:end]` is the part.
    """

    acronym: Offsets
    long_form: Offsets
    pattern: str = "long (short)"
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
