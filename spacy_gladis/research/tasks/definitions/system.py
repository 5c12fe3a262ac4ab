"""What a system for definitions offers, and the registry of those there are."""

from collections.abc import Callable

from ....text import Definition
from ...datasets.bioc import Pair
from ..registry import Registry
from ..system import System
from .data import Training


class DefinitionSystem(System[Training, str, set[Pair]]):
    """A system that finds the distinct pairs of acronym and long form in each text."""


SYSTEMS: Registry[DefinitionSystem] = Registry(f"{__package__}.systems")


def make_finder(name: str) -> Callable[[str], set[Pair]]:
    """Return what finds the pairs of a text, for a system that learns nothing."""
    system = SYSTEMS.entries[name].system()
    system.fit(())
    return system.answer


def pairs_of(text: str, definitions: list[Definition]) -> set[Pair]:
    """Return the distinct pairs of strings among definitions."""
    return {(text[slice(*one.acronym)], one.words(text)) for one in definitions}
