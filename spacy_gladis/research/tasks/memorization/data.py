"""Data sets whose texts or tokens are labelled: AIMed, SST-2, BC3 ACT, BC2GM and ChEMU.

AIMed is divided into ten folds. BC2GM is in a format with columns of IOB tags, and ChEMU in BRAT.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, NamedTuple

import numpy as np
import typer
from sklearn.model_selection import StratifiedKFold

from ....arrays import Ints
from ....errors import InputError, check_names
from ....text import decode_bio, encode_bio
from ...leakage.formats import read_all, reader_of
from ...leakage.readers import Item, read_brat_spans, read_iob_items, read_iob_sentences
from ..task import DataSet, Reader

FOLDS, SHUFFLE = 10, 777
"""Number of folds of AIMed, and the random seed with which the paper's program shuffles them."""

WORDS = re.compile(r"\w+|[^\w\s]")


class Row(NamedTuple):
    """A text that is split into tokens, with its label or the labels of its tokens.

    Attributes:
        tokens: Words and punctuation marks, in text order.
        labels: A single label for the whole text, or one label for each token.
    """

    tokens: Sequence[str]
    labels: Sequence[str]


class Training(NamedTuple):
    """The data that a labelling system can learn from.

    Attributes:
        rows: Training texts with their labels.
        labels: Distinct labels of the training texts, in alphabetical order.
        by_token: Whether each token has a label. Otherwise, each text has a single one.
    """

    rows: Sequence[Row]
    labels: Sequence[str]
    by_token: bool


class Gold(NamedTuple):
    """The gold labels of the test texts.

    Attributes:
        labels: Labels of each text: a single one, or one for each token.
        by_token: Whether each token has a label. Otherwise, each text has a single one.
        annotations: Strings that the labels of the training part mark, such as names of genes.
            Empty if whole texts are labelled.
    """

    labels: Sequence[Sequence[str]]
    by_token: bool
    annotations: Sequence[str]


MemorizationData = DataSet[Training, Sequence[str], Gold]


@dataclass
class MemorizationSets(Reader[Training, Sequence[str], Gold]):
    """Reads folders that contain a training and a test part, or the XML files of AIMed.

    Attributes:
        folds: Ways to divide AIMed into folds, each of which gives a data set. "random" divides the
            pairs of proteins, and "unique" the documents. The paper calls them AIMed (R) and
            AIMed (U).
        seed: Number of the fold of AIMed to test on, 0 to 9.
    """

    folds: Annotated[
        tuple[str, ...], typer.Option(help="Folds of AIMed: random or unique. Default: both.")
    ] = ("random", "unique")
    seed: int = 0

    def read(self, paths: Sequence[Path]) -> Iterator[MemorizationData]:
        """Read the data set in each of the given folders.

        Args:
            paths: Folders with a training and a test part, or with the XML files of AIMed.

        Yields:
            One data set for each folder. A folder with AIMed, which has no published parts, gives
            one data set for each name in `folds`: pairs of proteins that are divided at random,
            or whole documents. Tokens are labelled if the parts are files with IOB tags or folders
            of texts in the BRAT format. Each text in the BRAT format is a single row.

        Raises:
            InputError: If a part is missing, if there are no labels, or if `folds` has a name other
                than "random" and "unique".
        """
        check_names("folds", self.folds, ("random", "unique"))
        for path in paths:
            if any(path.glob("*.xml")):
                items = read_all(path)
                for kind in self.folds:
                    rows = fold(items, self.seed, unique=kind == "unique")
                    train_items, test_items = ([items[row] for row in part] for part in rows)
                    details = {"pairs": len(items), "folds": FOLDS}
                    yield _classes(f"{path.name} {kind}", train_items, test_items, details)
                continue
            train, test = _part(path, "train"), _part(path, "test")
            if training := _tagged_rows(train):
                yield _tags(path.name, training, _tagged_rows(test))
            else:
                yield _classes(path.name, read_all(train), read_all(test), {})


def _part(folder: Path, part: str) -> Path:
    matches = [path for path in sorted(folder.glob("*")) if part in path.name.lower()]
    if not matches:
        raise InputError(
            f"{folder} has no {part} part. Expected a file or folder with this word in its name."
        )
    return matches[0]


def fold(items: Sequence[Item], number: int, *, unique: bool) -> tuple[Ints, Ints]:
    """Divide labelled items into ten folds, and return one fold as the test part.

    The method and the random seed are those of the paper's program (section 4.1). The folds
    themselves can differ, because releases of AIMed differ in their rows: ours has 224 documents
    with 5,775 pairs of proteins. All folds have about the same distribution of labels.

    Args:
        items: Items with their labels and documents.
        number: Number of the fold to test on. 10 is the same as 0.
        unique: Whether all items of a document are in the same fold. The distribution of labels is
            then that of the first items of the documents.

    Returns:
        The indices of the items in the training part and in the test part, int64.
    """
    keys = [item.document if unique else row for row, item in enumerate(items)]
    units = list(dict.fromkeys(keys))
    labels = [items[keys.index(unit)].label for unit in units]
    folds = StratifiedKFold(FOLDS, shuffle=True, random_state=SHUFFLE).split(units, labels)
    tested = {units[unit] for unit in list(folds)[number % FOLDS][1]}
    held_out = np.array([key in tested for key in keys])
    return np.flatnonzero(~held_out), np.flatnonzero(held_out)


def _classes(
    name: str, train: Sequence[Item], test: Sequence[Item], details: dict[str, int]
) -> MemorizationData:
    if not all(item.label for item in (*train, *test)):
        raise InputError(f"{name}: neither its texts nor its tokens have labels.")
    rows, questions = (
        [Row(WORDS.findall(item.text), [item.label]) for item in part] for part in (train, test)
    )
    labels = sorted({item.label for item in train})
    return DataSet(
        name,
        Training(rows, labels, by_token=False),
        [row.tokens for row in questions],
        Gold([row.labels for row in questions], by_token=False, annotations=()),
        details or {"train": len(train), "test": len(test)},
        [item.text for item in test],
        [item.text for item in train],
    )


def _tagged_rows(part: Path) -> list[Row]:
    """Read a part whose tokens are labelled. The list is empty if they are not."""
    if part.is_file():
        is_iob = reader_of(part) is read_iob_items
        return [Row(*sentence) for sentence in read_iob_sentences(part)] if is_iob else []
    texts = [path for path in sorted(part.rglob("*.txt")) if path.with_suffix(".ann").is_file()]
    rows = (label_tokens(*read_brat_spans(path)) for path in texts)
    return [row for row in rows if row.tokens]


def label_tokens(text: str, spans: Sequence[tuple[int, int, str]]) -> Row:
    """Split a text into tokens, and convert annotated spans to the BIO tags of the tokens.

    A token belongs to a span if they share a character. If spans share a token, only the one that
    starts first is used, or the longest of those that start together.

    Args:
        text: Text to split.
        spans: ``(start, end, type)`` of each span, in character offsets.

    Returns:
        The tokens and their BIO tags.
    """
    words = list(WORDS.finditer(text))
    chosen: list[tuple[int, int, str]] = []
    for start, end, kind in sorted(spans, key=lambda span: (span[0], -span[1])):
        inside = [n for n, word in enumerate(words) if word.start() < end and word.end() > start]
        if inside and (not chosen or inside[0] >= chosen[-1][1]):
            chosen.append((inside[0], inside[-1] + 1, kind))
    return Row([word.group() for word in words], encode_bio(chosen, len(words)))


def _tags(name: str, rows: Sequence[Row], questions: Sequence[Row]) -> MemorizationData:
    if not questions:
        raise InputError(f"{name}: the tokens of the test part have no labels.")
    return DataSet(
        name,
        Training(rows, sorted({tag for row in rows for tag in row.labels}), by_token=True),
        [row.tokens for row in questions],
        Gold([row.labels for row in questions], True, [text for r in rows for text in spans(*r)]),
        {"train": len(rows), "test": len(questions)},
        [" ".join(row.tokens) for row in questions],
        [" ".join(row.tokens) for row in rows],
    )


def spans(tokens: Sequence[str], labels: Sequence[str]) -> list[str]:
    """Return the strings that the BIO tags of a sentence mark, such as names of genes.

    Args:
        tokens: Tokens of the sentence.
        labels: BIO tag of each token.

    Returns:
        The tokens of each marked span, joined by spaces. The strings are in text order.
    """
    return [" ".join(tokens[span.start : span.end]) for span in decode_bio(labels)]
