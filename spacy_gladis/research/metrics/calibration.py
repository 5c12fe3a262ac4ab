"""Does a system know when it is right: calibration error, precision at coverage."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from ...arrays import Doubles
from ...errors import InputError


def expected_calibration_error(confidence: ArrayLike, right: ArrayLike, bins: int = 15) -> float:
    """Mean distance of confidence from accuracy over `bins` equally wide bins, weighted by rows.

    `confidence` holds the probability of each answer given (0..1), `right` whether it was correct.
    Raises InputError for unequal lengths, no rows or a confidence outside 0..1.
    """
    sure, correct = _checked(confidence, right)
    if sure.min() < 0 or sure.max() > 1:
        raise InputError("Confidences must be between 0 and 1.")
    # Bins are open below and closed above, as in Guo et al. 2017; 0 belongs to the first.
    place = np.clip(np.ceil(sure * bins).astype(np.int64) - 1, 0, bins - 1)
    gap = np.bincount(place, weights=sure - correct, minlength=bins)
    return float(np.abs(gap).sum() / len(sure))


def precision_at_coverage(
    confidence: ArrayLike, right: ArrayLike, coverages: Sequence[float]
) -> list[float]:
    """Share of right answers among the surest ones, as few as reach each coverage (0..1).

    Any kind of score is a confidence (larger is surer); rows of equal confidence are answered
    together or not at all.
    """
    sure, correct = _checked(confidence, right)
    order = np.argsort(-sure, kind="stable")
    sure, correct = sure[order], correct[order]
    last = np.flatnonzero(np.append(sure[1:] != sure[:-1], True))  # of each run of equal confidence
    precision = np.cumsum(correct)[last] / (last + 1)
    points = np.searchsorted((last + 1) / len(sure), np.asarray(coverages) - 1e-12)
    return [float(precision[point]) for point in points]


def _checked(confidence: ArrayLike, right: ArrayLike) -> tuple[Doubles, Doubles]:
    sure, correct = np.asarray(confidence, dtype=np.float64), np.asarray(right, dtype=np.float64)
    if sure.shape != correct.shape or sure.ndim != 1:
        raise InputError(f"{sure.shape} confidences against {correct.shape} answers.")
    if len(sure) == 0:
        raise InputError("There are no rows to score: the set is empty.")
    if not np.isfinite(sure).all():
        raise InputError("A confidence is not a number.")
    return sure, correct
