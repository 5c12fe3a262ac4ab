"""The task `wic-tsv`: decide whether a word has a given sense in its context.

The data and the metrics are those of WiC-TSV (Breit et al. 2021).
"""

from collections.abc import Sequence

import numpy as np

from ....arrays import Ints
from ...metrics.scores import rates, score_verification
from ..task import Measured, Task, group_rows
from .data import VerificationData, WiCTSV
from .system import SYSTEMS


def measure(data: VerificationData, answers: Sequence[float]) -> Measured:
    """Measure the accuracy of a system's answers, and precision, recall and F1 of "yes".

    Args:
        data: Data set with the gold labels.
        answers: Probability that each target word has the sense, in the order of the questions. 0.5
            or more counts as "yes".

    Returns:
        The scores on all questions and on each domain. If the labels are not published, there are
        only the answers.
    """
    predicted = np.array(answers) >= 0.5
    lines = ["T" if yes else "F" for yes in predicted]
    if None in data.gold.labels:
        return Measured(0, lambda _: {}, lines)
    gold = np.array(data.gold.labels, dtype=bool)

    def statistic(rows: Ints) -> dict[str, float]:
        return rates(score_verification(gold[rows], predicted[rows]))

    domains = np.array([domain or "" for domain in data.gold.domains])
    by_domain = {str(name): np.flatnonzero(domains == name) for name in np.unique(domains) if name}
    groups = {"domain": group_rows(statistic, by_domain)} if by_domain else {}
    return Measured(len(gold), statistic, lines, groups)


WIC_TSV = Task(
    "wic-tsv",
    WiCTSV,
    measure,
    SYSTEMS,
    {"accuracy": "accuracy", "precision": "precision", "recall": "recall", "F1": "f1"},
)

TASKS = {task.name: task for task in (WIC_TSV,)}
