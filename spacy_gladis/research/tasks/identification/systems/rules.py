"""Systems that mark acronyms and long forms by rules, those of this package and of others."""

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
    """Finds acronyms and long forms by all rules of this package.

    The rules find definitions with and without brackets, and undefined acronyms by their shape.
    """

    def answer(self, question: str) -> Prediction:
        """Mark all acronyms of a text, and the long forms of those that the text defines.

        Args:
            question: Text in which acronyms and long forms are looked for.

        Returns:
            The character offsets of the acronyms and of the long forms.
        """
        definitions = find_definitions(question)
        acronyms = find_acronyms(question)
        return merge([*definitions, *find_unmarked(question, acronyms, definitions)], acronyms)


@SYSTEMS.register("find_definitions", "Only our rules for definitions.", "ours")
@dataclass
class Definitions(IdentificationSystem):
    """Finds definitions by this package's rules, without marking undefined acronyms.

    Only definitions that a bracket, a phrase or punctuation marks are found.
    """

    def answer(self, question: str) -> Prediction:
        """Mark the acronyms that a text defines, and their long forms.

        Args:
            question: Text in which definitions are looked for.

        Returns:
            The character offsets of the acronyms and of the long forms.
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
    """Finds definitions by the rules of Schwartz and Hearst (2003).

    Attributes:
        shapes: Whether to mark undefined acronyms as well, by their shape.
    """

    shapes: bool = False

    def answer(self, question: str) -> Prediction:
        """Mark the acronyms that a text defines, and their long forms.

        Args:
            question: Text in which definitions are looked for.

        Returns:
            The character offsets of the acronyms and of the long forms.
        """
        return merge(schwartz_hearst(question), find_acronyms(question) if self.shapes else [])


def merge(definitions: list[Definition], acronyms: list[Offsets]) -> Prediction:
    """Combine the definitions in a text with acronyms that were found without a definition.

    Args:
        definitions: Definitions, with the offsets of their acronyms and long forms.
        acronyms: Character offsets of acronyms. Those that overlap a definition are left out.

    Returns:
        The character offsets of the acronyms and of the long forms.
    """
    long = {definition.long_form for definition in definitions}
    defined = {definition.acronym for definition in definitions}
    return apart(defined | {span for span in acronyms if not touches(span, defined)}, long)
