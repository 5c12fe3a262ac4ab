"""Bootstrap intervals of scores, and intervals of similarity."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from ...arrays import Ints

TAILS = [0.025, 0.975]


class Interval(NamedTuple):
    """The ends of an interval."""

    low: float
    high: float


def bootstrap_intervals(
    statistic: Callable[[Ints], dict[str, float]],
    rows: int,
    resamples: int = 1000,
    seed: int = 0,
) -> dict[str, Interval]:
    """Intervals of every value of `statistic` (a share, 0..1), each at 95 %; none for 0 resamples.

    `statistic` gets the row numbers of a resample (`rows` of 0..rows-1, drawn with replacement) and
    returns named scores. The same seed gives the same intervals. They are percentile intervals
    without their bias: a resample holds fewer classes than the set, which moves a mean over classes
    by points, so the mean of the resamples is shifted to the value of the set itself.
    """
    if not resamples:
        return {}
    random = np.random.default_rng(seed)
    drawn = [statistic(random.integers(0, rows, rows)) for _ in range(resamples)]
    intervals = {}
    for name, value in statistic(np.arange(rows)).items():
        values = np.array([one[name] for one in drawn])
        shifted = np.quantile(values, TAILS) - values.mean() + value
        intervals[name] = Interval(*map(float, np.clip(shifted, 0.0, 1.0)))
    return intervals


EDGES = (0.25, 0.5, 0.75)
INTERVALS = ("[0, .25)", "[.25, .5)", "[.5, .75)", "[.75, 1]")
QUARTILES = ("first", "second", "third", "fourth")
ROUNDING = 1e-9  # a cosine of 0.75 may come out a hair below


def by_interval(similarity: ArrayLike) -> dict[str, Ints]:
    """The row numbers in each of four intervals of similarity."""
    place = np.searchsorted(EDGES, np.asarray(similarity) + ROUNDING, side="right")
    return {name: np.flatnonzero(place == number) for number, name in enumerate(INTERVALS)}


def by_quartile(similarity: ArrayLike) -> dict[str, Ints]:
    """The row numbers of each quarter of the rows, from the least similar to the most similar.

    Rows of equal similarity are split in their own order, so that the quarters differ by one row at
    most.
    """
    order = np.argsort(np.asarray(similarity), kind="stable")
    parts = np.array_split(order, len(QUARTILES))
    return {name: np.sort(part) for name, part in zip(QUARTILES, parts, strict=True)}
