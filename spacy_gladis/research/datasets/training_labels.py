"""The training texts with the labels that readers gave them.

The labels are in the repository (`assets/training/`), as offsets into texts that are not: passages
of `texts.jsonl.zst`, and paragraphs of the corpus that `corpus_passages.tsv` locates. Every
abbreviation of a passage is labelled, so that what is not labelled is none.

Columns of `labels.tsv`: the passage, its spans (`12-15,40-43`), their spelling, and the meaning: a
long form (` | ` between equally good ones), `=` where the passage itself gives it, `-` for what is
no abbreviation, `?` where the reader could not tell.
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
"""Stands between equally good long forms."""


class Label(NamedTuple):
    """An abbreviation of a passage.

    Attributes:
        spans: Its character offsets.
        spelling: As the passage spells it.
        meaning: Its long forms, or one of `DEFINED`, `NOT_ONE`, `UNKNOWN`.
    """

    spans: tuple[Offsets, ...]
    spelling: str
    meaning: str

    @property
    def long_forms(self) -> tuple[str, ...]:
        """The long forms that are right; none where the passage defines it or it is none."""
        if self.meaning in (DEFINED, NOT_ONE, UNKNOWN):
            return ()
        return tuple(form.strip() for form in self.meaning.split(BETWEEN) if form.strip())


class LabelledPassage(NamedTuple):
    """A passage with all its abbreviations.

    Attributes:
        name: Its id.
        kind: What it is, such as `minutes: Wasm main`.
        source: Repository or shard that it comes from.
        text: Its text.
        labels: Its abbreviations.
    """

    name: str
    kind: str
    source: str
    text: str
    labels: tuple[Label, ...]


def read_labels(path: Path) -> dict[str, tuple[Label, ...]]:
    """Read `labels.tsv`: the labels of each passage, by its id.

    Raises:
        FormatError: If a line has not four columns, or spans that are none.
    """
    labels: defaultdict[str, list[Label]] = defaultdict(list)
    for number, raw in read_lines(path):
        cells = raw.decode("utf8").rstrip("\r\n").split("\t")
        if number == 1:
            continue
        try:
            passage, spans, spelling, meaning = cells
            places = tuple(_span(span) for span in spans.split(",") if span)
        except ValueError:
            raise FormatError(
                f"{path}, line {number}: expected passage, spans, spelling and meaning, got {cells}"
            ) from None
        labels[passage] += [Label(places, spelling, meaning)] if places else []
    return {passage: tuple(found) for passage, found in labels.items()}


def _span(written: str) -> Offsets:
    start, _, end = written.partition("-")
    return int(start), int(end)


def read_passages(labels: Path, shared: Path) -> list[LabelledPassage]:
    """Read the labelled passages.

    Args:
        labels: The folder with `labels.tsv` and `corpus_passages.tsv`.
        shared: The folder with the texts: `training/texts.jsonl.zst` and `corpus/`.

    Raises:
        InputError: If a file is missing.
        FormatError: If a label does not stand at its offsets: the texts are others.
    """
    by_passage = read_labels(labels / "labels.tsv")
    texts = shared / "training" / "texts.jsonl.zst"
    if not texts.is_file():
        raise InputError(f"{texts}: no such file. The training texts are not in the repository.")
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
                    f"{passage.text[start:end]!r} is. The labels are of another version."
                )
    return passage
