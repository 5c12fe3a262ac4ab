"""Asking a system: every row's candidates scored, and what follows from the scores."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ....arrays import Doubles, Flags, Ints
from ....dictionary import Candidate
from ....errors import InputError
from ...datasets.answers import Record
from ...datasets.sample import Sample
from .sets import EvaluationSet

BATCH = 256  # rows a call
ROUNDING = 1e-4  # that a sum of 32-bit probabilities may exceed 1 by

CandidateScorer = Callable[
    [Sequence[Sample], Sequence[Sequence[Candidate]]], Sequence[NDArray[Any]]
]
"""Samples and their candidates to one score a candidate (a baseline's `predict`, for instance)."""


@dataclass(frozen=True)
class Answers:
    """What a system answered, row by row.

    `predicted` is the long form it chose (None where it could not be asked), `confidence` that
    answer's score, `rank` the gold long form's position in its ranking from 1 (0: not ranked).
    `probabilities`: whether all scores can be read as such. `seconds`: spent in the system.
    """

    predicted: list[str | None]
    confidence: Doubles
    rank: Ints
    probabilities: bool
    seconds: float

    @property
    def right(self) -> Flags:
        """Whether each row's answer is the gold one."""
        return np.asarray(self.rank == 1)


def ask(
    evaluation_set: EvaluationSet,
    scorer: CandidateScorer,
    progress: Callable[[int], None] = lambda _: None,
) -> Answers:
    """Put every row to `scorer` and rank its candidates; equal scores keep the candidates' order.

    A row without a mention or without candidates is not put to it and is answered wrong. Raises
    InputError when the scores do not fit the candidates.
    """
    rows = len(evaluation_set.samples)
    predicted: list[str | None] = [None] * rows
    confidence = np.zeros(rows)
    rank = np.zeros(rows, dtype=np.int64)
    probabilities, seconds = True, 0.0
    askable = [
        row
        for row, sample in enumerate(evaluation_set.samples)
        if sample.start < sample.end and evaluation_set.candidates[row]
    ]
    for first in range(0, len(askable), BATCH):
        batch = askable[first : first + BATCH]
        # The answer is taken out: no system can look at it.
        samples = [evaluation_set.samples[row]._replace(long_form="") for row in batch]
        candidates = [evaluation_set.candidates[row] for row in batch]
        begin = perf_counter()
        scored = scorer(samples, candidates)
        seconds += perf_counter() - begin
        for row, options, given in zip(batch, candidates, scored, strict=True):
            scores = np.asarray(given, dtype=np.float64)
            if scores.shape != (len(options),) or np.isnan(scores).any():
                raise InputError(
                    f"Row {row + 1}: the system gave scores of shape {scores.shape} for "
                    f"{len(options)} candidates, or one that is not a number."
                )
            order = np.argsort(-scores, kind="stable")
            gold = evaluation_set.gold[row]
            best = options[order[0]].long_form
            # Another spelling of the gold long form is an answer of the gold's own class.
            is_gold = order[0] == gold
            predicted[row] = evaluation_set.samples[row].long_form if is_gold else best
            confidence[row] = scores[order[0]]
            rank[row] = 1 + int(np.flatnonzero(order == gold)[0]) if gold >= 0 else 0
            probabilities &= bool(scores.min() >= 0 and scores.sum() <= 1 + ROUNDING)
        progress(len(batch))
    return Answers(predicted, confidence, rank, probabilities, seconds)


def as_records(answers: Answers) -> Iterator[Record]:
    """The answers as an audit reads them."""
    for prediction, confidence in zip(answers.predicted, answers.confidence.tolist(), strict=True):
        yield {"prediction": prediction, "confidence": confidence}
