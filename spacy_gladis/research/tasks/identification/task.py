"""Identification of the acronyms and long forms of a text.

SciAI (Pouran Ben Veyseh et al. 2020) and the SDU shared tasks of AAAI 2021 and 2022.
"""

from collections.abc import Sequence

from ....arrays import Ints
from ....metrics.identification import with_f1
from ..spans import SpanCounts
from ..task import Measured, Task
from .data import IdentificationData, Prediction, SciAISets, SDU22Sets
from .system import SYSTEMS


def measure(data: IdentificationData, answers: Sequence[Prediction]) -> Measured:
    """Measure precision, recall and F1 of exact spans: of acronyms, of long forms and of both.

    The macro scores, which are the official ones, are means over acronyms and long forms, with the
    harmonic mean of the two as F1. The micro scores count a span once even where both kinds have
    it.

    Args:
        data: The data set to evaluate on.
        answers: Offsets of acronyms and long forms of each text.

    Returns:
        The scores, by kind and name.
    """
    read = [data.gold.read(answer, number) for number, answer in enumerate(answers)]
    predicted = [spans for spans, _ in read]
    of_short, of_long = (
        SpanCounts([spans[kind] for spans in data.gold.spans], [spans[kind] for spans in predicted])
        for kind in (0, 1)
    )
    both = SpanCounts(
        [short | long for short, long in data.gold.spans],
        [short | long for short, long in predicted],
    )

    def statistic(rows: Ints) -> dict[str, float]:
        prf_short, prf_long = of_short.score(rows), of_long.score(rows)
        precision = (prf_short.precision + prf_long.precision) / 2
        scores = {
            "macro": with_f1(precision, (prf_short.recall + prf_long.recall) / 2),
            "short": prf_short,
            "long": prf_long,
            "micro": both.score(rows),
        }
        return {
            f"{kind}_{name}": value
            for kind, score in scores.items()
            for name, value in score._asdict().items()
        }

    return Measured(len(answers), statistic, [record for _, record in read])


COLUMNS = {
    "macro F1": "macro_f1",
    **{
        f"{kind} {name}": f"{kind}_{score}"
        for kind in ("short", "long")
        for name, score in (("P", "precision"), ("R", "recall"), ("F1", "f1"))
    },
}

SCIAI = Task(
    "sciai",
    SciAISets,
    measure,
    SYSTEMS,
    COLUMNS,
)
SDU22 = Task(
    "sdu22-ae",
    SDU22Sets,
    measure,
    SYSTEMS,
    COLUMNS,
)

TASKS = {
    task.name: task
    for task in (
        SCIAI,
        SDU22,
    )
}
