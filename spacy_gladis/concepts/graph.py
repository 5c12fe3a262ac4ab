"""The graph of concepts and their parents: cycles in it, and walks that end in spite of them."""

from collections.abc import Callable, Collection, Iterator, Mapping


def find_cycles(parents: Mapping[str, Collection[str]]) -> list[list[str]]:
    """The sets of concepts that are their own ancestors, each sorted; a concept may be one alone.

    parents: ids of each concept's parents; ids without an entry have none.
    """
    # Tarjan (1972), without recursion: a chain of parents may be longer than Python's stack.
    cycles: list[list[str]] = []
    order: dict[str, int] = {}  # of the concepts reached
    lowest: dict[str, int] = {}  # the first of the pending concepts that each of them leads to
    pending: list[str] = []  # concepts whose set is not complete
    path: list[tuple[str, Iterator[str]]] = []

    def enter(concept: str) -> None:
        order[concept] = lowest[concept] = len(order)
        pending.append(concept)
        path.append((concept, iter(parents.get(concept, ()))))

    for start in parents:
        if start not in order:
            enter(start)
        while path:
            child, above = path[-1]
            for parent in above:
                if parent not in order:
                    enter(parent)
                    break
                if parent in lowest:
                    lowest[child] = min(lowest[child], order[parent])
            else:
                path.pop()
                if path:
                    below = path[-1][0]
                    lowest[below] = min(lowest[below], lowest[child])
                if lowest[child] < order[child]:
                    continue
                part: list[str] = []
                while not part or part[-1] != child:
                    part.append(pending.pop())
                    del lowest[part[-1]]
                if len(part) > 1 or child in parents.get(child, ()):
                    cycles.append(sorted(part))
    return sorted(cycles)


def ancestors(start: int, parents_of: Callable[[int], list[int]]) -> Iterator[int]:
    """The ancestors of a concept, the nearest first, each once; a cycle does not go on for ever."""
    seen, level = {start}, [start]
    while level:
        above = dict.fromkeys(parent for child in level for parent in parents_of(child))
        level = [one for one in above if one not in seen]
        seen.update(level)
        yield from level
