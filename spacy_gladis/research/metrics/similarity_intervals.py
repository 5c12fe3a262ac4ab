"""Test rows grouped by their similarity to the training set (Elangovan et al. 2021, section 4)."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from ...arrays import Doubles, Ints

EDGES = (0.25, 0.5, 0.75)
INTERVALS = ("[0, .25)", "[.25, .5)", "[.5, .75)", "[.75, 1]")
QUARTILES = ("first", "second", "third", "fourth")
ROUNDING = 1e-9  # a cosine of 0.75 may come out a hair below

Groups = list[Ints]


def by_interval(similarity: ArrayLike) -> Groups:
    """The row numbers in each of the four `INTERVALS`."""
    return _groups(np.searchsorted(EDGES, np.asarray(similarity) + ROUNDING, side="right"))


def by_quartile(similarity: ArrayLike) -> Groups:
    """The row numbers of each quarter of the rows, from the least similar to the most similar.

    Rows of equal similarity are split in their own order, so that the quarters differ by one row at
    most.
    """
    order = np.argsort(np.asarray(similarity), kind="stable")
    return [np.sort(part) for part in np.array_split(order, len(QUARTILES))]


def _groups(place: Ints) -> Groups:
    return [np.flatnonzero(place == number) for number in range(len(INTERVALS))]


def interval_counts(similarity: Sequence[float] | Doubles) -> dict[str, int]:
    """How many rows fall into each interval."""
    return {name: len(rows) for name, rows in zip(INTERVALS, by_interval(similarity), strict=True)}
