"""The task `memorization`: label texts or tokens, scored by similarity to the training part.

Elangovan et al. (2021) distinguish memorization from generalization in this way.
"""

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
    """Measure precision, recall and F1 of the labels that a system predicts.

    If tokens are labelled, the scores are those of exact spans. For BC2GM, this is stricter than
    the scorer of the original task, which also accepts alternative spans. The recall is also
    computed for groups of gold spans by their similarity to the annotations of the training part
    (Elangovan et al. 2021, Table 8). If whole texts are labelled, the scores are those of the label
    "1".

    Args:
        data: Data set with the gold labels.
        answers: Predicted labels of each text, in the order of the texts.

    Returns:
        The scores, with texts as rows.
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
