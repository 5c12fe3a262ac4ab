"""The graph of concepts and their parents: cycles in it, and walks that end in spite of them."""

from collections.abc import Iterable, Iterator, Mapping, Sequence


def find_cycles(parents: Mapping[str, Iterable[str]]) -> list[list[str]]:
    """The sets of concepts that are their own ancestors, each sorted; a concept may be one alone.

    parents: ids of each concept's parents; ids without an entry have none.
    """
    from networkx import DiGraph, strongly_connected_components

    graph = DiGraph((child, one) for child, several in parents.items() for one in several)
    return sorted(
        sorted(part)
        for part in strongly_connected_components(graph)
        if len(part) > 1 or graph.has_edge(*2 * tuple(part))
    )


def ancestors(start: int, parents: Sequence[Sequence[int]]) -> Iterator[int]:
    """The ancestors of a concept, the nearest first, each once; a cycle does not go on for ever."""
    seen, level = {start}, [start]
    while level:
        above = dict.fromkeys(parent for child in level for parent in parents[child])
        level = [one for one in above if one not in seen]
        seen.update(level)
        yield from level
