"""Scores of linking (COMETA, EMNLP 2020) and of target sense verification (WiC-TSV, EACL 2021);
bootstrap intervals of any scores; calibration error; intervals of similarity."""

from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from ...arrays import Doubles, Flags, Ints
from ...errors import InputError


def rates(scores: Mapping[str, Any]) -> dict[str, float]:
    """The scores that are shares, without what is counted."""
    return {name: value for name, value in scores.items() if isinstance(value, float)}


def score_linking(ranks: Sequence[int] | Ints) -> dict[str, float]:
    """Share of gold concepts that rank first, within the first ten; mean of 1 / rank; mentions.

    ranks: 1 is best, 0 means that it was not found. Raises InputError for none.
    """
    found: Doubles = np.asarray(ranks, dtype=np.float64)
    if len(found) == 0:
        raise InputError("There are no mentions to score: the set is empty.")
    reciprocal = np.divide(1.0, found, out=np.zeros_like(found), where=found > 0)
    return {
        "accuracy_at_1": float((found == 1).mean()),
        "accuracy_at_10": float(((found >= 1) & (found <= 10)).mean()),
        "mrr": float(reciprocal.mean()),
        "mentions": len(found),
    }


def gold_rank(ranking: Sequence[Hashable], gold: Collection[Hashable]) -> int:
    """The rank, from 1, of the first of the `gold` ids in `ranking` (best first); 0 when absent.

    A repeated id counts once, so that a concept with many names does not push others down.
    """
    places = enumerate(dict.fromkeys(ranking), 1)
    return next((place for place, one in places if one in gold), 0)


def score_verification(gold: ArrayLike, predicted: ArrayLike) -> dict[str, float]:
    """Accuracy of yes-or-no answers; precision, recall and F1 of "yes", 0 when undefined; rows.

    Raises InputError for none.
    """
    truth: Flags = np.asarray(gold, dtype=bool)
    answer: Flags = np.asarray(predicted, dtype=bool)
    if len(truth) == 0:
        raise InputError("There are no rows to score: the set is empty.")
    right = int((truth & answer).sum())
    said, true = int(answer.sum()), int(truth.sum())
    return {
        "accuracy": float((truth == answer).mean()),
        "precision": right / said if said else 0.0,
        "recall": right / true if true else 0.0,
        "f1": 2 * right / (said + true) if said + true else 0.0,
        "rows": len(truth),
    }


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


def expected_calibration_error(confidence: ArrayLike, right: ArrayLike, bins: int = 15) -> float:
    """Mean distance of confidence from accuracy over `bins` equally wide bins, weighted by rows.

    `confidence` holds the probability of each answer given (0..1), `right` whether it was correct.
    Raises InputError for unequal lengths, no rows or a confidence outside 0..1.
    """
    sure, correct = np.asarray(confidence, dtype=np.float64), np.asarray(right, dtype=np.float64)
    if sure.shape != correct.shape or sure.ndim != 1:
        raise InputError(f"{sure.shape} confidences against {correct.shape} answers.")
    if len(sure) == 0:
        raise InputError("There are no rows to score: the set is empty.")
    if not ((sure >= 0) & (sure <= 1)).all():
        raise InputError("Confidences must be between 0 and 1.")
    # Bins are open below and closed above, as in Guo et al. 2017; 0 belongs to the first.
    place = np.clip(np.ceil(sure * bins).astype(np.int64) - 1, 0, bins - 1)
    gap = np.bincount(place, weights=sure - correct, minlength=bins)
    return float(np.abs(gap).sum() / len(sure))
