"""One concept of an inventory, a phrase that is linked to concepts, and the graph of parents."""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import NamedTuple


class Concept(NamedTuple):
    """A concept with its names, the preferred one first.

    alternates: other ids that mean it, such as those of concepts merged into it. domain: its part
    of the vocabulary (semantic tag, namespace, type). parents: ids of the broader concepts.
    """

    id: str
    names: tuple[str, ...]
    alternates: tuple[str, ...] = ()
    domain: str = ""
    definition: str = ""
    parents: tuple[str, ...] = ()


class ConceptMention(NamedTuple):
    """A phrase and the text that it stands in.

    concepts: the right ids; several where the phrase names several concepts at once, of which each
    is right. start: its place in `text`, -1 where it does not stand there word for word (parts that
    lie apart, or corrected by the annotator). kind: its class, such as Disease.
    """

    phrase: str
    concepts: tuple[str, ...] = ()
    text: str = ""
    start: int = -1
    document: str = ""
    kind: str = ""


def find_cycles(parents: Mapping[str, Collection[str]]) -> list[list[str]]:
    """The sets of concepts that are their own ancestors, each sorted; a concept may be one alone.

    parents: ids of each concept's parents; ids without an entry have none.
    """
    # Kosaraju: downwards from what a walk upwards leaves last, a walk meets one set alone.
    children: defaultdict[str, list[str]] = defaultdict(list)
    for child, above in parents.items():
        for parent in above:
            children[parent].append(child)
    cycles: list[list[str]] = []
    met: set[str] = set()
    for start in reversed(list(_walk(parents, parents, set()))):
        part = list(_walk([start], children, met))
        if len(part) > 1 or (part and start in parents.get(start, ())):
            cycles.append(sorted(part))
    return sorted(cycles)


def _walk(
    starts: Iterable[str], edges: Mapping[str, Collection[str]], met: set[str]
) -> Iterator[str]:
    """Yield what was not met and the edges lead to, each when all behind it was yielded."""
    for start in starts:
        path = [] if start in met else [(start, iter(edges.get(start, ())))]
        met.add(start)
        while path:  # no recursion: a chain of parents may be longer than Python's stack
            here, ahead = path[-1]
            following = next((one for one in ahead if one not in met), None)
            if following is None:
                path.pop()
                yield here
            else:
                met.add(following)
                path.append((following, iter(edges.get(following, ()))))


def ancestors(start: int, parents_of: Callable[[int], list[int]]) -> Iterator[int]:
    """The ancestors of a concept, the nearest first, each once; a cycle does not go on for ever."""
    seen, level = {start}, [start]
    while level:
        above = dict.fromkeys(parent for child in level for parent in parents_of(child))
        level = [one for one in above if one not in seen]
        seen.update(level)
        yield from level
