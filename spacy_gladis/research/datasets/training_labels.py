"""Reader of training texts in which all abbreviations are labelled with their meanings.

The labels are part of the repository, in `assets/training/labels.tsv`. The texts are not. They are
the passages in `texts.jsonl.zst`, and the paragraphs of the corpus that `corpus_passages.tsv`
lists. Every abbreviation of a passage is labelled, so all other words are not abbreviations.

The columns of `labels.tsv` are the id of the passage, the character offsets of an abbreviation's
occurrences (such as `12-15,40-43`), its spelling, and its meaning. The meaning is one of these:

- A long form, or several equally good ones with ` | ` between them.
- `=` if the passage itself defines the abbreviation.
- `-` if the word is not an abbreviation.
- `?` if the annotators could not tell the meaning.
"""

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from ...documents.lines import read_lines
from ...errors import FormatError, InputError
from ...text import Offsets
from .texts import NO_ACRONYM, GoldMention, LabelledText, case_of

DEFINED, NOT_ONE, UNKNOWN = "=", "-", "?"

BETWEEN = " | "
"""Separator between equally good long forms of an abbreviation."""


class Label(NamedTuple):
    """A labelled abbreviation of a passage, with its meaning and all its occurrences.

    Attributes:
        spans: ``(start, end)`` character offsets of the occurrences in the passage.
        spelling: Spelling of the abbreviation in the passage.
        meaning: One or more long forms, separated by ``" | "``. Otherwise ``"="`` (the passage
            defines the abbreviation), ``"-"`` (not an abbreviation) or ``"?"`` (unknown).
    """

    spans: tuple[Offsets, ...]
    spelling: str
    meaning: str

    @property
    def long_forms(self) -> tuple[str, ...]:
        """Correct long forms of the abbreviation.

        Empty if the passage defines it, if its meaning is unknown, or if it is no abbreviation.
        """
        if self.meaning in (DEFINED, NOT_ONE, UNKNOWN):
            return ()
        return tuple(form.strip() for form in self.meaning.split(BETWEEN) if form.strip())


class LabelledPassage(NamedTuple):
    """A training passage in which all abbreviations are labelled with their meanings.

    Attributes:
        name: Id of the passage.
        kind: Kind of text, such as ``"minutes: Wasm main"``.
        source: Repository that the passage comes from, or its corpus shard and line.
        text: Text of the passage.
        labels: Labelled abbreviations of the passage.
    """

    name: str
    kind: str
    source: str
    text: str
    labels: tuple[Label, ...]


def read_labels(path: Path) -> dict[str, tuple[Label, ...]]:
    """Read the labelled abbreviations of training passages, without the passages' texts.

    Args:
        path: Path of the table `labels.tsv`. Its columns are separated by tabs, and its first line
            is a header.

    Returns:
        A mapping from the id of each passage to the labels of its abbreviations, in file order.

    Raises:
        FormatError: If a line does not have four columns, or its character offsets are invalid. The
            message names the line.
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
                f"{path}, line {number}: the row {cells} is invalid. Expected the columns passage, "
                "spans (such as 12-15,40-43), spelling and meaning."
            ) from None
        labels[passage] += [Label(offsets, spelling, meaning)] if offsets else []
    return {passage: tuple(passage_labels) for passage, passage_labels in labels.items()}


def _span(written: str) -> Offsets:
    start, _, end = written.partition("-")
    return int(start), int(end)


def read_passages(labels: Path, shared: Path) -> list[LabelledPassage]:
    """Read all training passages whose abbreviations are labelled.

    Args:
        labels: Folder with the labels, in `labels.tsv`, and the list of passages from the corpus,
            in `corpus_passages.tsv`.
        shared: Folder with the texts, in `training/texts.jsonl.zst` and in the subfolder `corpus`.

    Returns:
        The passages with their labels. Passages without a label are left out.

    Raises:
        InputError: If the file with the texts is missing.
        FormatError: If the text at the offsets of a label is not the labelled abbreviation.
    """
    by_passage = read_labels(labels / "labels.tsv")
    texts = shared / "training" / "texts.jsonl.zst"
    if not texts.is_file():
        raise InputError(
            f"{texts} does not exist. The training texts are not part of the repository. Choose "
            "the folder that contains them with --shared."
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


def as_labelled_texts(passages: Iterable[LabelledPassage]) -> list[LabelledText]:
    """Convert labelled passages to the form in which whole texts are evaluated.

    Abbreviations whose meaning the annotators could not tell are left out.

    Args:
        passages: Passages with labels for all abbreviations.

    Returns:
        A text for each passage, whose field is the kind of the passage.
    """
    return [
        LabelledText(
            passage.name,
            passage.kind,
            passage.source,
            passage.text,
            tuple(
                sorted(
                    _gold_mention(span, passage.text, label)
                    for label in passage.labels
                    if label.meaning != UNKNOWN
                    for span in label.spans
                )
            ),
        )
        for passage in passages
    ]


def _gold_mention(span: Offsets, text: str, label: Label) -> GoldMention:
    spelling, is_defined = text[slice(*span)], label.meaning == DEFINED
    long_forms = (DEFINED,) if is_defined else label.long_forms
    case = case_of(spelling) if long_forms else NO_ACRONYM
    return GoldMention(*span, spelling, long_forms, case, is_defined)
