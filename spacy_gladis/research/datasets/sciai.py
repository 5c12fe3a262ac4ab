"""Readers of texts with marked acronyms and long forms: SciAI (SDU-21) and SDU-22."""

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
    """A sentence with its gold labels and its untokenized text.

    Attributes:
        id: The item's id.
        labels: A BIO label for each token.
        text: The text.
        offsets: Character offsets of each token in the text.
    """

    id: str
    labels: list[str]
    text: str
    offsets: list[tuple[int, int]]

    @property
    def tokens(self) -> list[str]:
        """The tokens of the sentence, as in the file."""
        return [self.text[start:end] for start, end in self.offsets]


class SciAI(NamedTuple):
    """The contents of a SciAI file.

    Attributes:
        sentences: The sentences.
        repaired: Number of I- labels that don't continue a span. The official scorer ignores them.
    """

    sentences: list[Sentence]
    repaired: int


def find_sets(path: Path, only: Sequence[str] = ()) -> dict[str, Path]:
    """Find the files to evaluate.

    Args:
        path: A JSON file, or a folder with JSON files in or below it.
        only: Parts of names. Only files whose name contains one of them are kept. Empty keeps all
            files.

    Returns:
        A mapping from the names of the files to their paths.

    Raises:
        InputError: If there are no such files.
    """
    root = path if path.is_dir() else path.parent
    files = sorted(path.rglob("*.json")) if path.is_dir() else [path]
    named = {str(file.relative_to(root).with_suffix("")): file for file in files if file.is_file()}
    chosen = {
        name: file for name, file in named.items() if not only or any(part in name for part in only)
    }
    if not chosen:
        why = "it is not a JSON file and not a folder of such files."
        if named:
            why = f"{', '.join(named)} do not contain {', '.join(only)}."
        raise InputError(f"{path} contains nothing to evaluate: {why}")
    return chosen


def read_sciai(path: Path) -> SciAI:
    """Read a SciAI file.

    Args:
        path: Path of the file.

    Returns:
        Its sentences.

    Raises:
        FormatError: If an item is not SciAI's, has an unknown label, or has different numbers of
            labels and tokens. The message names it.
    """
    sentences = []
    repaired = 0
    for number, item in json_items(path, _Item):
        name = str(number if item.id is None else item.id)
        if len(item.tokens) != len(item.labels):
            counts = f"{len(item.tokens)} tokens but {len(item.labels)} labels"
            raise FormatError(f"{path}, item {number} ({name}): {counts}.")
        labels: list[str] = [*item.labels]
        repaired += repair_bio(labels)[1]
        sentences.append(Sentence(name, labels, *join_tokens(item.tokens)))
    return SciAI(sentences, repaired)


def join_tokens(tokens: Sequence[str]) -> tuple[str, list[tuple[int, int]]]:
    """Join tokens to a text, with spaces only where the original text likely had them.

    Args:
        tokens: The tokens.

    Returns:
        The text, and the character offsets of each token.
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
    """A text with its annotated spans. End offsets are exclusive.

    Attributes:
        id: The item's id.
        text: The text.
        short: Character offsets of acronyms.
        long: Character offsets of long forms.
    """

    id: str
    text: str
    short: frozenset[Offsets]
    long: frozenset[Offsets]


class SDU22(NamedTuple):
    """The contents of an SDU-22 file.

    Attributes:
        paragraphs: The texts.
        inside_words: Number of span boundaries that lie inside a word. These spans are kept.
    """

    paragraphs: list[Paragraph]
    inside_words: int


def read_sdu22(path: Path) -> SDU22:
    """Read a file of SDU-22's extraction task.

    Args:
        path: Path of the file.

    Returns:
        Its texts.

    Raises:
        FormatError: If an item has another format, or has offsets outside the text. The message
            names it.
    """
    paragraphs = []
    inside = 0
    for number, item in json_items(path, _MarkedItem):
        name, text = str(number if item.id is None else item.id), item.text
        for start, end in item.short | item.long:
            if not 0 <= start < end <= len(text):
                where = f"{path}, item {number} ({name})"
                raise FormatError(
                    f"{where}: [{start}, {end}] is outside the text, which has {len(text)} "
                    "characters."
                )
            inside += _cuts_word(text, start) + _cuts_word(text, end)
        paragraphs.append(Paragraph(name, text, item.short, item.long))
    return SDU22(paragraphs, inside)


def _cuts_word(text: str, at: int) -> bool:
    return text[at - 1 : at].isalnum() and text[at : at + 1].isalnum()
