"""Reader of the training texts whose abbreviations annotators labelled.

The labels are in the repository (`assets/training/`). They are offsets into texts that are not in
the repository: passages of `texts.jsonl.zst`, and paragraphs of the corpus, which are listed in
`corpus_passages.tsv`. Every abbreviation of a passage is labelled, so unlabelled words are not
abbreviations.

Columns of `labels.tsv`: the passage, its spans (`12-15,40-43`), their spelling, and the meaning.
The meaning is a long form (` | ` between equally good ones), `=` if the passage itself defines it,
`-` for words that are not abbreviations, or `?` if the annotator could not tell.
"""

import json
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from ...documents.lines import read_lines
from ...errors import FormatError, InputError
from ...text import Offsets

DEFINED, NOT_ONE, UNKNOWN = "=", "-", "?"

BETWEEN = " | "
"""Separator of equally good long forms."""


class Label(NamedTuple):
    """An abbreviation of a passage.

    Attributes:
        spans: The character offsets of its occurrences.
        spelling: Spelling of the abbreviation in the passage.
        meaning: Its long forms, or one of `DEFINED`, `NOT_ONE`, `UNKNOWN`.
    """

    spans: tuple[Offsets, ...]
    spelling: str
    meaning: str

    @property
    def long_forms(self) -> tuple[str, ...]:
        """The correct long forms. Empty if the meaning is `DEFINED`, `NOT_ONE` or `UNKNOWN`."""
        if self.meaning in (DEFINED, NOT_ONE, UNKNOWN):
            return ()
        return tuple(form.strip() for form in self.meaning.split(BETWEEN) if form.strip())


class LabelledPassage(NamedTuple):
    """A passage with the labels of all its abbreviations.

    Attributes:
        name: Id of the passage.
        kind: Kind of text, such as `minutes: Wasm main`.
        source: Repository or corpus shard that the passage comes from.
        text: Text of the passage.
        labels: Labels of its abbreviations.
    """

    name: str
    kind: str
    source: str
    text: str
    labels: tuple[Label, ...]


def read_labels(path: Path) -> dict[str, tuple[Label, ...]]:
    """Read the labels of each passage.

    Args:
        path: Path of a `labels.tsv`.

    Returns:
        A mapping from each passage's id to its labels.

    Raises:
        FormatError: If a line does not have four columns or has invalid spans.
    """
    labels: defaultdict[str, list[Label]] = defaultdict(list)
    for number, raw in read_lines(path):
        cells = raw.decode("utf8").rstrip("\r\n").split("\t")
        if number == 1:
            continue
        try:
            passage, spans, spelling, meaning = cells
            offsets = tuple(_span(span) for span in spans.split(",") if span)
        except ValueError:
            raise FormatError(
                f"{path}, line {number}: expected passage, spans, spelling and meaning, got {cells}"
            ) from None
        labels[passage] += [Label(offsets, spelling, meaning)] if offsets else []
    return {passage: tuple(passage_labels) for passage, passage_labels in labels.items()}


def _span(written: str) -> Offsets:
    start, _, end = written.partition("-")
    return int(start), int(end)


def read_passages(labels: Path, shared: Path) -> list[LabelledPassage]:
    """Read the texts and labels of all labelled passages.

    Args:
        labels: The folder with `labels.tsv` and `corpus_passages.tsv`.
        shared: The folder with the texts: `training/texts.jsonl.zst` and `corpus/`.

    Returns:
        The passages that have labels.

    Raises:
        InputError: If a file is missing.
        FormatError: If a label does not match the text at its offsets.
    """
    by_passage = read_labels(labels / "labels.tsv")
    texts = shared / "training" / "texts.jsonl.zst"
    if not texts.is_file():
        raise InputError(
            f"{texts} does not exist. The training texts are not part of the repository."
        )
    passages = []
    for _, raw in read_lines(texts):
        row = json.loads(raw)
        if row["id"] in by_passage:
            source = row["source"].partition("@")[0]
            passages.append((row["id"], row["kind"], source, row["text"]))
    passages += _read_corpus_passages(labels / "corpus_passages.tsv", shared / "corpus")
    return [
        _check(LabelledPassage(*passage, by_passage[passage[0]]))
        for passage in passages
        if passage[0] in by_passage
    ]


def _read_corpus_passages(table: Path, corpus: Path) -> Iterator[tuple[str, str, str, str]]:
    wanted: defaultdict[str, defaultdict[int, list[list[str]]]] = defaultdict(
        lambda: defaultdict(list)
    )
    for number, raw in read_lines(table):
        if number > 1:
            row = raw.decode("utf8").rstrip("\r\n").split("\t")
            wanted[row[2]][int(row[3]) + 1].append(row)
    for shard, by_line in wanted.items():
        for number, raw in read_lines(corpus / f"{shard}.jsonl.zst"):
            for name, kind, _, line, start, end in by_line.get(number, ()):
                text = json.loads(raw)["text"][int(start) : int(end)].strip()
                yield name, kind, f"{shard}:{line}", text


def _check(passage: LabelledPassage) -> LabelledPassage:
    for label in passage.labels:
        for start, end in label.spans:
            if " ".join(passage.text[start:end].split()) != " ".join(label.spelling.split()):
                raise FormatError(
                    f"{passage.name}: '{label.spelling}' is not at {start}-{end}, where "
                    f"{passage.text[start:end]!r} is. The labels belong to another version of the "
                    "texts."
                )
    return passage
