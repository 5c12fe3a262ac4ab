"""Runs systems on sets, scores their answers and shows them as tables."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ....arrays import Doubles, Flags, Ints
from ....dictionary import Candidate, Dictionary
from ....errors import InputError, check_names
from ....metrics.disambiguation import ClassCodes, encode_classes, score_classes
from ....text import merge_key
from ...datasets.files import Record, write_answers
from ...datasets.sample import Sample
from ...metrics.scores import Interval, bootstrap_intervals, expected_calibration_error, rates
from ...report.tables import Columns, Table
from ..systems.acrobert import AcroBERTScorer
from ..systems.bert import NextSentenceScorer
from ..systems.counting import FirstCandidate, Popularity
from ..systems.protocol import Baseline
from .sets import (
    NO_CANDIDATES,
    NO_GOLD,
    NO_MENTION,
    Counts,
    EvaluationSet,
    informative,
    named,
    read_sets,
    with_counts,
)

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
    answer's score, `right` whether it is the gold one. `probabilities`: whether all scores can be
    read as such. `seconds`: spent in the system.
    """

    predicted: list[str | None]
    confidence: Doubles
    right: Flags
    probabilities: bool
    seconds: float


def ask(evaluation_set: EvaluationSet, scorer: CandidateScorer) -> Answers:
    """Put every row to `scorer`; of equal scores the first candidate's is the answer.

    A row without a mention or without candidates is not put to it and is answered wrong. Raises
    InputError when the scores do not fit the candidates.
    """
    rows = len(evaluation_set.samples)
    predicted: list[str | None] = [None] * rows
    confidence = np.zeros(rows)
    right = np.zeros(rows, dtype=bool)
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
            best = int(scores.argmax())
            right[row] = best == evaluation_set.gold[row]
            # Another spelling of the gold long form is an answer of the gold's own class.
            gold, chosen = evaluation_set.samples[row].long_form, options[best].long_form
            predicted[row] = gold if right[row] else chosen
            confidence[row] = scores[best]
            probabilities &= bool(scores.min() >= 0 and scores.sum() <= 1 + ROUNDING)
    return Answers(predicted, confidence, right, probabilities, seconds)


def as_records(answers: Answers) -> Iterator[Record]:
    """The answers as an audit reads them."""
    for prediction, confidence in zip(answers.predicted, answers.confidence.tolist(), strict=True):
        yield {"prediction": prediction, "confidence": confidence}


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
        "intervals": intervals(codes, len(gold), resamples),
        "by_meaning": asdict(score_classes(meanings, everything)),
        "covered": scores(covered),
        "by_popularity": {name: scores(rows) for name, rows in by_popularity(popularity).items()},
        "confidence": {
            "expected_calibration_error": expected_calibration_error(
                np.minimum(answers.confidence, 1.0), answers.right
            )
            if answers.probabilities
            else None
        },
        "rows_per_second": len(gold) / answers.seconds if answers.seconds else None,
    }


def by_popularity(evaluation_set: EvaluationSet) -> dict[str, Ints]:
    """Ints by whether the gold long form has the largest count of its candidates (Table 7).

    Where the counts do not say (the gold shares the largest count, or is not a candidate) the row
    is "undecided".
    """
    kinds = []
    for options, gold in zip(evaluation_set.candidates, evaluation_set.gold, strict=True):
        counts = [candidate.total for candidate in options]
        if gold < 0 or not informative(options):
            kinds.append("undecided")
        elif counts[gold] < max(counts):
            kinds.append("overshadowed")
        else:
            kinds.append("popular" if counts.count(max(counts)) == 1 else "undecided")
    names = ("popular", "overshadowed", "undecided")
    return {name: np.flatnonzero(np.array(kinds) == name) for name in names}


def intervals(codes: ClassCodes, rows: int, resamples: int) -> dict[str, Interval]:
    """The bootstrap interval of each score of `rows` rows; codes: what `encode_classes` gave."""
    return bootstrap_intervals(
        lambda drawn: rates(asdict(score_classes(codes, drawn))), rows, resamples
    )


ACROBERT = "retriever"
SYSTEMS = ("first", "popularity", ACROBERT)
NEXT_SENTENCE = "nsp"


def evaluate(
    folder: Path,
    systems: Mapping[str, CandidateScorer],
    dictionary: Dictionary,
    *,
    counts: Counts = "dictionary",
    only: Collection[str] = (),
    resamples: int = 1000,
    progress: Callable[[str], None] = lambda _: None,
    predictions: Path | None = None,
    finished: Callable[[dict[str, Any]], None] = lambda _: None,
) -> dict[str, Any]:
    """Put every system to every set below `folder` and report; the JSON of a results file.

    `counts` says whose counts the systems see for a set that has its own dictionary; the other sets
    are put to `dictionary`. `only` names the sets wanted (part of the name is enough). `progress`
    is told what runs; `predictions` is a folder for every system's answers. `finished` is given the
    results so far when a set is done.
    Raises InputError where no set has such a name.
    """
    sets: dict[str, Any] = {}
    results = {"counts": counts, "dictionary": dictionary.fingerprint, "sets": sets}
    for one in named(read_sets(folder, dictionary), only):
        asked = with_counts(one, counts, dictionary)
        # Its own counts tell which long form is popular, if they say anything.
        own = any(map(informative, one.candidates))
        popularity = one if own else with_counts(one, "dictionary", dictionary)
        reports = {}
        for name, scorer in systems.items():
            progress(f"{one.name}: {name}")
            answers = ask(asked, scorer)
            write_answers(predictions, one.name, name, as_records(answers))
            reports[name] = report_of(asked, answers, popularity, resamples)
        used = counts if one.own_dictionary else "dictionary"
        sets[one.name] = {"set": describe(one), "counts": used, "systems": reports}
        finished(results)
    return results


def make_systems(
    names: Iterable[str],
    dictionary: Dictionary,
    model: Path | None = None,
    cache: Path | None = None,
) -> dict[str, CandidateScorer]:
    """The systems of these names; `all` stands for every one but `nsp`.

    `model` is a folder of AcroBERT's weights (None: the packaged ones), `cache` one for its vectors
    of long forms. With `nsp` among the names, `model` is the BERT with a next-sentence head to load
    (the published `acrobert.pt`, or a folder), and the others are those of the packaged weights.
    Raises InputError for an unknown name.
    """
    wanted = list(dict.fromkeys(names))
    check_names("system", wanted, ["all", *SYSTEMS, NEXT_SENTENCE])
    if "all" in wanted:
        wanted = [*SYSTEMS, *([NEXT_SENTENCE] if NEXT_SENTENCE in wanted else [])]
    ours = None if NEXT_SENTENCE in wanted else model
    makers: dict[str, Callable[[], Baseline]] = {
        "first": FirstCandidate,
        "popularity": Popularity,
        ACROBERT: lambda: AcroBERTScorer.load(ours, dictionary, cache),
        NEXT_SENTENCE: lambda: NextSentenceScorer.load(model),
    }
    return {name: makers[name]().predict for name in wanted}


SETS: Columns = {
    "rows": "set.rows",
    "acronyms": "set.acronyms",
    "candidates": lambda found: f"{found['set']['candidates_mean']:.1f}",
    "gold among them": "set.covered",
    "no mention": f"set.problems.{NO_MENTION}",
    "no candidates": f"set.problems.{NO_CANDIDATES}",
    "no gold": f"set.problems.{NO_GOLD}",
}
SCORES: Columns = {
    "accuracy": "scores.accuracy",
    "macro F1": "scores.gladis_macro_f1",
    "SDU F1": "scores.sdu_macro_f1",
    "sklearn F1": "scores.sklearn_macro_f1",
    "accuracy where covered": "covered.accuracy",
    "ECE": "confidence.expected_calibration_error",
    "rows/s": lambda one: one["rows_per_second"] and round(one["rows_per_second"]),
}
BY_POPULARITY: Columns = {
    f"{group}: {name}": f"by_popularity.{group}.{score}"
    for group in ("popular", "overshadowed")
    for name, score in (("accuracy", "accuracy"), ("macro F1", "gladis_macro_f1"))
}


def tables(results: dict[str, Any]) -> Iterator[Table]:
    """The sets; every system on them; its scores by the popularity of the gold (Table 7)."""
    sets = results["sets"].items()
    yield Table.of("Sets", ("set",), SETS, sets)
    systems = [(name, *system) for name, found in sets for system in found["systems"].items()]
    names = ("set", "system")
    title = f"Scores (macro F1: GLADIS's; counts: {results['counts']})"
    yield Table.of(title, names, SCORES, systems)
    yield Table.of("Popular and overshadowed long forms", names, BY_POPULARITY, systems)
