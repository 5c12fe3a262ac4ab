"""Acronyms that a hyphen joins, each with a meaning of its own: `CFD-DEM`."""

from collections.abc import Callable, Iterable, Iterator
from itertools import accumulate

from .mention import Offsets
from .shapes import is_acronym_alone


def split_compounds(
    text: str, acronyms: Iterable[Offsets], is_known: Callable[[str], bool]
) -> Iterator[Offsets]:
    """The acronyms, with the parts of a compound in its place where all of them are known apart.

    is_known: whether an acronym has a meaning. A compound that has one itself stays whole, as
    COVID-19 does, and so does one with a part that would be no acronym alone, such as R-CNN.
    """
    for start, end in acronyms:
        parts = text[start:end].split("-")
        whole = len(parts) == 1 or is_known(text[start:end])
        if whole or not all(is_acronym_alone(part) and is_known(part) for part in parts):
            yield start, end
        else:
            starts = accumulate((len(part) + 1 for part in parts), initial=start)
            yield from ((at, at + len(part)) for at, part in zip(starts, parts, strict=False))
