"""A system's predictions for a test set, scored on any part of it."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, TypeVar

from ...arrays import Ints
from ...errors import FormatError
from ...metrics.disambiguation import encode_classes, score_classes
from ...metrics.identification import (
    IdentificationScores,
    score_labels,
    score_offsets,
)
from ..datasets.files import Record, first_line, json_records, text_lines
from ..datasets.sciai import read_sciai, read_sdu22
from ..datasets.wic_tsv import labels_of, read_questions
from ..metrics.scores import rates, score_linking, score_verification
from . import formats
from .formats import BROKEN, Item, Reader, reader_of
from .run import Score

T = TypeVar("T")
Scores = dict[str, float]

ANSWER_KEYS = ("prediction", "predicted", "long_form", "long_term", "expansion", "label")
ID_KEYS = ("id", "ID", "index")


def score_predictions(test: Path, predictions: Path) -> Score:
    """The metrics of any rows of `test`, as its task scores them.

    Disambiguation sets (GLADIS, SciAD, SDU-22, samples): one long form a row, as plain lines or as
    JSON records with `prediction`. Linked phrases (samples without acronyms): records with `rank`,
    that of the right concept. SciAI, SDU-22 extraction: records with the set's own keys
    (SciAI's labels may be called `predictions`); WiC-TSV labels: a file in the format of the set
    itself. Records that carry the ids of the set are matched by id, all others by order.

    Raises FormatError where the test set has no such task, or the predictions do not fit it.
    """
    reader = reader_of(test)
    if reader not in SCORERS:
        raise FormatError(
            f"{test} ({reader.__name__}) cannot be scored by an audit: predictions are read for "
            "disambiguation sets, SciAI, SDU-22 and WiC-TSV."
        )
    try:
        return SCORERS[reader](test, predictions)
    except FormatError:
        raise
    except BROKEN as error:
        raise FormatError(f"{predictions} holds no predictions for {test}: {error!r}.") from error


def _disambiguation(test: Path, predictions: Path) -> Score:
    items = list(reader_of(test)(test))
    if not any(item.pairs for item in items):
        return _linking(items, predictions)
    if any(len(item.pairs) != 1 for item in items):
        raise FormatError(f"{test}: a row without one acronym and its long form.")
    if first_line(predictions).lstrip()[:1] in ("[", "{"):
        answers = _aligned(list(json_records(predictions)), [one.id for one in items], predictions)
        predicted = [_answer(record, predictions) for record in answers]
    else:
        predicted = list(text_lines(predictions))
        _check_count(predicted, items, predictions)
    codes = encode_classes([item.pairs[0][1] for item in items], predicted)
    return lambda rows: rates(asdict(score_classes(codes, rows)))


def _linking(items: Sequence[Item], predictions: Path) -> Score:
    answers = _aligned(list(json_records(predictions)), [one.id for one in items], predictions)
    ranks = [int(record["rank"]) for record in answers]
    return lambda rows: rates(score_linking([ranks[row] for row in rows]))


def _sciai(test: Path, predictions: Path) -> Score:
    gold = read_sciai(test).sentences
    found = _aligned(list(json_records(predictions)), [one.id for one in gold], predictions)
    predicted = [one["predictions"] if "predictions" in one else one["labels"] for one in found]
    labels = [one.labels for one in gold]
    _check_labels(labels, predicted, predictions)
    return _scorer(lambda one, other: _by_kind(score_labels(one, other)), labels, predicted)


def _offsets(test: Path, predictions: Path) -> Score:
    gold = read_sdu22(test).paragraphs
    records = _aligned(list(json_records(predictions)), [one.id for one in gold], predictions)
    found = [(_spans(one["acronyms"]), _spans(one["long-forms"])) for one in records]
    return _scorer(
        lambda one, other: _by_kind(score_offsets(one, other)),
        [(one.short, one.long) for one in gold],
        found,
    )


def _spans(pairs: Iterable[tuple[int, int]]) -> set[tuple[int, int]]:
    return {(int(start), int(end)) for start, end in pairs}


def _verification(test: Path, predictions: Path) -> Score:
    gold = labels_of(read_questions(test), "test")
    words = [line.strip().upper() for line in text_lines(predictions)]
    if set(words) - {"T", "F"}:
        raise FormatError(f"{predictions}: a line that is neither T nor F.")
    _check_count(words, gold, predictions)
    return _scorer(
        lambda one, other: rates(score_verification(one, other)),
        gold,
        [word == "T" for word in words],
    )


SCORERS: dict[Reader, Callable[[Path, Path], Score]] = {
    formats.disambiguation: _disambiguation,
    formats.gladis_pretraining: _disambiguation,
    formats.samples: _disambiguation,
    formats.sciai: _sciai,
    formats.sdu22_extraction: _offsets,
    formats.wic_tsv: _verification,
}


def _scorer(
    metric: Callable[[list[T], list[T]], Scores], gold: Sequence[T], predicted: Sequence[T]
) -> Score:
    """`metric` of some rows."""

    def score(rows: Ints) -> Scores:
        return metric([gold[row] for row in rows], [predicted[row] for row in rows])

    return score


def _aligned(records: list[Record], ids: list[str], path: Path) -> list[Record]:
    """The records in the order of `ids`: by their own ids if those are the set's, else as given."""
    _check_count(records, ids, path)
    own = [next((str(one[key]) for key in ID_KEYS if key in one), "") for one in records]
    if set(own) == set(ids) and len(set(ids)) == len(ids):
        by_id = dict(zip(own, records, strict=True))
        return [by_id[one] for one in ids]
    return records


def _answer(record: Record, path: Path) -> str | None:
    for key in ANSWER_KEYS:
        if key in record:
            return None if record[key] is None else str(record[key])
    raise FormatError(f"{path}: a record without 'prediction': {sorted(record)}.")


def _check_count(found: Sequence[Any], gold: Sequence[Any], path: Path) -> None:
    if len(found) != len(gold):
        raise FormatError(f"{path} holds {len(found):,} predictions for {len(gold):,} rows.")


def _check_labels(gold: list[list[str]], predicted: list[list[str]], path: Path) -> None:
    for row, (one, other) in enumerate(zip(gold, predicted, strict=True)):
        if len(one) != len(other):
            raise FormatError(f"{path}, item {row + 1}: {len(other)} labels for {len(one)} tokens.")


def _by_kind(scores: IdentificationScores) -> Scores:
    return {
        f"{kind}_{name}": value
        for kind in ("macro", "short", "long")
        for name, value in getattr(scores, kind)._asdict().items()
    }
