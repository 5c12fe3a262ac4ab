"""Search: recall@10 and the mean reciprocal rank of chunks that speak of a query's acronym."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from ....arrays import Doubles, Ints
from ..task import Measured, Task
from .data import DEEPEST, Documents, Ranking, Relevant, SearchData
from .system import SYSTEMS

RESULTS = 10
"""Number of results that recall counts."""

SCORES = ("recall", "mrr", "other_recall")
"""The scores of `score_ranking`, in order."""


def score_ranking(ranking: Ranking, relevant: Relevant) -> tuple[float, float, float]:
    """Score the results of a query.

    Args:
        ranking: The results, best first.
        relevant: The right results.

    Returns:
        Recall@10, the reciprocal rank of the first relevant chunk, and recall@10 of the chunks
        with only the other spelling. Recall is divided by at most 10, so 1 can be reached.
    """
    first = next((n for n, c in enumerate(ranking[:DEEPEST], 1) if c in relevant.chunks), None)
    recalls = [
        len(wanted.intersection(ranking[:RESULTS])) / min(RESULTS, len(wanted))
        for wanted in relevant
    ]
    return recalls[0], 1 / first if first else 0.0, recalls[1]


def measure(data: SearchData, answers: Sequence[Ranking]) -> Measured:
    """Measure rankings.

    Args:
        data: The data set.
        answers: The ranking for each query.

    Returns:
        The scores, with queries as rows, also by collection.
    """
    scores: Doubles = np.array(
        [score_ranking(*pair) for pair in zip(answers, data.gold, strict=True)]
    )

    def statistic(rows: Ints) -> dict[str, float]:
        return dict(zip(SCORES, scores[rows].mean(0).tolist(), strict=True))

    records: list[dict[str, Any]] = [
        {
            "collection": data.training.collections[query.collection].name,
            "query": query.text,
            "relevant": len(relevant.chunks),
            "other": len(relevant.other),
            **{name: round(float(score), 4) for name, score in zip(SCORES, row, strict=True)},
        }
        for query, relevant, row in zip(data.questions, data.gold, scores, strict=True)
    ]
    return Measured(len(scores), statistic, records)


SEARCH = Task(
    "search",
    Documents,
    measure,
    SYSTEMS,
    {"recall@10": "recall", "MRR": "mrr", "other spelling@10": "other_recall"},
)

TASKS = {task.name: task for task in (SEARCH,)}
"""Searches of documents."""
