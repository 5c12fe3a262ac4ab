"""Identification: which spans of a text are acronyms, and which are long forms?

SciAI (Pouran Ben Veyseh et al. 2020) and the SDU shared tasks of AAAI 2021 and 2022.
"""

from collections.abc import Sequence

from ....arrays import Ints
from ....metrics.identification import with_f1
from ..spans import SpanCounts
from ..task import Measured, Task
from .data import Found, IdentificationData, SciAISets, SDU22Sets
from .system import SYSTEMS


def measure(data: IdentificationData, answers: Sequence[Found]) -> Measured:
    """Measure precision, recall and F1 of exact spans, by kind and over both kinds.

    The macro scores are the means over acronyms and long forms, and their harmonic mean: the
    official score. A span counts once for the micro scores even where both kinds have it.
    """
    read = [data.gold.read(found, number) for number, found in enumerate(answers)]
    found = [spans for spans, _ in read]
    short, long = (
        SpanCounts([one[kind] for one in data.gold.spans], [one[kind] for one in found])
        for kind in (0, 1)
    )
    both = SpanCounts(
        [one | other for one, other in data.gold.spans], [one | other for one, other in found]
    )

    def statistic(rows: Ints) -> dict[str, float]:
        of_short, of_long = short.score(rows), long.score(rows)
        precision = (of_short.precision + of_long.precision) / 2
        scores = {
            "macro": with_f1(precision, (of_short.recall + of_long.recall) / 2),
            "short": of_short,
            "long": of_long,
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
    one.name: one
    for one in (
        SCIAI,
        SDU22,
    )
}
