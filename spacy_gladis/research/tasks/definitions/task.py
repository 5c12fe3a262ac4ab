"""Definitions in abstracts: exact pairs of acronym and long form (Sohn et al. 2008)."""

from collections.abc import Sequence

from ....arrays import Ints
from ...datasets.bioc import Pair
from ..spans import SpanCounts
from ..task import Measured, Task
from .data import BioCSets, DefinitionData
from .system import SYSTEMS


def measure(data: DefinitionData, answers: Sequence[set[Pair]]) -> Measured:
    """Measure precision, recall and F1 of (acronym, long form) pairs.

    A pair is correct if both strings are exactly equal, and counts once in a document.

    Args:
        data: The data set to evaluate on.
        answers: The pairs that a system found in each document.

    Returns:
        The scores, with documents as rows.
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
