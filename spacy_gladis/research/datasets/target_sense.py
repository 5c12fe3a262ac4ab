"""A target sense: a word in a context, and one meaning that it may or may not have there."""

from typing import NamedTuple

from ...pipeline.verify import Sense
from ...rules import Mention


class TargetSense(NamedTuple):
    """Does the mention mean this? The meaning is a definition, hypernyms, or both.

    A long form is a definition too: "does AI mean adequate intake here?" is the same question.
    """

    mention: Mention
    definition: str = ""
    hypernyms: tuple[str, ...] = ()

    @property
    def target(self) -> str:
        """The word asked about, as the context spells it."""
        return self.mention.acronym

    @property
    def sense(self) -> str:
        """The meaning in words: hypernyms, then the definition."""
        return Sense("", self.definition, self.hypernyms).described
