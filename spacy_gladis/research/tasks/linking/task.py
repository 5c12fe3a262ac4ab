"""The task `cometa`: link phrases to concepts, scored by the rank of the gold concept.

The metrics are those of COMETA (Basaldella et al. 2020).
"""

from collections.abc import Sequence

import numpy as np

from ....arrays import Ints
from ...metrics.scores import gold_rank, rates, score_linking
from ..task import Measured, Task, group_rows
from .data import LinkedPhrases, LinkingData
from .system import SYSTEMS, Ranking


def measure(data: LinkingData, answers: Sequence[Ranking]) -> Measured:
    """Measure how high a system ranks the gold concepts of phrases.

    The metrics are the accuracy of the first concept (Acc@1), the accuracy of the first ten
    (Acc@10) and the mean reciprocal rank (MRR). Systems return at most ten concepts (`DEPTH`), so a
    gold concept beyond them counts as 0 in the MRR. The authors' program ranks all concepts. If a
    phrase has several gold concepts, any of them is correct. If none of them is in the inventory,
    the phrase counts as wrong.

    Args:
        data: Data set with the gold concepts of each phrase.
        answers: The system's ranking of concepts for each phrase, in the order of the phrases.

    Returns:
        The scores on all phrases and on groups of phrases, with phrases as rows.
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
