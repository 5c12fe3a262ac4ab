"""The package's rules and Schwartz and Hearst's: definitions, and acronyms by their shape."""

from dataclasses import dataclass

from .....text import (
    Definition,
    Offsets,
    find_acronyms,
    find_definitions,
    find_unmarked,
    schwartz_hearst,
)
from ..data import Prediction
from ..system import SYSTEMS, IdentificationSystem, apart, touches


@SYSTEMS.register("rules", "Our rules for definitions, and acronyms by their shape.", "ours")
@dataclass
class Rules(IdentificationSystem):
    """Finds definitions with and without brackets, and undefined acronyms by their shape."""

    def answer(self, question: str) -> Prediction:
        """Mark the acronyms of a text, defined or not, and the defined long forms.

        Args:
            question: Text to search.

        Returns:
            Character offsets of the acronyms and of the long forms.
        """
        definitions = find_definitions(question)
        acronyms = find_acronyms(question)
        return merge([*definitions, *find_unmarked(question, acronyms, definitions)], acronyms)


@SYSTEMS.register("find_definitions", "Only our rules for definitions.", "ours")
@dataclass
class Definitions(IdentificationSystem):
    """Finds definitions that a bracket or another sign marks."""

    def answer(self, question: str) -> Prediction:
        """Mark the acronyms and long forms of the definitions in a text.

        Args:
            question: Text to search.

        Returns:
            Character offsets of the acronyms and of the long forms.
        """
        return merge(find_definitions(question), [])


@SYSTEMS.register(
    "schwartz_hearst and shapes",
    "Schwartz and Hearst's definitions, and acronyms by their shape.",
    "Schwartz and Hearst 2003",
    shapes=True,
)
@SYSTEMS.register(
    "schwartz_hearst", "Schwartz and Hearst's definitions.", "Schwartz and Hearst 2003"
)
@dataclass
class SchwartzHearst(IdentificationSystem):
    """Finds Schwartz and Hearst's definitions.

    Attributes:
        shapes: Whether to mark undefined acronyms by their shape.
    """

    shapes: bool = False

    def answer(self, question: str) -> Prediction:
        """Mark the acronyms and long forms of the definitions in a text.

        Args:
            question: Text to search.

        Returns:
            Character offsets of the acronyms and of the long forms.
        """
        return merge(schwartz_hearst(question), find_acronyms(question) if self.shapes else [])


def merge(definitions: list[Definition], acronyms: list[Offsets]) -> Prediction:
    """Combine the spans of definitions with acronyms outside definitions.

    Args:
        definitions: The definitions.
        acronyms: Character offsets of acronyms.

    Returns:
        Character offsets of the acronyms and of the long forms.
    """
    long = {definition.long_form for definition in definitions}
    defined = {definition.acronym for definition in definitions}
    return apart(defined | {span for span in acronyms if not touches(span, defined)}, long)
