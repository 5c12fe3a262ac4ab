"""DOCX by python-docx: places are paragraphs, those of tables among them."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

from ...errors import FormatError, require
from ..builder import TextBuilder
from ..source import RegionKind, Source
from .archives import check_sizes

_CODE = ("code", "preformatted", "verbatim", "macro")


_REGIONS: dict[str, RegionKind] = {
    "toc": "contents",
    "table of figures": "contents",
    "bibliography": "bibliography",
    "index": "index",
}
"""What paragraphs are by how the names of their styles begin."""


class _Paragraph(NamedTuple):
    text: str
    style: str
    cell: bool = False  # begins a cell of a table
    row: bool = False
    table: bool = False  # stands in a table
    element: Any = None


def open_docx(file: Path | BinaryIO) -> tuple[Any, list[_Paragraph]]:
    """A document of python-docx, and its paragraphs as they are read. Raises as `read_docx`."""
    docx = require("docx", "documents", "python-docx")
    try:
        check_sizes(file, "DOCX")
        document = docx.Document(str(file) if isinstance(file, Path) else file)
        return document, list(_paragraphs(document, _Styles(document)))
    except (OSError, FormatError):
        raise
    except Exception as error:  # whatever a damaged archive makes zipfile, lxml and docx raise
        raise FormatError(f"no DOCX that opens: {error}") from error


def original_of(paragraphs: list[_Paragraph]) -> str:
    """What stands for the file: a paragraph a line."""
    return "\n".join(one.text for one in paragraphs)


def read_docx(file: Path | BinaryIO) -> Source:
    """The text of a document's body. Raises FormatError where the file is no DOCX, or unpacks to
    more than can be held."""
    _, found = open_docx(file)
    builder = TextBuilder(original_of(found))
    start, table = 0, None
    for text, style, cell, row, within, _ in found:
        if table is not None and not within:
            builder.end_rows(table, "table")
        table = (builder.end if table is None else table) if within else None
        if cell:
            builder.cell(first=row)
        if not any(name in style for name in _CODE):
            begin = builder.end
            builder.copy(start, start + len(text))
            _mark(builder, style, begin)
            builder.glue("\n\n")
        start += len(text) + 1
    if table is not None:
        builder.end_rows(table, "table")
    return builder.source("docx").at(unit="paragraph")


def _mark(builder: TextBuilder, style: str, begin: int) -> None:
    """Say what the paragraph since `begin` is by its style."""
    level = style.removeprefix("heading ")
    if style == "title" or (level != style and level.isdecimal()):
        builder.title(begin, 0 if style == "title" else int(level))
    elif kind := next((kind for name, kind in _REGIONS.items() if style.startswith(name)), None):
        builder.region(kind, begin)


class _Styles(dict[str | None, str]):
    """The names of paragraphs' styles in small letters, by their ids: python-docx looks each up
    among all."""

    def __init__(self, document: Any) -> None:
        self.part = document.part

    def __missing__(self, style: str | None) -> str:
        from docx.enum.style import WD_STYLE_TYPE

        found = self.part.get_style(style, WD_STYLE_TYPE.PARAGRAPH)
        self[style] = name = str(found.name).lower() if found else ""
        return name


def _paragraphs(container: Any, styles: _Styles) -> Iterator[_Paragraph]:
    """The paragraphs in reading order; a merged cell's once, where it begins."""
    from docx.table import _Cell

    for block in container.iter_inner_content():
        if not hasattr(block, "rows"):
            text = " ".join(block.text.splitlines())
            yield _Paragraph(text, styles[block._p.style], element=block._p)
            continue
        for row in block._tbl.tr_lst:
            first = True
            for cell in row.tc_lst:
                if cell.vMerge == "continue":
                    continue
                for number, one in enumerate(_paragraphs(_Cell(cell, block), styles)):
                    begins = not number
                    yield one._replace(cell=begins, row=begins and first, table=True)
                first = False
