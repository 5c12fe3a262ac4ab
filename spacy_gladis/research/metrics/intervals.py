"""Bootstrap intervals of scores, and intervals of similarity."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from ...arrays import Doubles, Ints
from ...errors import InputError


class Interval(NamedTuple):
    """The ends of an interval."""

    low: float
    high: float


def bootstrap_intervals(
    statistic: Callable[[Ints], dict[str, float]],
    rows: int,
    resamples: int = 1000,
    level: float = 0.95,
    seed: int = 0,
) -> dict[str, Interval]:
    """Intervals of every value of `statistic` (a share, 0..1), each at `level`.

    `statistic` gets the row numbers of a resample (`rows` of 0..rows-1, drawn with replacement) and
    returns named scores. The same seed gives the same intervals. They are percentile intervals
    without their bias: a resample holds fewer classes than the set, which moves a mean over classes
    by points, so the mean of the resamples is shifted to the value of the set itself.

    Raises InputError for no rows, no resamples or a level outside 0..1.
    """
    if rows < 1 or resamples < 1:
        raise InputError(f"{rows} rows and {resamples} resamples: at least one of each is needed.")
    if not 0 < level < 1:
        raise InputError(f"The level must be between 0 and 1, got {level}.")
    random = np.random.default_rng(seed)
    drawn = [statistic(random.integers(0, rows, rows)) for _ in range(resamples)]
    whole = statistic(np.arange(rows))
    tails = [(1 - level) / 2, (1 + level) / 2]
    intervals = {}
    for name, value in whole.items():
        values = np.array([one[name] for one in drawn])
        shifted = np.quantile(values, tails) - values.mean() + value
        intervals[name] = Interval(*map(float, np.clip(shifted, 0.0, 1.0)))
    return intervals


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
