"""Scores of linking (COMETA, EMNLP 2020) and target sense verification (WiC-TSV, EACL 2021).

Also bootstrap intervals, calibration error, and groups of rows by similarity.
"""

from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from ...arrays import Doubles, Flags, Ints
from ...errors import InputError


def rates(scores: Mapping[str, Any]) -> dict[str, float]:
    """Select the scores that are rates (floats), without the counts (integers).

    Args:
        scores: A mapping from names to scores.
    """
    return {name: value for name, value in scores.items() if isinstance(value, float)}


def score_linking(ranks: Sequence[int] | Ints) -> dict[str, float]:
    """Compute linking accuracy and mean reciprocal rank.

    Args:
        ranks: Rank of each mention's gold concept, shape `(mentions,)`. 1 is the best rank, 0 means
            "not found".

    Returns:
        `accuracy_at_1`, `accuracy_at_10`, `mrr` (all 0..1) and the number of `mentions`.

    Raises:
        InputError: If there are no mentions.
    """
    rank: Doubles = np.asarray(ranks, dtype=np.float64)
    if len(rank) == 0:
        raise InputError("There are no mentions to score.")
    reciprocal = np.divide(1.0, rank, out=np.zeros_like(rank), where=rank > 0)
    return {
        "accuracy_at_1": float((rank == 1).mean()),
        "accuracy_at_10": float(((rank >= 1) & (rank <= 10)).mean()),
        "mrr": float(reciprocal.mean()),
        "mentions": len(rank),
    }


def gold_rank(ranking: Sequence[Hashable], gold: Collection[Hashable]) -> int:
    """Return the rank of the best gold id in a ranking.

    A repeated id counts once, so a concept with many names does not lower the rank of others.

    Args:
        ranking: Ids, best first.
        gold: The correct ids.

    Returns:
        The rank, starting at 1, or 0 if the ranking has no gold id.
    """
    ranked = enumerate(dict.fromkeys(ranking), 1)
    return next((rank for rank, id in ranked if id in gold), 0)


def score_verification(gold: ArrayLike, predicted: ArrayLike) -> dict[str, float]:
    """Compute the accuracy, precision, recall and F1 of yes-or-no answers.

    Args:
        gold: The correct answers, shape `(rows,)`, as booleans.
        predicted: The system's answers, in the same shape.

    Returns:
        `accuracy`, and `precision`, `recall` and `f1` of "yes" (all 0..1; 0 when undefined), and
        the number of `rows`.

    Raises:
        InputError: If there are no rows.
    """
    truth: Flags = np.asarray(gold, dtype=bool)
    answer: Flags = np.asarray(predicted, dtype=bool)
    if len(truth) == 0:
        raise InputError("There are no rows to score.")
    true_positives = int((truth & answer).sum())
    predicted_true, gold_true = int(answer.sum()), int(truth.sum())
    return {
        "accuracy": float((truth == answer).mean()),
        "precision": true_positives / predicted_true if predicted_true else 0.0,
        "recall": true_positives / gold_true if gold_true else 0.0,
        "f1": 2 * true_positives / (predicted_true + gold_true)
        if predicted_true + gold_true
        else 0.0,
        "rows": len(truth),
    }


TAILS = [0.025, 0.975]


class Interval(NamedTuple):
    """A confidence interval.

    Attributes:
        low: The lower end.
        high: The upper end.
    """

    low: float
    high: float


def bootstrap_intervals(
    statistic: Callable[[Ints], dict[str, float]],
    rows: int,
    resamples: int = 1000,
    seed: int = 0,
) -> dict[str, Interval]:
    """Compute 95 % bootstrap intervals of named scores.

    They are percentile intervals with a correction for bias. A resample has fewer classes than the
    set, which shifts a mean over classes by several points. The intervals are therefore shifted so
    that the mean of the resamples equals the value of the set itself.

    Args:
        statistic: Function that takes an array of row numbers and returns scores (0..1) by name.
        rows: Number of rows. A resample draws as many from 0..rows-1, with replacement.
        resamples: Number of resamples. With 0, no intervals are computed.
        seed: Random seed. The same seed gives the same intervals.

    Returns:
        A mapping from each score's name to its interval, within 0..1.
    """
    if not resamples:
        return {}
    random = np.random.default_rng(seed)
    resampled = [statistic(random.integers(0, rows, rows)) for _ in range(resamples)]
    intervals = {}
    for name, value in statistic(np.arange(rows)).items():
        values = np.array([scores[name] for scores in resampled])
        shifted = np.quantile(values, TAILS) - values.mean() + value
        intervals[name] = Interval(*map(float, np.clip(shifted, 0.0, 1.0)))
    return intervals


EDGES = (0.25, 0.5, 0.75)
INTERVALS = ("[0, .25)", "[.25, .5)", "[.5, .75)", "[.75, 1]")
QUARTILES = ("first", "second", "third", "fourth")
ROUNDING = 1e-9  # a cosine of 0.75 may be computed slightly lower


def by_interval(similarity: ArrayLike) -> dict[str, Ints]:
    """Group rows by the interval (out of four) that their similarity lies in.

    Args:
        similarity: Cosine similarity of each row, shape `(rows,)`.

    Returns:
        The row numbers of each of `INTERVALS`, ascending.
    """
    interval = np.searchsorted(EDGES, np.asarray(similarity) + ROUNDING, side="right")
    return {name: np.flatnonzero(interval == number) for number, name in enumerate(INTERVALS)}


def by_quartile(similarity: ArrayLike) -> dict[str, Ints]:
    """Divide rows into quarters, from the least to the most similar.

    Rows with the same similarity keep their order. The sizes of the quarters differ by at most one.

    Args:
        similarity: Similarity of each row, shape `(rows,)`.

    Returns:
        The row numbers of each of `QUARTILES`, ascending.
    """
    order = np.argsort(np.asarray(similarity), kind="stable")
    parts = np.array_split(order, len(QUARTILES))
    return {name: np.sort(part) for name, part in zip(QUARTILES, parts, strict=True)}


def expected_calibration_error(confidence: ArrayLike, right: ArrayLike, bins: int = 15) -> float:
    """Compute the expected calibration error (Guo et al. 2017).

    It is the mean difference between confidence and accuracy in bins of equal width, weighted by
    the number of rows.

    Args:
        confidence: Probability of each answer, shape `(rows,)`, in 0..1.
        right: Whether each answer is correct, in the same shape.
        bins: Number of bins.

    Returns:
        The error, in 0..1.

    Raises:
        InputError: If the lengths differ, there are no rows, or a confidence is outside 0..1.
    """
    sure, correct = np.asarray(confidence, dtype=np.float64), np.asarray(right, dtype=np.float64)
    if sure.shape != correct.shape or sure.ndim != 1:
        raise InputError(f"Got {sure.shape} confidences for {correct.shape} answers.")
    if len(sure) == 0:
        raise InputError("There are no rows to score.")
    if not ((sure >= 0) & (sure <= 1)).all():
        raise InputError("Confidences must be between 0 and 1.")
    # Bins exclude their lower and include their upper end (Guo et al. 2017); 0 is in the first.
    bin_numbers = np.clip(np.ceil(sure * bins).astype(np.int64) - 1, 0, bins - 1)
    gap = np.bincount(bin_numbers, weights=sure - correct, minlength=bins)
    return float(np.abs(gap).sum() / len(sure))
