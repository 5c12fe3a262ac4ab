"""Linking of phrases to concepts, scored by the gold concept's rank (Basaldella et al. 2020)."""

from collections.abc import Sequence

import numpy as np

from ....arrays import Ints
from ...metrics.scores import gold_rank, rates, score_linking
from ..task import Measured, Task, group_rows
from .data import LinkedPhrases, LinkingData
from .system import SYSTEMS, Ranking


def measure(data: LinkingData, answers: Sequence[Ranking]) -> Measured:
    """Measure Acc@1, Acc@10 and the mean reciprocal rank.

    Any of a phrase's concepts is correct. A phrase whose concepts are all outside the inventory
    counts as a miss.

    Args:
        data: The data set to evaluate on.
        answers: For each phrase, its concepts with their scores, best first.

    Returns:
        The scores, also for groups of phrases.
    """
    inventory, gold, groups = data.gold
    pairs = zip(answers, gold, strict=True)
    ranks = np.array([gold_rank([concept for concept, _ in row], right) for row, right in pairs])

    def statistic(rows: Ints) -> dict[str, float]:
        return rates(score_linking(ranks[rows]))

    records = [
        {"prediction": inventory.concept(row[0][0]).id if row else None, "rank": int(rank)}
        for row, rank in zip(answers, ranks, strict=True)
    ]
    return Measured(len(ranks), statistic, records, {"phrases": group_rows(statistic, groups)})


COMETA = Task(
    "cometa",
    LinkedPhrases,
    measure,
    SYSTEMS,
    {"Acc@1": "accuracy_at_1", "Acc@10": "accuracy_at_10", "MRR": "mrr"},
)

TASKS = {task.name: task for task in (COMETA,)}
