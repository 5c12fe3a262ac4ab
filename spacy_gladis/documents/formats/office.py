"""Code shared by the readers of office files: size limits, and paragraphs with tables."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple
from zipfile import ZipFile, ZipInfo

from ...errors import FormatError
from ..builder import TextBuilder
from ..source import RegionKind

_MOST_BYTES = 1 << 28
"""Maximum size in bytes of a decompressed document, including pictures, which are also loaded."""
_MOST_MARKUP = 1 << 26
"""Maximum size in bytes of all XML files in a document."""
_MOST_TAGS = 2_000_000
"""Maximum number of XML tags in a document. Each takes some hundred bytes of memory."""


_HEAD = 1 << 10
"""Number of bytes that are read to recognize XML, because an XML file in a document may have any
name."""
_BEFORE_MARKUP = b"\xef\xbb\xbf\xfe\xff\0 \t\r\n"


def check_sizes(file: Path | BinaryIO) -> None:
    """Check that an office file doesn't decompress to more data than memory can hold.

    The check uses the sizes that the archive declares, because no file in it can be larger. The
    number of XML tags is also limited.

    Args:
        file: Path of the office file, or a file opened for reading bytes.

    Raises:
        FormatError: If the decompressed data is too large or has too many XML tags.
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
    """A paragraph of an office document, with its place in tables, titles and notes.

    Attributes:
        text: The text of the paragraph.
        begins: The part of the document that begins with the paragraph: a ``row`` or ``cell`` of a
            table, or a ``block``. It is empty if the paragraph continues the block before it.
        table: Whether the paragraph is in a table.
        level: Level of the title, or None if the paragraph isn't a title.
        kind: Kind of text, such as ``contents``, or None for running text. Code is left out of the
            plain text.
        element: The XML element of the paragraph, if the reader needs it.
        marks: References to notes, as pairs of an offset in `text` and the label of the note.
        note: Label of the note that begins with the paragraph. It is empty for other paragraphs.
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
    """Add the paragraphs of an office document to a builder.

    The builder was created with the texts of all paragraphs, with one character between them.

    Args:
        builder: Builder that receives the text.
        paragraphs: The paragraphs, in order.
        start: Offset of the first paragraph in the text with which the builder was created.

    Returns:
        The offset in this text after the last paragraph and its separator.
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
