"""What the rules would say of a text, sure or not: input for a model that weighs it."""

from collections.abc import Iterator
from typing import NamedTuple

from .definitions import THRESHOLD, find_definitions
from .initials import find_initials
from .mention import Definition
from .occurrences import find_occurrences
from .schwartz_hearst import schwartz_hearst
from .shapes import find_acronyms
from .unmarked import find_unmarked

SOURCES = (
    "likely definition",
    "any definition",
    "schwartz_hearst",
    "unmarked",
    "shape",
    "occurrence",
    "initials",
)


class Hint(NamedTuple):
    """A rule holds `text[start:end]` for an acronym (`short`) or a long form."""

    source: str  # one of SOURCES
    short: bool
    start: int
    end: int
    confidence: float  # 0 to 1


def find_hints(text: str) -> Iterator[Hint]:
    """Everything that any rule proposes, whether or not others contradict it.

    Time grows with the length of the text.
    """
    proposed = find_definitions(text, threshold=0.0)
    likely = [one for one in proposed if one.confidence >= THRESHOLD]
    yield from _of_definitions("any definition", proposed)
    yield from _of_definitions("likely definition", likely)
    yield from _of_definitions("schwartz_hearst", schwartz_hearst(text))
    defined = {text[slice(*one.acronym)] for one in likely}
    acronyms = find_acronyms(text)
    undefined = [span for span in acronyms if text[slice(*span)] not in defined]
    yield from _of_definitions("unmarked", find_unmarked(text, undefined))
    for start, end in acronyms:
        yield Hint("shape", True, start, end, 1.0)
    for start, end, _ in find_occurrences(text, defined):
        yield Hint("occurrence", True, start, end, 1.0)
    yield from _of_definitions("initials", find_initials(text, undefined))


def _of_definitions(source: str, definitions: list[Definition]) -> Iterator[Hint]:
    for one in definitions:
        yield Hint(source, True, *one.acronym, one.confidence)
        yield Hint(source, False, *one.long_form, one.confidence)
