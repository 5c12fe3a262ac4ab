"""The interface and the registry of systems that find definitions of acronyms in texts."""

from collections.abc import Callable

from ....text import Definition
from ...datasets.bioc import Pair
from ..registry import Registry
from ..system import System
from .data import Training


class DefinitionSystem(System[Training, str, set[Pair]]):
    """Base class of systems that find the (acronym, long form) pairs that each text defines.

    A subclass overrides `answer`, which takes a text and returns its set of pairs.
    """


SYSTEMS: Registry[DefinitionSystem] = Registry(f"{__package__}.systems")


def make_finder(name: str) -> Callable[[str], set[Pair]]:
    """Return a function that finds the definitions in a text with a registered system.

    Args:
        name: Name of a system in `SYSTEMS`, such as "schwartz_hearst". It must need no training
            data.

    Returns:
        A function that takes a text and returns its distinct (acronym, long form) pairs.
    """
    system = SYSTEMS.entries[name].system()
    system.fit(())
    return system.answer


def pairs_of(text: str, definitions: list[Definition]) -> set[Pair]:
    """Convert definitions, which are character offsets in a text, to pairs of strings.

    Args:
        text: The text in which the definitions were found.
        definitions: Definitions as character offsets of the acronym and the long form.

    Returns:
        The distinct (acronym, long form) pairs. A pair that the text defines twice is contained
        once.
    """
    return {
        (text[slice(*definition.acronym)], definition.words(text)) for definition in definitions
    }
