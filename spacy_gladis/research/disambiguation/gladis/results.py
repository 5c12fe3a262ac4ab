"""What is reported of a system on a set: GLADIS Tables 5 and 7, Figures 3 and A1, and beyond."""

from dataclasses import asdict
from typing import Any

import numpy as np

from ....arrays import Ints
from ....metrics.disambiguation import ClassCodes, encode_classes, score_classes
from ....rules import merge_key
from ...metrics.bootstrap import bootstrap_intervals
from ...metrics.calibration import expected_calibration_error, precision_at_coverage, risk_coverage
from .answers import Answers
from .sets import EvaluationSet, informative

PUBLISHED_ROWS = 201  # after which the published evaluation stops
CHUNKS = 10
SHORTLISTS = (1, 2, 4, 8, 16, 32, 64)
COVERAGES = tuple(tenth / 10 for tenth in range(1, 11))

Report = dict[str, Any]


def describe(evaluation_set: EvaluationSet) -> Report:
    """The set itself: its size, its candidates and the rows that cannot be answered."""
    sizes = np.array([len(options) for options in evaluation_set.candidates])
    return {
        "rows": len(evaluation_set.samples),
        "acronyms": len({sample.acronym for sample in evaluation_set.samples}),
        "candidates_mean": float(sizes.mean()),
        "candidates_max": int(sizes.max()),
        "own_dictionary": evaluation_set.own_dictionary,
        "covered": float(np.mean([index >= 0 for index in evaluation_set.gold])),
        "problems": dict(evaluation_set.problems),
    }


def report_of(
    evaluation_set: EvaluationSet,
    answers: Answers,
    popularity: EvaluationSet,
    resamples: int = 1000,
    seed: int = 0,
) -> Report:
    """Every figure of one system on one set, as JSON types.

    `popularity` is the set with the counts that say which candidate is the popular one; they
    need not be those that the system sees. `resamples` of 0 leaves the intervals out. By meaning,
    spellings of one merge key are one: some dictionaries hold a long form in two cases.
    """
    gold = [sample.long_form for sample in evaluation_set.samples]
    codes = encode_classes(gold, answers.predicted)
    meanings = encode_classes(
        [merge_key(name) for name in gold],
        [name and merge_key(name) for name in answers.predicted],
    )

    def scores(rows: Ints) -> Report | None:
        return asdict(score_classes(codes, rows)) if len(rows) else None

    everything = np.arange(len(gold))
    covered = np.flatnonzero(np.array(evaluation_set.gold) >= 0)
    return {
        "scores": scores(everything),
        "intervals": intervals(codes, len(gold), resamples, seed),
        "by_meaning": asdict(score_classes(meanings, everything)),
        "first_201": scores(everything[:PUBLISHED_ROWS]),
        "covered": scores(covered),
        "by_popularity": {name: scores(rows) for name, rows in by_popularity(popularity).items()},
        "by_candidates": [
            {"candidates": size, "scores": scores(rows)}
            for size, rows in by_candidates(evaluation_set)
        ],
        "recall_at": {
            str(k): float(((answers.rank >= 1) & (answers.rank <= k)).mean()) for k in SHORTLISTS
        },
        "confidence": _confidence(answers),
        "rows_per_second": len(gold) / answers.seconds if answers.seconds else None,
    }


def by_popularity(evaluation_set: EvaluationSet) -> dict[str, Ints]:
    """Ints by whether the gold long form has the largest count of its candidates (Table 7).

    Where the counts do not say (the gold shares the largest count, or is not a candidate) the row
    is "undecided".
    """
    kinds = []
    for options, gold in zip(evaluation_set.candidates, evaluation_set.gold, strict=True):
        if gold < 0 or not informative(options):
            kinds.append("undecided")
            continue
        largest = max(candidate.total for candidate in options)
        if options[gold].total < largest:
            kinds.append("overshadowed")
        elif sum(candidate.total == largest for candidate in options) == 1:
            kinds.append("popular")
        else:
            kinds.append("undecided")
    every = np.array(kinds)
    return {
        kind: np.flatnonzero(every == kind) for kind in ("popular", "overshadowed", "undecided")
    }


def by_candidates(evaluation_set: EvaluationSet) -> list[tuple[float, Ints]]:
    """Ten equal parts of the rows by their number of candidates, with the mean number of each."""
    sizes = np.array([len(options) for options in evaluation_set.candidates])
    parts = np.array_split(np.argsort(sizes, kind="stable"), CHUNKS)
    return [(float(sizes[part].mean()), part) for part in parts if len(part)]


def intervals(
    codes: ClassCodes, rows: int, resamples: int, seed: int = 0
) -> dict[str, list[float]]:
    """The bootstrap interval of each score of `rows` rows; none for 0 resamples.

    codes: what `encode_classes` gave.
    """

    def scores(drawn: Ints) -> dict[str, float]:
        found = asdict(score_classes(codes, drawn))
        return {name: value for name, value in found.items() if isinstance(value, float)}

    if not resamples:
        return {}
    found = bootstrap_intervals(scores, rows, resamples, seed=seed)
    return {name: list(interval) for name, interval in found.items()}


def _confidence(answers: Answers) -> Report:
    curve = risk_coverage(answers.confidence, answers.right)
    precision = precision_at_coverage(answers.confidence, answers.right, COVERAGES)
    error = None
    if answers.probabilities:
        error = expected_calibration_error(np.minimum(answers.confidence, 1.0), answers.right)
    return {
        "expected_calibration_error": error,
        "area_under_risk_coverage": curve.area,
        "precision_at_coverage": dict(zip(map(str, COVERAGES), precision, strict=True)),
    }
