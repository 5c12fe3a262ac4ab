"""Does a system know when it is right: its calibration error."""

import numpy as np
from numpy.typing import ArrayLike

from ...errors import InputError


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
