"""The interface of systems for definitions, and their registry."""

from collections.abc import Callable

from ....text import Definition
from ...datasets.bioc import Pair
from ..registry import Registry
from ..system import System
from .data import Training


class DefinitionSystem(System[Training, str, set[Pair]]):
    """A system that finds the distinct (acronym, long form) pairs in each text."""


SYSTEMS: Registry[DefinitionSystem] = Registry(f"{__package__}.systems")


def make_finder(name: str) -> Callable[[str], set[Pair]]:
    """Return a function that finds the (acronym, long form) pairs in a text.

    Args:
        name: Name of a system in `SYSTEMS` that needs no training.

    Returns:
        A function that takes a text and returns its pairs.
    """
    system = SYSTEMS.entries[name].system()
    system.fit(())
    return system.answer


def pairs_of(text: str, definitions: list[Definition]) -> set[Pair]:
    """Convert definitions with offsets to distinct (acronym, long form) pairs of strings.

    Args:
        text: The text in which the definitions were found.
        definitions: The definitions.

    Returns:
        Pairs of acronym and long form.
    """
    return {
        (text[slice(*definition.acronym)], definition.words(text)) for definition in definitions
    }
