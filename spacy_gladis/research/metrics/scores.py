"""Scores of concept linking and of target sense verification, and statistics of such scores.

Linking is scored as in COMETA (EMNLP 2020), and verification as in WiC-TSV (EACL 2021). The
statistics are bootstrap confidence intervals, the calibration error, and the division of a data
set's rows into groups by their similarity to the training data.
"""

from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from ...arrays import Doubles, Flags, Ints
from ...errors import InputError


def rates(scores: Mapping[str, Any]) -> dict[str, float]:
    """Select the scores that are rates, such as an accuracy, and leave out counts of rows.

    Args:
        scores: A mapping from names to scores. Rates are floats and counts are integers.

    Returns:
        A mapping from the names of the rates to their values, in the same order.
    """
    return {name: value for name, value in scores.items() if isinstance(value, float)}


def score_linking(ranks: Sequence[int] | Ints) -> dict[str, float]:
    """Compute the accuracy and the mean reciprocal rank of a system that links concepts.

    Args:
        ranks: Rank of each mention's gold concept in the system's ranking, shape ``(mentions,)``.
            1 is the best rank. 0 means that the ranking does not contain the gold concept.

    Returns:
        A mapping with the scores `accuracy_at_1`, `accuracy_at_10` and `mrr` (the mean reciprocal
        rank), all from 0 to 1, and the number of `mentions`.

    Raises:
        InputError: If `ranks` is empty.
    """
    rank: Doubles = np.asarray(ranks, dtype=np.float64)
    if len(rank) == 0:
        raise InputError("The data set has no mentions to score. Choose data with gold concepts.")
    reciprocal = np.divide(1.0, rank, out=np.zeros_like(rank), where=rank > 0)
    return {
        "accuracy_at_1": float((rank == 1).mean()),
        "accuracy_at_10": float(((rank >= 1) & (rank <= 10)).mean()),
        "mrr": float(reciprocal.mean()),
        "mentions": len(rank),
    }


def gold_rank(ranking: Sequence[Hashable], gold: Collection[Hashable]) -> int:
    """Return the rank of the first correct concept id in a system's ranking.

    Repetitions of an id are not counted, so that a concept with many names does not lower the ranks
    of other concepts. In the ranking ``["C1", "C1", "C2"]``, the id ``"C2"`` has rank 2.

    Args:
        ranking: Ids of concepts, the best one first. Ids may occur several times.
        gold: Ids of the correct concepts. A mention can have more than one.

    Returns:
        The rank of the first correct id, counted from 1, or 0 if the ranking has no correct id.
    """
    ranked = enumerate(dict.fromkeys(ranking), 1)
    return next((rank for rank, id in ranked if id in gold), 0)


def score_verification(gold: ArrayLike, predicted: ArrayLike) -> dict[str, float]:
    """Compute the accuracy, precision, recall and F1 of a system's yes-or-no answers.

    Args:
        gold: Whether "yes" is the correct answer for each row, as booleans of shape ``(rows,)``.
        predicted: Whether the system answered "yes" for each row, in the same shape and order.

    Returns:
        A mapping with the scores `accuracy`, `precision`, `recall` and `f1`, all from 0 to 1, and
        the number of `rows`. Precision, recall and F1 are those of the answer "yes". They are 0 if
        their denominator is 0.

    Raises:
        InputError: If `gold` is empty.
    """
    truth: Flags = np.asarray(gold, dtype=bool)
    answer: Flags = np.asarray(predicted, dtype=bool)
    if len(truth) == 0:
        raise InputError("The data set has no rows to score. Choose data with gold answers.")
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
    """A confidence interval of a score.

    Attributes:
        low: Lower end of the interval.
        high: Upper end of the interval.
    """

    low: float
    high: float


def bootstrap_intervals(
    statistic: Callable[[Ints], dict[str, float]],
    rows: int,
    resamples: int = 1000,
    seed: int = 0,
) -> dict[str, Interval]:
    """Compute the 95 % bootstrap confidence interval of each score of an evaluation.

    The intervals go from the 2.5th to the 97.5th percentile of the scores of random resamples. They
    are then shifted, so that the mean score of the resamples equals the score of the whole data
    set. Without this correction, macro averages would be off by several points, because a resample
    contains fewer classes than the data set.

    Args:
        statistic: Function that computes the scores of a selection of rows. It takes an array of
            row numbers and returns a mapping from names to scores from 0 to 1.
        rows: Number of rows of the data set. A resample has the same number of rows, which are
            drawn with replacement.
        resamples: Number of resamples. With 0, no intervals are computed.
        seed: Random seed. The same seed gives the same intervals.

    Returns:
        A mapping from the name of each score to its interval, cut off at 0 and 1. Empty if
        `resamples` is 0.
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
    """Divide the rows of a data set into four groups of equally wide ranges of similarity.

    A row with similarity 0.3 is in the group ``"[.25, .5)"``. Groups can be empty.

    Args:
        similarity: Cosine similarity of each row to the training data, from 0 to 1, of shape
            ``(rows,)``.

    Returns:
        A mapping from the name of each range, in ascending order, to the row numbers of its group.
        The row numbers are in ascending order.
    """
    interval = np.searchsorted(EDGES, np.asarray(similarity) + ROUNDING, side="right")
    return {name: np.flatnonzero(interval == number) for number, name in enumerate(INTERVALS)}


def by_quartile(similarity: ArrayLike) -> dict[str, Ints]:
    """Divide the rows of a data set into four groups of equal size, ordered by similarity.

    Unlike the ranges of `by_interval`, all four groups have the same number of rows, plus or minus
    one. Rows with the same similarity are assigned in row order.

    Args:
        similarity: Similarity of each row to the training data, shape ``(rows,)``.

    Returns:
        A mapping from ``"first"`` (the least similar rows) to ``"fourth"`` (the most similar rows)
        to the row numbers of the group, in ascending order.
    """
    order = np.argsort(np.asarray(similarity), kind="stable")
    parts = np.array_split(order, len(QUARTILES))
    return {name: np.sort(part) for name, part in zip(QUARTILES, parts, strict=True)}


def expected_calibration_error(confidence: ArrayLike, right: ArrayLike, bins: int = 15) -> float:
    """Compute the expected calibration error of a system's confidences (Guo et al. 2017).

    Answers are divided into bins by their confidence. The error is the mean absolute difference
    between the average confidence and the accuracy of a bin, weighted by its number of answers. It
    is 0 if, for example, 80 % of the answers with confidence 0.8 are right.

    Args:
        confidence: Confidence of each answer, a probability from 0 to 1, of shape ``(answers,)``.
        right: Whether each answer is correct, as booleans in the same shape and order.
        bins: Number of bins, which all have the same width.

    Returns:
        The error, from 0 (calibrated) to 1.

    Raises:
        InputError: If the shapes differ, there are no answers, or a confidence is not between 0
            and 1.
    """
    sure, correct = np.asarray(confidence, dtype=np.float64), np.asarray(right, dtype=np.float64)
    if sure.shape != correct.shape or sure.ndim != 1:
        raise InputError(
            f"Confidences have the shape {sure.shape}, but answers have {correct.shape}. Pass two "
            "one-dimensional arrays of the same length."
        )
    if len(sure) == 0:
        raise InputError("There are no answers to score. Pass at least one confidence.")
    if not ((sure >= 0) & (sure <= 1)).all():
        raise InputError(
            f"Confidences must be between 0 and 1, got values from {sure.min()} to {sure.max()}."
        )
    # Bins exclude their lower and include their upper end (Guo et al. 2017); 0 is in the first.
    bin_numbers = np.clip(np.ceil(sure * bins).astype(np.int64) - 1, 0, bins - 1)
    gap = np.bincount(bin_numbers, weights=sure - correct, minlength=bins)
    return float(np.abs(gap).sum() / len(sure))
