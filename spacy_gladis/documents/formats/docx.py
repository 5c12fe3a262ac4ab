"""DOCX by python-docx: places are paragraphs, those of tables among them."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO

from ...errors import damage_is_told, require
from ..builder import TextBuilder
from ..source import RegionKind, Source
from .office import Paragraph, check_sizes, fill

_CODE = ("code", "preformatted", "verbatim", "macro")


_REGIONS: dict[str, RegionKind] = {
    "toc": "contents",
    "table of figures": "contents",
    "bibliography": "bibliography",
    "index": "index",
}
"""What paragraphs are by how the names of their styles begin."""


def open_docx(file: Path | BinaryIO) -> tuple[Any, list[Paragraph]]:
    """A document of python-docx, and its paragraphs as they are read. Raises as `read_docx`."""
    docx = require("docx", "documents", "python-docx")
    with damage_is_told("no DOCX that opens"):
        check_sizes(file)
        document = docx.Document(str(file) if isinstance(file, Path) else file)
        return document, list(_paragraphs(document, _Styles(document)))


def original_of(paragraphs: list[Paragraph]) -> str:
    """What stands for the file: a paragraph a line."""
    return "\n".join(one.text for one in paragraphs)


def read_docx(file: Path | BinaryIO) -> Source:
    """The text of a document's body. Raises FormatError where the file is no DOCX, or unpacks to
    more than can be held."""
    _, found = open_docx(file)
    builder = TextBuilder(original_of(found))
    fill(builder, found)
    return builder.source("docx").at(unit="paragraph")


class _Styles(dict[str | None, tuple[int | None, RegionKind | None]]):
    """What paragraphs are by their styles' ids: the level of a title, or the kind of another
    region. python-docx looks each id up among all."""

    def __init__(self, document: Any) -> None:
        self.part = document.part

    def __missing__(self, style: str | None) -> tuple[int | None, RegionKind | None]:
        from docx.enum.style import WD_STYLE_TYPE

        found = self.part.get_style(style, WD_STYLE_TYPE.PARAGRAPH)
        name = str(found.name).lower() if found else ""
        level = name.removeprefix("heading ")
        if any(sign in name for sign in _CODE):
            self[style] = None, "code"
        elif name == "title" or (level != name and level.isdecimal()):
            self[style] = 0 if name == "title" else int(level), None
        else:
            kinds = (kind for begins, kind in _REGIONS.items() if name.startswith(begins))
            self[style] = None, next(kinds, None)
        return self[style]


def _paragraphs(container: Any, styles: _Styles) -> Iterator[Paragraph]:
    """The paragraphs in reading order; a merged cell's once, where it begins."""
    from docx.table import _Cell

    for block in container.iter_inner_content():
        if not hasattr(block, "rows"):
            text, (level, kind) = " ".join(block.text.splitlines()), styles[block._p.style]
            yield Paragraph(text, level=level, kind=kind, element=block._p)
            continue
        for row in block._tbl.tr_lst:
            cells = [cell for cell in row.tc_lst if cell.vMerge != "continue"]
            for place, cell in enumerate(cells):
                begins = "cell" if place else "row"
                for one in _paragraphs(_Cell(cell, block), styles):
                    yield one._replace(begins=begins, table=True)
                    begins = "block"
