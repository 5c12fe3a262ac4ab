"""Readers of data sets in which acronyms and long forms are marked: SciAI (SDU-21) and SDU-22."""

from collections.abc import Sequence
from pathlib import Path
from typing import Literal, NamedTuple

from pydantic import BaseModel, Field

from ...errors import FormatError, InputError
from ...text import Offsets, repair_bio
from .files import json_items

_NO_SPACE_BEFORE = frozenset({*",.;:)]}?!%", "'s", "’s", "n't", "'"})
_NO_SPACE_AFTER = frozenset("([{")


class _Item(BaseModel):
    id: str | int | None = None
    tokens: list[str]
    labels: list[Literal["O", "B-short", "I-short", "B-long", "I-long"]]


class Sentence(NamedTuple):
    """A tokenized sentence of SciAI, with the gold labels of its tokens.

    Attributes:
        id: Id of the sentence in the data set.
        labels: A label for each token: ``O``, or ``B-`` or ``I-`` followed by ``short`` (acronym)
            or ``long`` (long form). Empty if the sentence is not labelled.
        text: Text of the sentence, in which the tokens are joined by spaces where the original
            text likely had them.
        offsets: ``(start, end)`` character offsets of each token in the text.
    """

    id: str
    labels: list[str]
    text: str
    offsets: list[tuple[int, int]]

    @property
    def tokens(self) -> list[str]:
        """Tokens of the sentence, as the data set splits it."""
        return [self.text[start:end] for start, end in self.offsets]


class SciAI(NamedTuple):
    """The content of a file of the SciAI data set.

    Attributes:
        sentences: Sentences with their labels, unchanged and in file order.
        repaired: Number of labels that start with ``I-`` but don't continue a span, for messages.
            The official scorer ignores these labels.
    """

    sentences: list[Sentence]
    repaired: int


def find_sets(path: Path, only: Sequence[str] = ()) -> dict[str, Path]:
    """Find the JSON files of a data set.

    Args:
        path: Path of a JSON file, or of a folder with JSON files in it or in its subfolders.
        only: Texts that a file's name must contain one of, such as ``["dev", "test"]``. Empty
            selects all files.

    Returns:
        A mapping from the names of the files to their paths. A name is the path relative to the
        folder, without the extension.

    Raises:
        InputError: If no file is found or selected.
    """
    root = path if path.is_dir() else path.parent
    files = sorted(path.rglob("*.json")) if path.is_dir() else [path]
    named = {str(file.relative_to(root).with_suffix("")): file for file in files if file.is_file()}
    chosen = {
        name: file for name, file in named.items() if not only or any(part in name for part in only)
    }
    if not chosen:
        why = "Choose a JSON file or a folder of JSON files."
        if named:
            why = f"None of its files ({', '.join(named)}) has a name with {', '.join(only)}."
        raise InputError(f"{path} contains no data set to evaluate. {why}")
    return chosen


def read_sciai(path: Path) -> SciAI:
    """Read the labelled sentences of a file in the format of SciAI.

    Args:
        path: Path of a JSON file with a list of objects. Each object has `tokens` and `labels`, and
            optionally an `id`.

    Returns:
        The sentences, and the number of labels that don't continue a span.

    Raises:
        FormatError: If an object lacks a field, has an unknown label, or has different numbers of
            tokens and labels. The message names the object.
    """
    sentences = []
    repaired = 0
    for number, item in json_items(path, _Item):
        name = str(number if item.id is None else item.id)
        if len(item.tokens) != len(item.labels):
            counts = f"{len(item.tokens)} tokens but {len(item.labels)} labels"
            raise FormatError(
                f"{path}, item {number} ({name}): {counts}. Each token needs one label."
            )
        labels: list[str] = [*item.labels]
        repaired += repair_bio(labels)[1]
        sentences.append(Sentence(name, labels, *join_tokens(item.tokens)))
    return SciAI(sentences, repaired)


def join_tokens(tokens: Sequence[str]) -> tuple[str, list[tuple[int, int]]]:
    """Join the tokens of a sentence to a text, with spaces as in normal writing.

    There is no space before punctuation such as a comma, after an opening bracket, or next to a
    hyphen. For example, the tokens "a", "(", "CNN", ")", "." become "a (CNN).".

    Args:
        tokens: Tokens of the sentence.

    Returns:
        The text, and the ``(start, end)`` character offsets of each token in it.
    """
    text = before = ""
    offsets = []
    for token in tokens:
        if text and not (
            token in _NO_SPACE_BEFORE or before in _NO_SPACE_AFTER or "-" in (token, before)
        ):
            text += " "
        offsets.append((len(text), len(text) + len(token)))
        text += token
        before = token
    return text, offsets


class _MarkedItem(BaseModel):
    id: str | int | None = Field(None, alias="ID")
    text: str
    short: frozenset[Offsets] = Field(alias="acronyms")
    long: frozenset[Offsets] = Field(alias="long-forms")


class Paragraph(NamedTuple):
    """A text of SDU-22 in which acronyms and long forms are marked.

    Spans are ``(start, end)`` character offsets, with the end exclusive.

    Attributes:
        id: Id of the text in the data set.
        text: The text, which is not tokenized.
        short: Spans of the acronyms.
        long: Spans of the long forms.
    """

    id: str
    text: str
    short: frozenset[Offsets]
    long: frozenset[Offsets]


class SDU22(NamedTuple):
    """The content of a file of SDU-22's task of acronym extraction.

    Attributes:
        paragraphs: Texts with their marked spans, in file order.
        inside_words: Number of starts and ends of spans that are inside a word, for messages. The
            spans themselves are kept unchanged.
    """

    paragraphs: list[Paragraph]
    inside_words: int


def read_sdu22(path: Path) -> SDU22:
    """Read the marked texts of a file of SDU-22's task of acronym extraction.

    Args:
        path: Path of a JSON file with a list of objects. Each object has a `text` and the offsets
            of its `acronyms` and `long-forms`, and optionally an `ID`.

    Returns:
        The texts, and the number of span boundaries inside words.

    Raises:
        FormatError: If an object lacks a field, or a span is outside its text. The message names
            the object.
    """
    paragraphs = []
    inside = 0
    for number, item in json_items(path, _MarkedItem):
        name, text = str(number if item.id is None else item.id), item.text
        for start, end in item.short | item.long:
            if not 0 <= start < end <= len(text):
                where = f"{path}, item {number} ({name})"
                raise FormatError(
                    f"{where}: the span [{start}, {end}] is outside the text, which has "
                    f"{len(text)} characters."
                )
            inside += _cuts_word(text, start) + _cuts_word(text, end)
        paragraphs.append(Paragraph(name, text, item.short, item.long))
    return SDU22(paragraphs, inside)


def _cuts_word(text: str, at: int) -> bool:
    return text[at - 1 : at].isalnum() and text[at : at + 1].isalnum()
