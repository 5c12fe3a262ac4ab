"""A target sense: a word in a context, and one meaning that it may or may not have there."""

from typing import NamedTuple


class TargetSense(NamedTuple):
    """Does `text[start:end]` mean this? The meaning is a definition, hypernyms, or both.

    A long form is a definition too: "does AI mean adequate intake here?" is the same question.
    """

    text: str
    start: int
    end: int
    definition: str = ""
    hypernyms: tuple[str, ...] = ()

    @property
    def target(self) -> str:
        """The word asked about, as the context spells it."""
        return self.text[self.start : self.end]

    @property
    def sense(self) -> str:
        """The meaning in words: hypernyms, then the definition."""
        return ": ".join(part for part in (", ".join(self.hypernyms), self.definition) if part)
