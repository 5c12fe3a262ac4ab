"""A mention of an acronym in its text: what every layer above asks about."""

from typing import NamedTuple


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
