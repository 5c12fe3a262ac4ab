"""Bootstrap intervals: how far a score would move on another sample of rows."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from ...arrays import Ints
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
