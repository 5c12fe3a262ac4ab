"""What DOCX, PPTX and XLSX share: archives that may unpack to much, and paragraphs in tables."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple
from zipfile import ZipFile, ZipInfo

from ...errors import FormatError
from ..builder import TextBuilder
from ..source import RegionKind

_MOST_BYTES = 1 << 28
"""Of a document's parts together: pictures are read, too."""
_MOST_MARKUP = 1 << 26
_MOST_TAGS = 2_000_000
"""Each takes some hundred bytes of memory."""


_HEAD = 1 << 10
"""Bytes by which markup is told: a part may have any name."""
_BEFORE_MARKUP = b"\xef\xbb\xbf\xfe\xff\0 \t\r\n"


def check_sizes(file: Path | BinaryIO) -> None:
    """Refuse what unpacks to very much, by the sizes that the archive declares: none is larger."""
    with ZipFile(file) as archive:
        parts = archive.infolist()
        size = sum(part.file_size for part in parts)
        if size <= _MOST_BYTES:  # else nothing is unpacked
            parts = [part for part in parts if _is_markup(archive, part)]
        if size > _MOST_BYTES or sum(part.file_size for part in parts) > _MOST_MARKUP:
            raise FormatError(f"it unpacks to {size:,} bytes. Split it.")
        tags = sum(archive.read(part).count(b"<") for part in parts)
        if tags > _MOST_TAGS:
            raise FormatError(f"it has {tags:,} tags, more than {_MOST_TAGS:,}. Split it.")


def _is_markup(archive: ZipFile, part: ZipInfo) -> bool:
    with archive.open(part) as file:
        return file.read(_HEAD).lstrip(_BEFORE_MARKUP)[:1] in (b"", b"<")


class Paragraph(NamedTuple):
    """A paragraph, and what it is.

    begins: a `row` of a table, another `cell` of it, or a `block` of its own; empty: it goes on
        with the block before it.
    table: whether it stands in one. level: of a title. kind: what else it is; code is left out.
    element: of the library that has read it. marks: of notes, by offsets in the text, and each
        note's label. note: the label of the note that begins here.
    """

    text: str
    begins: str = "block"
    table: bool = False
    level: int | None = None
    kind: RegionKind | None = None
    element: Any = None
    marks: tuple[tuple[int, str], ...] = ()
    note: str = ""


def fill(builder: TextBuilder, paragraphs: Iterable[Paragraph], start: int = 0) -> int:
    """Take paragraphs that stand in the original from `start` on, with one character between them;
    returns where the next one stands."""
    table: int | None = None
    for one in paragraphs:
        if table is not None and not one.table:
            builder.end_rows(table, "table")
        table = (builder.end if table is None else table) if one.table else None
        builder.glue("\n\n" if one.begins else "\n")
        if one.begins in ("row", "cell"):
            builder.cell(first=one.begins == "row")
        begin = builder.end
        if one.kind != "code":
            at = start
            for offset, label in one.marks:
                builder.copy(at, start + offset)
                builder.mark(label)
                at = start + offset
            builder.copy(at, start + len(one.text))
            if one.note:
                builder.note(one.note, begin)
            if one.level is not None:
                builder.title(begin, one.level)
            elif one.kind:
                builder.region(one.kind, begin)
        start += len(one.text) + 1
    if table is not None:
        builder.end_rows(table, "table")
    return start
