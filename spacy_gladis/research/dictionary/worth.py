"""Which entries are worth their bytes: those that another source is likely to know, too.

A list written for the package, or a clean glossary, is taken whole; an entry of three publishers
is worth most of the others. How likely one of a single publisher is known elsewhere is counted
over all entries that are alike: of the same source, as often seen, with letters that fit as well,
of an acronym as long and with as many more frequent long forms.
"""

from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from .meaning import Counts

PRIOR = 20  # entries' worth of the source's own share that a small group starts with
ALWAYS = 10.0
ACRONYM = 12  # bytes of an acronym's row, apart from its text
LONG_FORM = 10  # of a long form's
COUNT = 8  # bytes of a count


class Item(NamedTuple):
    """A long form of an acronym, ready to be written."""

    acronym: str
    long_form: str
    counts: Counts
    publishers: int
    cost: float
    rank: int
    kept: bool
    """Whether it is written whatever its worth."""


def choose(items: Iterable[Item], size: int) -> list[Item]:
    """The entries worth most for their bytes, within `size` bytes of a file as estimated."""
    items = list(items)
    worth = _worths(items)
    order = sorted(
        range(len(items)),
        key=lambda at: (-worth[at] / _bytes(items[at]), items[at].acronym, items[at].long_form),
    )
    taken: set[int] = set()
    acronyms: set[str] = set()
    used = 0
    for at in order:
        item = items[at]
        used += _bytes(item)
        if item.acronym not in acronyms:
            used += ACRONYM + len(item.acronym.encode())
            acronyms.add(item.acronym)
        if used > size:
            break
        taken.add(at)
    return [item for at, item in enumerate(items) if at in taken]


def _bytes(item: Item) -> int:
    return len(item.long_form.encode()) + LONG_FORM + COUNT * len(item.counts)


def _worths(items: list[Item]) -> list[float]:
    seen: Counter[tuple[object, ...]] = Counter()
    shared: Counter[tuple[object, ...]] = Counter()
    for item in items:
        for group in _groups(item):
            seen[group] += 1
            shared[group] += item.publishers > 1
            seen[group[:1]] += 1
            shared[group[:1]] += item.publishers > 1
    worths = []
    for item in items:
        if item.kept or item.publishers > 2:
            worths.append(ALWAYS * (1000 if item.kept else 1))
            continue
        missed = 1.0
        for group in _groups(item):
            share = shared[group[:1]] / seen[group[:1]]
            missed *= 1 - (shared[group] + PRIOR * share) / (seen[group] + PRIOR)
        worths.append((1 - missed) * (1 + (item.publishers > 1)))
    return worths


def _groups(item: Item) -> list[tuple[object, ...]]:
    """The groups of entries that it is like, one for each of its sources."""
    fit = 0 if item.cost < 0.2 else 1 if item.cost < 0.35 else 2
    rank = 0 if not item.rank else 1 if item.rank < 3 else 2 if item.rank < 10 else 3
    length = min(5, len(item.acronym))
    return [
        (source, min(4, number.bit_length()), fit, rank, length)
        for source, number in item.counts.items()
    ]
