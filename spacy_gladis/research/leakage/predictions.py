"""A system's predictions for a test set, scored on any part of it."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from ...arrays import Ints
from ...errors import FormatError
from ...metrics.disambiguation import score_disambiguation
from ...metrics.identification import IdentificationScores, score_labels, score_offsets
from ..datasets.files import Record, first_line, json_records, text_lines
from ..datasets.sciai import read_sciai, read_sdu22
from ..datasets.wic_tsv import labels_of, read_questions
from ..metrics.scores import rates, score_linking, score_verification
from . import formats
from .formats import BROKEN, Item, Reader, reader_of
from .run import Score

Scores = dict[str, float]
Pairs = Iterable[tuple[Any, Any]]
"""Of each row the gold answer and the predicted one."""
Scorer = tuple[Pairs, Callable[[list[Any], list[Any]], Scores]]

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
        pairs, metric = SCORERS[reader](test, predictions)
        rows = list(pairs)
    except FormatError:
        raise
    except BROKEN as error:
        raise FormatError(f"{predictions} holds no predictions for {test}: {error!r}.") from error

    def score(wanted: Ints) -> Scores:
        gold, predicted = zip(*(rows[row] for row in wanted), strict=True)
        return metric(list(gold), list(predicted))

    return score


def _disambiguation(test: Path, predictions: Path) -> Scorer:
    items = list(reader_of(test)(test))
    if not any(item.pairs for item in items):
        return _linking(items, predictions)
    if any(len(item.pairs) != 1 for item in items):
        raise FormatError(f"{test}: a row without one acronym and its long form.")
    if first_line(predictions).lstrip()[:1] in ("[", "{"):
        records = _records(predictions, [one.id for one in items])
        predicted = [_answer(record, predictions) for record in records]
    else:
        predicted = list(text_lines(predictions))
        _check_count(predicted, items, predictions)
    pairs = zip((item.pairs[0][1] for item in items), predicted, strict=True)
    return pairs, lambda gold, found: rates(asdict(score_disambiguation(gold, found)))


def _linking(items: Sequence[Item], predictions: Path) -> Scorer:
    ranks = [int(one["rank"]) for one in _records(predictions, [one.id for one in items])]
    return zip(items, ranks, strict=True), lambda _, found: rates(score_linking(found))


def _sciai(test: Path, predictions: Path) -> Scorer:
    gold = read_sciai(test).sentences
    records = _records(predictions, [one.id for one in gold])
    predicted = [one["predictions"] if "predictions" in one else one["labels"] for one in records]
    for row, (one, other) in enumerate(zip(gold, predicted, strict=True), 1):
        if len(one.labels) != len(other):
            counts = f"{len(other)} labels for {len(one.labels)} tokens"
            raise FormatError(f"{predictions}, item {row}: {counts}.")
    pairs = zip((one.labels for one in gold), predicted, strict=True)
    return pairs, lambda gold, found: _by_kind(score_labels(gold, found))


def _offsets(test: Path, predictions: Path) -> Scorer:
    gold = read_sdu22(test).paragraphs
    records = _records(predictions, [one.id for one in gold])
    found = [(_spans(one["acronyms"]), _spans(one["long-forms"])) for one in records]
    pairs = zip(((one.short, one.long) for one in gold), found, strict=True)
    return pairs, lambda gold, found: _by_kind(score_offsets(gold, found))


def _spans(pairs: Iterable[tuple[int, int]]) -> set[tuple[int, int]]:
    return {(int(start), int(end)) for start, end in pairs}


def _verification(test: Path, predictions: Path) -> Scorer:
    gold = labels_of(read_questions(test), "test")
    words = [line.strip().upper() for line in text_lines(predictions)]
    if set(words) - {"T", "F"}:
        raise FormatError(f"{predictions}: a line that is neither T nor F.")
    _check_count(words, gold, predictions)
    pairs = zip(gold, (word == "T" for word in words), strict=True)
    return pairs, lambda gold, found: rates(score_verification(gold, found))


SCORERS: dict[Reader, Callable[[Path, Path], Scorer]] = {
    formats.disambiguation: _disambiguation,
    formats.gladis_pretraining: _disambiguation,
    formats.samples: _disambiguation,
    formats.sciai: _sciai,
    formats.sdu22_extraction: _offsets,
    formats.wic_tsv: _verification,
}


def _records(path: Path, ids: list[str]) -> Sequence[Record]:
    """The records in the order of `ids`: by their own ids if those are the set's, else as given."""
    records = list(json_records(path))
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


def _by_kind(scores: IdentificationScores) -> Scores:
    return {
        f"{kind}_{name}": value
        for kind in ("macro", "short", "long")
        for name, value in getattr(scores, kind)._asdict().items()
    }
