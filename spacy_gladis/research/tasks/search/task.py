"""The task `search`: find the chunks of documents that contain the acronym of a query.

Chunks that contain the long form instead are relevant, too. The metrics are recall@10 and the mean
reciprocal rank.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from ....arrays import Doubles, Ints
from ..task import Measured, Task
from .data import DEEPEST, Documents, Ranking, Relevant, SearchData
from .system import SYSTEMS

RESULTS = 10
"""Number of results that are counted in the recall."""

SCORES = ("recall", "mrr", "other_recall")
"""Names of the scores that `score_ranking` returns, in this order."""


def score_ranking(ranking: Ranking, relevant: Relevant) -> tuple[float, float, float]:
    """Score the results of a single query.

    Recall@10 is the share of the relevant chunks that are among the first ten results. If there are
    more than ten relevant chunks, their number counts as ten, so that a recall of 1 is possible.

    Args:
        ranking: Indices of the chunks that were found, starting with the best.
        relevant: Indices of the relevant chunks.

    Returns:
        Three scores in 0..1: recall@10, the reciprocal rank of the first relevant chunk (0 if none
        was found), and recall@10 of the chunks that contain only the other spelling of the acronym.
    """
    first = next((n for n, c in enumerate(ranking[:DEEPEST], 1) if c in relevant.chunks), None)
    recalls = [
        len(wanted.intersection(ranking[:RESULTS])) / min(RESULTS, len(wanted))
        for wanted in relevant
    ]
    return recalls[0], 1 / first if first else 0.0, recalls[1]


def measure(data: SearchData, answers: Sequence[Ranking]) -> Measured:
    """Measure recall@10 and the mean reciprocal rank of a search system's results.

    Args:
        data: Data set with the queries and their relevant chunks.
        answers: Results of each query, as indices of chunks, in the order of the queries.

    Returns:
        The mean scores, with queries as rows.
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
