"""The tasks `sciai` and `sdu22-ae`: mark the acronyms and long forms in texts.

The data are SciAI (Pouran Ben Veyseh et al. 2020) and those of the SDU shared tasks at AAAI 2021
and 2022.
"""

from collections.abc import Sequence

from ....arrays import Ints
from ....metrics.identification import with_f1
from ..spans import SpanCounts
from ..task import Measured, Task
from .data import IdentificationData, Prediction, SciAISets, SDU22Sets
from .system import SYSTEMS


def measure(data: IdentificationData, answers: Sequence[Prediction]) -> Measured:
    """Measure precision, recall and F1 of the acronyms and long forms that a system marked.

    A span is correct if its start and end are exactly those of a gold span. Acronyms and long forms
    are scored separately ("short" and "long") and together:

    - "macro", the official score, is the mean precision and the mean recall of the two kinds. Its
      F1 is the harmonic mean of these means. In Table 2 of the SciAI paper, this holds for ADE and
      UAD. The macro F1 of NOA and LNCRF is the mean of the two F1s, and that of BIOADI is neither.
    - "micro" counts the spans of both kinds together. A span that is marked as both counts once.

    Args:
        data: Data set with the gold spans of each text.
        answers: Predicted spans of each text, in the order of the texts.

    Returns:
        The scores by kind and name, such as "macro_f1", with texts as rows.
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
