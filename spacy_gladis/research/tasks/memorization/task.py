"""Memorization vs. generalization in labelling texts and tokens (Elangovan et al. 2021)."""

from collections.abc import Sequence

import numpy as np

from ....arrays import Ints
from ....text import decode_bio
from ...leakage.run import nearest_by_ngrams
from ...metrics.scores import by_interval, rates, score_verification
from ..spans import SpanCounts
from ..task import Measured, Task, group_rows
from .data import MemorizationData, MemorizationSets, spans
from .system import SYSTEMS

POSITIVE = "1"
"""Label whose precision, recall and F1 are measured."""


def measure(data: MemorizationData, answers: Sequence[Sequence[str]]) -> Measured:
    """Measure precision, recall and F1 of exact spans, or of the texts with label "1".

    Spans are also grouped by their similarity to the annotations of the training part (Table 8).

    Args:
        data: The data set to evaluate on.
        answers: The labels of each text.

    Returns:
        The scores.
    """
    lines = [" ".join(labels) for labels in answers]
    if not data.gold.by_token:
        gold = np.array([labels[0] == POSITIVE for labels in data.gold.labels])
        predicted = np.array([labels[0] == POSITIVE for labels in answers])
        return Measured(
            len(gold), lambda rows: rates(score_verification(gold[rows], predicted[rows])), lines
        )
    gold_spans, answered = (
        [{(span.start, span.end, span.label) for span in decode_bio(labels)} for labels in part]
        for part in (data.gold.labels, answers)
    )
    counts = SpanCounts(gold_spans, answered)
    names = [t for row in zip(data.questions, data.gold.labels, strict=True) for t in spans(*row)]
    hits = np.array(
        [
            span in right
            for row, right in zip(gold_spans, answered, strict=True)
            for span in sorted(row)
        ]
    )
    similarity = nearest_by_ngrams(names, data.gold.annotations)[1].similarity

    def recall(rows: Ints) -> dict[str, float]:
        return {"recall": float(hits[rows].mean())}

    groups = {"similarity of annotations": group_rows(recall, by_interval(similarity))}
    return Measured(len(gold_spans), lambda rows: counts.score(rows)._asdict(), lines, groups)


MEMORIZATION = Task(
    "memorization",
    MemorizationSets,
    measure,
    SYSTEMS,
    {"F1": "f1", "precision": "precision", "recall": "recall", "accuracy": "accuracy"},
)

TASKS = {MEMORIZATION.name: MEMORIZATION}
