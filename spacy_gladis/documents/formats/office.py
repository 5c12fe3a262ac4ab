"""Shared by DOCX, PPTX and XLSX: limits of unpacked archives, and paragraphs with tables."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple
from zipfile import ZipFile, ZipInfo

from ...errors import FormatError
from ..builder import TextBuilder
from ..source import RegionKind

_MOST_BYTES = 1 << 28
"""Maximum size of all parts of a document, since pictures are read, too."""
_MOST_MARKUP = 1 << 26
"""Maximum size of the markup."""
_MOST_TAGS = 2_000_000
"""Maximum number of tags. Each takes some hundred bytes of memory."""


_HEAD = 1 << 10
"""Bytes that identify markup, since a part may have any name."""
_BEFORE_MARKUP = b"\xef\xbb\xbf\xfe\xff\0 \t\r\n"


def check_sizes(file: Path | BinaryIO) -> None:
    """Check that an archive does not unpack to too much, by its declared sizes.

    No part is larger than declared.

    Args:
        file: The path, or the open file.

    Raises:
        FormatError: If the archive is too large.
    """
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
    """A paragraph of an office document.

    Attributes:
        text: The text.
        begins: ``row`` or ``cell`` of a table, or ``block``. Empty if it continues the block before
            it.
        table: Whether it is in a table.
        level: Level of a title, or None.
        kind: What it is if it is not running text. Code is skipped.
        element: The XML element, if the reader needs it.
        marks: References to notes: offsets in the text, and labels.
        note: Label of the note that begins here.
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
    """Add paragraphs to a builder. One character separates them in the original.

    Args:
        builder: Receives the text.
        paragraphs: The paragraphs, in order.
        start: Offset of the first paragraph in the original.

    Returns:
        The offset of the next paragraph.
    """
    table: int | None = None
    for paragraph in paragraphs:
        if table is not None and not paragraph.table:
            builder.end_rows(table, "table")
        table = (builder.end if table is None else table) if paragraph.table else None
        builder.glue("\n\n" if paragraph.begins else "\n")
        if paragraph.begins in ("row", "cell"):
            builder.cell(first=paragraph.begins == "row")
        begin = builder.end
        if paragraph.kind != "code":
            at = start
            for offset, label in paragraph.marks:
                builder.copy(at, start + offset)
                builder.mark(label)
                at = start + offset
            builder.copy(at, start + len(paragraph.text))
            if paragraph.note:
                builder.note(paragraph.note, begin)
            if paragraph.level is not None:
                builder.title(begin, paragraph.level)
            elif paragraph.kind:
                builder.region(paragraph.kind, begin)
        start += len(paragraph.text) + 1
    if table is not None:
        builder.end_rows(table, "table")
    return start
