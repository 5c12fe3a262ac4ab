"""Collect the proposals of all rules for a text, including uncertain ones, as input of a tagger."""

from collections.abc import Iterator
from typing import NamedTuple

from .definitions import THRESHOLD, find_definitions, find_unmarked
from .initials import find_initials
from .mention import Definition
from .occurrences import find_occurrences
from .schwartz_hearst import schwartz_hearst
from .shapes import find_acronyms

SOURCES = (
    "likely definition",
    "any definition",
    "schwartz_hearst",
    "unmarked",
    "shape",
    "occurrence",
    "initials",
)
"""Names of the rules that propose acronyms and long forms."""


class Hint(NamedTuple):
    """A span of a text that a rule proposes as an acronym or a long form.

    Attributes:
        source: Name of the rule, one of `SOURCES`.
        short: True for an acronym, False for a long form.
        start: Character offset at which the span starts.
        end: Character offset at which the span ends (exclusive).
        confidence: The rule's confidence in the proposal, 0 to 1.
    """

    source: str
    short: bool
    start: int
    end: int
    confidence: float


def find_hints(text: str) -> Iterator[Hint]:
    """Find the acronyms and long forms that any rule proposes for a text.

    The tagger uses the proposals as features and decides which of them are right. Proposals of
    different rules may overlap or contradict each other. Runs in linear time.

    Args:
        text: Text of the document.

    Yields:
        The proposals, grouped by rule.
    """
    proposed = find_definitions(text, threshold=0.0)
    likely = [definition for definition in proposed if definition.confidence >= THRESHOLD]
    yield from _of_definitions("any definition", proposed)
    yield from _of_definitions("likely definition", likely)
    yield from _of_definitions("schwartz_hearst", schwartz_hearst(text))
    defined = {text[slice(*definition.acronym)] for definition in likely}
    acronyms = find_acronyms(text)
    undefined = [span for span in acronyms if text[slice(*span)] not in defined]
    yield from _of_definitions("unmarked", find_unmarked(text, undefined))
    for start, end in acronyms:
        yield Hint("shape", True, start, end, 1.0)
    for start, end, _ in find_occurrences(text, defined):
        yield Hint("occurrence", True, start, end, 1.0)
    yield from _of_definitions("initials", find_initials(text, undefined))


def _of_definitions(source: str, definitions: list[Definition]) -> Iterator[Hint]:
    for definition in definitions:
        yield Hint(source, True, *definition.acronym, definition.confidence)
        yield Hint(source, False, *definition.long_form, definition.confidence)
