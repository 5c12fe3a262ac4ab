"""The package's rules, and Schwartz and Hearst's: definitions, and acronyms by their shape."""

from dataclasses import dataclass

from .....text import (
    Definition,
    Offsets,
    find_acronyms,
    find_definitions,
    find_unmarked,
    schwartz_hearst,
)
from ..data import Found
from ..system import SYSTEMS, IdentificationSystem, apart, touches


@SYSTEMS.register("rules", "Our definitions, marked or not, and acronyms by their shape.", "ours")
@dataclass
class Rules(IdentificationSystem):
    """Definitions with and without marks, and undefined acronyms by their shape."""

    def answer(self, question: str) -> Found:
        """Mark definitions and acronyms."""
        definitions = find_definitions(question)
        acronyms = find_acronyms(question)
        return merge([*definitions, *find_unmarked(question, acronyms, definitions)], acronyms)


@SYSTEMS.register("find_definitions", "Our definitions alone.", "ours")
@dataclass
class Definitions(IdentificationSystem):
    """Definitions that a bracket or another sign marks."""

    def answer(self, question: str) -> Found:
        """Mark definitions."""
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
    """Schwartz and Hearst's definitions.

    Attributes:
        shapes: Mark undefined acronyms by their shape, too.
    """

    shapes: bool = False

    def answer(self, question: str) -> Found:
        """Mark definitions."""
        return merge(schwartz_hearst(question), find_acronyms(question) if self.shapes else [])


def merge(definitions: list[Definition], acronyms: list[Offsets]) -> Found:
    """Return the spans of definitions, and the acronyms that none of them has."""
    long = {one.long_form for one in definitions}
    defined = {one.acronym for one in definitions}
    return apart(defined | {one for one in acronyms if not touches(one, defined)}, long)
