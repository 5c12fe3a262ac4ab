"""Bootstrap intervals: how far a score would move on another sample of rows."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..errors import InputError

Rows = NDArray[np.int64]


class Interval(NamedTuple):
    """A percentile interval."""

    low: float
    high: float


def bootstrap_intervals(
    statistic: Callable[[Rows], dict[str, float]],
    rows: int,
    resamples: int = 1000,
    level: float = 0.95,
    seed: int = 0,
) -> dict[str, Interval]:
    """Percentile intervals of every value of `statistic`, each at `level`.

    `statistic` gets the row numbers of a resample (`rows` of 0..rows-1, drawn with replacement) and
    returns named scores. The same seed gives the same intervals. A mean over classes is taken over
    the classes in the resample, which are fewer than in the set: such intervals may lie off centre.

    Raises InputError for no rows, no resamples or a level outside 0..1.
    """
    if rows < 1 or resamples < 1:
        raise InputError(f"{rows} rows and {resamples} resamples: at least one of each is needed.")
    if not 0 < level < 1:
        raise InputError(f"The level is {level}; it lies between 0 and 1.")
    random = np.random.default_rng(seed)
    drawn = [statistic(random.integers(0, rows, rows)) for _ in range(resamples)]
    tails = [(1 - level) / 2, (1 + level) / 2]
    return {
        name: Interval(*map(float, np.quantile([one[name] for one in drawn], tails)))
        for name in drawn[0]
    }
