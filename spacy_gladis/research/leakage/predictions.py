"""A system's predictions for a test set, scored on any part of it."""

from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, TypeVar

from ...errors import FormatError
from ...metrics.disambiguation import encode_classes, score_classes
from ...metrics.identification import (
    PRF,
    IdentificationScores,
    precision_recall_f1,
    score_labels,
    score_offsets,
)
from ...metrics.verification import score_verification
from ...rules.bio import decode_bio
from . import formats
from .run import Score
from .raw import first_line, json_lines, load_json, text_lines
from .readers import reader_of
from .systems.ngrams import Ints

T = TypeVar("T")
Record = dict[str, Any]

ANSWER_KEYS = ("prediction", "predicted", "long_form", "long_term", "expansion", "label")
ID_KEYS = ("id", "ID", "index")


def score_predictions(test: Path, predictions: Path) -> Score:
    """The metrics of any rows of `test`, as its task scores them.

    Disambiguation sets (GLADIS, SciAD, SDU-22, samples): one long form a row, as plain lines or as
    JSON records with `prediction`. SciAI, SDU-22 extraction, IOB columns, WiC-TSV labels: a file in
    the format of the set itself (SciAI's labels may be called `predictions`). Records that carry
    the ids of the set are matched by id, all others by order.

    Raises FormatError where the test set has no such task, or the predictions do not fit it.
    """
    reader = reader_of(test)
    for readers, scorer in SCORERS:
        if reader in readers:
            return scorer(test, predictions)
    raise FormatError(
        f"{test} ({reader.__name__}) cannot be scored by an audit: predictions are read for "
        "disambiguation sets, SciAI, SDU-22, IOB columns and WiC-TSV."
    )


def _disambiguation(test: Path, predictions: Path) -> Score:
    items = list(reader_of(test)(test))
    if any(len(item.pairs) != 1 for item in items):
        raise FormatError(f"{test}: a row without one acronym and its long form.")
    gold = [item.pairs[0][1] for item in items]
    if first_line(predictions).lstrip()[:1] in ("[", "{"):
        answers = _aligned(_records(predictions), [item.id for item in items], predictions)
        predicted = [_answer(record, predictions) for record in answers]
    else:
        predicted = list(text_lines(predictions))
        _check_count(len(predicted), len(gold), predictions)
    codes = encode_classes(gold, predicted)
    return lambda rows: _shares(asdict(score_classes(codes, rows)))


def _sciai(test: Path, predictions: Path) -> Score:
    gold = load_json(test)
    found = _aligned(_records(predictions), [str(one["id"]) for one in gold], predictions)
    labels = [one["labels"] for one in gold]
    predicted = [one["predictions"] if "predictions" in one else one["labels"] for one in found]
    _check_labels(labels, predicted, predictions)
    return _parts(lambda one, other: _flat(score_labels(one, other)), labels, predicted)


def _offsets(test: Path, predictions: Path) -> Score:
    gold = load_json(test)
    found = _aligned(_records(predictions), [str(one["ID"]) for one in gold], predictions)
    return _parts(lambda one, other: _flat(score_offsets(one, other)), _spans(gold), _spans(found))


def _iob(test: Path, predictions: Path) -> Score:
    gold, predicted = _tag_sequences(test), _tag_sequences(predictions)
    _check_count(len(predicted), len(gold), predictions)
    _check_labels(gold, predicted, predictions)

    def spans(texts: Sequence[list[str]]) -> set[tuple[int, int, int, str]]:
        return {(row, *span) for row, tags in enumerate(texts) for span in decode_bio(tags)}

    return _parts(
        lambda one, other: _prf(precision_recall_f1(spans(one), spans(other))), gold, predicted
    )


def _verification(test: Path, predictions: Path) -> Score:
    labels = test.with_name(test.name.replace("_examples", "_labels"))
    if not labels.is_file():
        raise FormatError(f"{test} has no labels beside it ({labels.name}): it cannot be scored.")
    gold, predicted = _truths(labels), _truths(predictions)
    _check_count(len(predicted), len(gold), predictions)
    return _parts(
        lambda one, other: _shares(asdict(score_verification(one, other))), gold, predicted
    )


SCORERS: tuple[tuple[tuple[Any, ...], Callable[[Path, Path], Score]], ...] = (
    (
        (
            formats.gladis,
            formats.gladis_pretraining,
            formats.json_samples,
            formats.parquet_samples,
            formats.sciad,
            formats.sdu22_disambiguation,
        ),
        _disambiguation,
    ),
    ((formats.sciai,), _sciai),
    ((formats.sdu22_extraction,), _offsets),
    ((formats.iob,), _iob),
    ((formats.wic_tsv,), _verification),
)


def _parts(
    metric: Callable[[Sequence[T], Sequence[T]], dict[str, float]],
    gold: Sequence[T],
    predicted: Sequence[T],
) -> Score:
    """`metric` of some rows."""

    def score(rows: Ints) -> dict[str, float]:
        return metric([gold[row] for row in rows], [predicted[row] for row in rows])

    return score


def _records(path: Path) -> list[Record]:
    if first_line(path).lstrip().startswith("["):
        return load_json(path)
    return list(json_lines(path))


def _aligned(records: list[Record], ids: list[str], path: Path) -> list[Record]:
    """The records in the order of `ids`: by their own ids if those are the set's, else as given."""
    _check_count(len(records), len(ids), path)
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


def _spans(records: list[Record]) -> list[tuple[list[tuple[int, int]], list[tuple[int, int]]]]:
    def offsets(spans: list[list[int]]) -> list[tuple[int, int]]:
        return [(start, end) for start, end in spans]

    return [(offsets(one["acronyms"]), offsets(one["long-forms"])) for one in records]


def _tag_sequences(path: Path) -> list[list[str]]:
    sequences: list[list[str]] = [[]]
    for line in text_lines(path):
        if line.strip():
            sequences[-1].append(line.split("\t")[-1])
        elif sequences[-1]:
            sequences.append([])
    return [tags for tags in sequences if tags]


def _truths(path: Path) -> list[bool]:
    words = [line.strip().upper() for line in text_lines(path)]
    if set(words) - {"T", "F"}:
        raise FormatError(f"{path}: a line that is neither T nor F.")
    return [word == "T" for word in words]


def _check_count(found: int, expected: int, path: Path) -> None:
    if found != expected:
        raise FormatError(f"{path} holds {found:,} predictions for {expected:,} rows.")


def _check_labels(gold: list[list[str]], predicted: list[list[str]], path: Path) -> None:
    for row, (one, other) in enumerate(zip(gold, predicted, strict=True)):
        if len(one) != len(other):
            raise FormatError(f"{path}, item {row + 1}: {len(other)} labels for {len(one)} tokens.")


def _flat(scores: IdentificationScores) -> dict[str, float]:
    kinds = {"macro": scores.macro, "short": scores.short, "long": scores.long}
    return {
        f"{kind}_{name}": value for kind, prf in kinds.items() for name, value in _prf(prf).items()
    }


def _prf(prf: PRF) -> dict[str, float]:
    return dict(prf._asdict())


def _shares(scores: dict[str, Any]) -> dict[str, float]:
    return {name: value for name, value in scores.items() if isinstance(value, float)}
