"""Target sense verification: accuracy, precision, recall and F1 (Breit et al. 2021, WiC-TSV)."""

from collections.abc import Sequence

import numpy as np

from ....arrays import Ints
from ...metrics.scores import rates, score_verification
from ..task import Measured, Task, group_rows
from .data import VerificationData, WiCTSV
from .system import SYSTEMS


def measure(data: VerificationData, answers: Sequence[float]) -> Measured:
    """Measure yes-or-no answers; those of "yes" give precision, recall and F1.

    Where labels are not published there is nothing to measure; the answers can be kept.
    """
    said = np.array(answers) >= 0.5
    lines = ["T" if yes else "F" for yes in said]
    if None in data.gold.labels:
        return Measured(0, lambda _: {}, lines)
    gold = np.array(data.gold.labels, dtype=bool)

    def statistic(rows: Ints) -> dict[str, float]:
        return rates(score_verification(gold[rows], said[rows]))

    domains = np.array([one or "" for one in data.gold.domains])
    by_domain = {str(one): np.flatnonzero(domains == one) for one in np.unique(domains) if one}
    groups = {"domain": group_rows(statistic, by_domain)} if by_domain else {}
    return Measured(len(gold), statistic, lines, groups)


WIC_TSV = Task(
    "wic-tsv",
    WiCTSV,
    measure,
    SYSTEMS,
    {"accuracy": "accuracy", "precision": "precision", "recall": "recall", "F1": "f1"},
)

TASKS = {one.name: one for one in (WIC_TSV,)}
