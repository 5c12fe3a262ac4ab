"""The tasks `gladis` and `ad`: choose the long form that an acronym has in its context.

`gladis` evaluates systems without training, on whole data sets (Chen et al. 2023). `ad` divides
each data set and trains the systems on one part of it (Pouran Ben Veyseh et al. 2020).
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass

import numpy as np

from ....arrays import Doubles, Flags, Ints
from ....errors import InputError
from ....metrics.disambiguation import encode_classes, score_classes
from ....text import merge_key
from ...metrics.scores import expected_calibration_error, rates
from ..task import Measured, Task, group_rows
from .data import DisambiguationData, DividedSets, WholeSets, askable
from .robustness import by_candidates, by_popularity
from .sets import EvaluationSet
from .system import SYSTEMS

ROUNDING = 1e-4
"""Tolerance by which the sum of probabilities in float32 may exceed 1."""


def measure(data: DisambiguationData, answers: Sequence[Doubles]) -> Measured:
    """Measure the accuracy and the macro-averaged F1 of a system's disambiguation.

    Rows without a mention or without candidates count as wrong. The expected calibration error is
    also computed if all scores are probabilities.

    Args:
        data: Data set with the right long forms.
        answers: The scores that the system gave to the candidates of each question, in the order of
            the questions. If several candidates share the largest score, the first one counts.

    Returns:
        The scores on the whole data set and on groups of different difficulty, with samples as
        rows.
    """
    evaluation_set, popularity = data.gold
    chosen = choose(evaluation_set, answers)
    gold = [sample.long_form for sample in evaluation_set.samples]
    codes = encode_classes(gold, chosen.predicted)
    # Some dictionaries contain two spellings of a long form. Here, both are the same class.
    meanings = encode_classes(
        [merge_key(name) for name in gold],
        [name and merge_key(name) for name in chosen.predicted],
    )

    def statistic(rows: Ints) -> dict[str, float]:
        return rates(asdict(score_classes(codes, rows)))

    def by_meaning(rows: Ints) -> dict[str, float]:
        return rates(asdict(score_classes(meanings, rows)))

    covered = np.flatnonzero(np.array(evaluation_set.gold) >= 0)
    groups = {
        "popularity": group_rows(statistic, by_popularity(popularity)),
        "number of candidates": group_rows(statistic, by_candidates(evaluation_set)),
        "what counts": {
            **group_rows(statistic, {"rows with the gold among the candidates": covered}),
            **group_rows(by_meaning, {"any spelling is right": np.arange(len(gold))}),
        },
    }
    error = None
    if chosen.probabilities:
        sure = np.minimum(chosen.confidence, 1.0)
        error = expected_calibration_error(sure, chosen.right)
    pairs = zip(chosen.predicted, chosen.confidence.tolist(), strict=True)
    return Measured(
        len(gold),
        statistic,
        [{"prediction": answer, "confidence": confidence} for answer, confidence in pairs],
        groups,
        {"expected_calibration_error": error},
    )


@dataclass
class Choices:
    """The long forms that a system chose for the rows of an evaluation set.

    Attributes:
        predicted: Chosen long form of each row. None for rows that cannot be answered.
        confidence: Score of the chosen long form, float64 [rows]. 0 for rows that cannot be
            answered.
        right: Whether the chosen candidate is the right one, bool [rows].
        probabilities: Whether the scores of every row can be read as probabilities: none is
            negative, and their sum is at most 1.
    """

    predicted: list[str | None]
    confidence: Doubles
    right: Flags
    probabilities: bool = True


def choose(evaluation_set: EvaluationSet, answers: Sequence[Doubles]) -> Choices:
    """Choose the candidate with the largest score in each row of an evaluation set.

    Args:
        evaluation_set: The rows with their candidates and right answers.
        answers: A system's scores of the candidates, one array [candidates] for each row that can
            be answered.

    Returns:
        The chosen long forms of all rows.

    Raises:
        InputError: If a row's scores are not as many as its candidates, or one is not a number.
    """
    rows = len(evaluation_set.samples)
    choices = Choices([None] * rows, np.zeros(rows), np.zeros(rows, dtype=bool))
    for row, answer in zip(askable(evaluation_set), answers, strict=True):
        options = evaluation_set.candidates[row]
        scores = np.asarray(answer, dtype=np.float64)
        if scores.shape != (len(options),) or np.isnan(scores).any():
            raise InputError(
                f"Row {row + 1} has {len(options)} candidates, but the system gave scores of shape "
                f"{scores.shape}, or a score that is not a number."
            )
        best = int(scores.argmax())
        choices.right[row] = best == evaluation_set.gold[row]
        # The right candidate may be spelled differently from the gold long form.
        gold, chosen = evaluation_set.samples[row].long_form, options[best].long_form
        choices.predicted[row] = gold if choices.right[row] else chosen
        choices.confidence[row] = scores[best]
        choices.probabilities &= bool(scores.min() >= 0 and scores.sum() <= 1 + ROUNDING)
    return choices


COLUMNS = {
    "accuracy": "accuracy",
    "F1 (GLADIS)": "gladis_macro_f1",
    "P (SDU)": "sdu_macro_precision",
    "R (SDU)": "sdu_macro_recall",
    "F1 (SDU)": "sdu_macro_f1",
    "F1 (sklearn)": "sklearn_macro_f1",
    "ECE": "expected_calibration_error",
}

GLADIS = Task(
    "gladis",
    WholeSets,
    measure,
    SYSTEMS,
    COLUMNS,
)
AD = Task(
    "ad",
    DividedSets,
    measure,
    SYSTEMS,
    COLUMNS,
)

TASKS = {task.name: task for task in (GLADIS, AD)}
