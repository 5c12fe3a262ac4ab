"""SDU-22's extraction files: texts with character offsets of acronyms and long forms."""

from pathlib import Path
from typing import NamedTuple

from pydantic import BaseModel, Field

from ...errors import FormatError
from ...rules import Offsets
from .files import json_items


class _Item(BaseModel):
    id: str | int | None = Field(None, alias="ID")
    text: str
    short: frozenset[Offsets] = Field(alias="acronyms")
    long: frozenset[Offsets] = Field(alias="long-forms")


class Paragraph(NamedTuple):
    """A text with the offsets that people marked in it, end exclusive."""

    id: str
    text: str
    short: frozenset[Offsets]
    long: frozenset[Offsets]


class SDU22(NamedTuple):
    """The texts of a file."""

    paragraphs: list[Paragraph]
    inside_words: int  # spans that begin or end inside a word; they are kept as they are


def read_sdu22(path: Path) -> SDU22:
    """The texts of an extraction file.

    Raises FormatError, with the item, for what is no such file and for offsets outside the text.
    """
    paragraphs = []
    inside = 0
    for number, item in json_items(path, _Item):
        name, text = str(number if item.id is None else item.id), item.text
        for start, end in item.short | item.long:
            if not 0 <= start < end <= len(text):
                where = f"{path}, item {number} ({name})"
                raise FormatError(f"{where}: [{start}, {end}] leaves the text's {len(text)}.")
            inside += _cuts_word(text, start) + _cuts_word(text, end)
        paragraphs.append(Paragraph(name, text, item.short, item.long))
    return SDU22(paragraphs, inside)


def _cuts_word(text: str, at: int) -> bool:
    return text[at - 1 : at].isalnum() and text[at : at + 1].isalnum()
