"""SDU-22's extraction files: texts with character offsets of acronyms and long forms."""

from pathlib import Path
from typing import Any, NamedTuple

from ...errors import FormatError
from .sciai import read_items

Offsets = tuple[int, int]


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
    for number, item in enumerate(read_items(path)):
        where = f"{path}, item {number} ({item.get('ID', 'no ID')})"
        text = item.get("text")
        if not isinstance(text, str):
            raise FormatError(f"{where}: expected 'text', a string.")
        short, long = (_offsets(where, item, key, len(text)) for key in ("acronyms", "long-forms"))
        inside += sum(_cuts_word(text, at) for span in short | long for at in span)
        paragraphs.append(Paragraph(str(item.get("ID", number)), text, short, long))
    return SDU22(paragraphs, inside)


def _offsets(where: str, item: dict[str, Any], key: str, length: int) -> frozenset[Offsets]:
    spans = item.get(key)
    try:
        found = frozenset((int(start), int(end)) for start, end in spans)  # type: ignore[union-attr]
    except (TypeError, ValueError) as error:
        raise FormatError(f"{where}: expected {key!r}, a list of [start, end].") from error
    for start, end in found:
        if not 0 <= start < end <= length:
            raise FormatError(f"{where}: [{start}, {end}] of {key!r} leaves the text's {length}.")
    return found


def _cuts_word(text: str, at: int) -> bool:
    return text[at - 1 : at].isalnum() and text[at : at + 1].isalnum()
