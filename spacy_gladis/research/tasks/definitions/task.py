"""The task `bioc`: find exact pairs of acronym and long form in abstracts (Sohn et al. 2008)."""

from collections.abc import Sequence

from ....arrays import Ints
from ...datasets.bioc import Pair
from ..spans import SpanCounts
from ..task import Measured, Task
from .data import BioCSets, DefinitionData
from .system import SYSTEMS


def measure(data: DefinitionData, answers: Sequence[set[Pair]]) -> Measured:
    """Measure precision, recall and F1 of the definitions that a system found.

    A definition is correct if its acronym and its long form are both spelled exactly as in the gold
    pair. Each pair counts once in a document.

    Args:
        data: Data set with the gold pairs of each document.
        answers: The (acronym, long form) pairs that the system found in each document, in the order
            of the documents.

    Returns:
        The micro-averaged scores, with documents as rows, and the numbers of predicted and correct
        pairs.
    """
    counts = SpanCounts(data.gold, answers)

    def statistic(rows: Ints) -> dict[str, float]:
        return counts.score(rows)._asdict()

    _, predicted, right = counts.counts.sum(0).tolist()
    records = [{"definitions": sorted(pairs)} for pairs in answers]
    return Measured(
        len(answers), statistic, records, figures={"predicted": predicted, "right": right}
    )


BIOC = Task(
    "bioc",
    BioCSets,
    measure,
    SYSTEMS,
    {"F1": "f1", "P": "precision", "R": "recall"},
)

TASKS = {task.name: task for task in (BIOC,)}
