"""Target sense verification (WiC-TSV, EACL 2021): accuracy, and precision, recall, F1 of "true"."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ...arrays import Flags
from ...errors import InputError


@dataclass(frozen=True)
class VerificationScores:
    """Accuracy of both answers; precision, recall and F1 of "true", each 0 when undefined."""

    accuracy: float
    precision: float
    recall: float
    f1: float
    rows: int


def score_verification(gold: Sequence[bool], predicted: Sequence[bool]) -> VerificationScores:
    """Score yes-or-no answers; raises InputError for unequal lengths or nothing to score."""
    if len(gold) != len(predicted):
        raise InputError(f"{len(gold)} gold answers against {len(predicted)} predictions.")
    if len(gold) == 0:
        raise InputError("There are no rows to score: the set is empty.")
    truth: Flags = np.asarray(gold, dtype=bool)
    answer: Flags = np.asarray(predicted, dtype=bool)
    right = int((truth & answer).sum())
    said, true = int(answer.sum()), int(truth.sum())
    return VerificationScores(
        accuracy=float((truth == answer).mean()),
        precision=right / said if said else 0.0,
        recall=right / true if true else 0.0,
        f1=2 * right / (said + true) if said + true else 0.0,
        rows=len(truth),
    )
