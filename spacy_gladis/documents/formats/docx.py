"""Reader of DOCX files, which uses python-docx.

Positions in a document are paragraphs, including those in tables, text boxes and notes.
"""

from collections import deque
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

from ...errors import require, wrap_parser_errors
from ..builder import TextBuilder
from ..lists import names
from ..source import RegionKind, Source
from .office import Paragraph, check_sizes, fill

_CODE = ("code", "preformatted", "verbatim", "macro")
_REGIONS: dict[str, RegionKind] = {
    "toc": "contents",
    "table of figures": "contents",
    "bibliography": "bibliography",
    "index": "index",
}
"""Kinds of paragraphs, by the beginning of the name of their style."""
_THROUGH = names(
    "sdt sdtContent ins moveTo smartTag customXml hyperlink fldSimple bdo dir r AlternateContent "
    "Choice drawing pict object shape group textbox wsp txbx inline anchor graphic graphicData "
    "wgp grpSp wpc rect roundrect oval ruby rubyBase"
)
"""XML elements whose children are read: inserted and moved words, controls, fields and shapes.
Deleted text, and alternatives for older programs, are skipped."""
_CHARACTERS = {"tab": "\t", "ptab": "\t", "br": " ", "cr": " ", "noBreakHyphen": "-"}
_NOTE_PARTS = {"footnoteReference": "footnotes", "endnoteReference": "endnotes"}
_LINE_ENDS = str.maketrans(dict.fromkeys("\n\r\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029", " "))


class Piece(NamedTuple):
    """A part of a paragraph's text, with the XML element that contains it.

    Attributes:
        text: The text of this part.
        element: The XML element, which can be changed to edit the file.
    """

    text: str
    element: Any


class DocxFile:
    """An open DOCX file, whose paragraphs have been read.

    Attributes:
        document: The document, as an object of python-docx.
        paragraphs: The paragraphs in reading order: headers, the body, and footers. Text boxes and
            notes follow the paragraph or table to which they belong.
    """

    def __init__(self, file: Path | BinaryIO) -> None:
        """Open a DOCX file and read its paragraphs.

        Args:
            file: Path of the file, or a file opened for reading bytes.

        Raises:
            FormatError: If the file isn't a valid DOCX file, or decompresses to too much.
        """
        docx = require("docx", "documents", "python-docx")
        from docx.opc.part import PartFactory, XmlPart

        for kind in _NOTE_PARTS.values():
            content = f"application/vnd.openxmlformats-officedocument.wordprocessingml.{kind}+xml"
            PartFactory.part_type_for.setdefault(content, XmlPart)
        with wrap_parser_errors("not a readable DOCX file"):
            check_sizes(file)
            self.document = docx.Document(str(file) if isinstance(file, Path) else file)
            self._styles = _Styles(self.document)
            self._related: dict[str, list[Any]] = {}  # elements of parts, by kind
            for relation in self.document.part.rels.values():
                if not relation.is_external and hasattr(relation.target_part, "element"):
                    kind = relation.reltype.rpartition("/")[2]
                    self._related.setdefault(kind, []).append(relation.target_part.element)
            self._notes = {
                (reference, note.get(_qualified("id"))): note
                for reference, kind in _NOTE_PARTS.items()
                for part in self._related.get(kind, ())
                for note in part
            }
            self._waiting: deque[tuple[str, Any]] = deque()  # labels, containers of paragraphs
            self.paragraphs = list(self._read())

    def _read(self) -> Iterator[Paragraph]:
        yield from self._margins("header")
        for block in _children(self.document.element.body):
            yield from self._block(block, table=False)
            while self._waiting:
                label, container = self._waiting.popleft()
                for paragraph in self._within(container, table=False):
                    yield paragraph._replace(note=label)
                    label = ""
        yield from self._margins("footer")

    def _margins(self, kind: str) -> Iterator[Paragraph]:
        """Yield the paragraphs of headers or footers, which aren't running text."""
        for part in self._related.get(kind, ()):
            for paragraph in self._within(part, table=False):
                if paragraph.text.strip():
                    yield paragraph._replace(kind="title", level=None)

    def _within(self, container: Any, table: bool) -> Iterator[Paragraph]:
        for block in _children(container):
            yield from self._block(block, table)

    def _block(self, block: Any, table: bool) -> Iterator[Paragraph]:
        name = _name(block)
        if name == "p":
            yield self._paragraph(block, table)
        elif name == "tbl":
            for row in _children(block, "tr"):
                cells = [cell for cell in _children(row, "tc") if cell.vMerge != "continue"]
                for place, cell in enumerate(cells):
                    begins = "cell" if place else "row"
                    for paragraph in self._within(cell, table=True):
                        yield paragraph._replace(begins=begins, table=True)
                        begins = "block"

    def _paragraph(self, element: Any, table: bool) -> Paragraph:
        parts: list[str] = []
        marks: list[tuple[int, str]] = []
        length = 0
        for child in _children(element, *_CHARACTERS, *_NOTE_PARTS, "t", "txbxContent"):
            name = _name(child)
            if name == "txbxContent":
                self._waiting.append(("", child))
            elif name in _NOTE_PARTS:
                label = name, child.get(_qualified("id"))
                if (note := self._notes.pop(label, None)) is not None:  # each note is read once
                    marks.append((length, " ".join(label)))
                    self._waiting.append((" ".join(label), note))
            else:
                parts.append(_text(child))
                length += len(parts[-1])
        level, kind = self._styles[element.style]
        return Paragraph(
            "".join(parts), "block", table, level, kind, element=element, marks=tuple(marks)
        )


def pieces_of(paragraph: Any) -> list[Piece]:
    """Return the parts of a paragraph's text in reading order, each with its XML element.

    Args:
        paragraph: The XML element of the paragraph, as in `Paragraph.element`.
    """
    return [Piece(_text(child), child) for child in _children(paragraph, *_CHARACTERS, "t")]


def original_of(paragraphs: list[Paragraph]) -> str:
    """Return the texts of all paragraphs of a document, one on each line.

    Positions in a DOCX file refer to this text, so the line of a position is the number of a
    paragraph.

    Args:
        paragraphs: The paragraphs of the document, in reading order.
    """
    return "\n".join(paragraph.text for paragraph in paragraphs)


def read_docx(file: Path | BinaryIO) -> Source:
    """Read a DOCX file as plain text, including its tables, text boxes, notes, headers and footers.

    Args:
        file: Path of the file, or a file opened for reading bytes.

    Returns:
        The document as plain text. The line of a position is the number of the paragraph.

    Raises:
        FormatError: If the file isn't a valid DOCX file, or decompresses to too much.
    """
    paragraphs = DocxFile(file).paragraphs
    builder = TextBuilder(original_of(paragraphs))
    fill(builder, paragraphs)
    return builder.source("docx").at(unit="paragraph")


def _children(element: Any, *wanted: str) -> Iterator[Any]:
    """Yield the nearest descendants of an XML element with some names.

    By default, these are paragraphs and tables. The search looks inside elements that only wrap
    others.
    """
    wanted = wanted or ("p", "tbl")
    waiting = [iter(element)]
    while waiting:
        child = next(waiting[-1], None)
        if child is None:
            waiting.pop()
        elif (name := _name(child)) in wanted:
            if name != "tr" or not child.xpath("w:trPr/w:del"):
                yield child
        elif name in _THROUGH and not (name == "r" and _is_hidden(child)):
            waiting.append(iter(child))


def _is_hidden(run: Any) -> bool:
    """Return whether a run of text in a DOCX file has the property "hidden"."""
    vanish = run.find(f"{_qualified('rPr')}/{_qualified('vanish')}")
    return vanish is not None and vanish.get(_qualified("val")) not in ("0", "false", "off")


def _text(element: Any) -> str:
    """Return the text of an XML element, in which a line break becomes a space."""
    name = _name(element)
    if name == "br" and element.get(_qualified("type")) in ("page", "column"):
        return ""
    return _CHARACTERS.get(name) or (element.text or "").translate(_LINE_ENDS)


def _name(element: Any) -> str:
    return str(element.tag).rpartition("}")[2]


def _qualified(name: str) -> str:
    return f"{{http://schemas.openxmlformats.org/wordprocessingml/2006/main}}{name}"


class _Styles(dict[str | None, tuple[int | None, RegionKind | None]]):
    """A cache of the title level or kind of region that belongs to each style id.

    It avoids python-docx's linear search for each id.
    """

    def __init__(self, document: Any) -> None:
        self.part = document.part

    def __missing__(self, style: str | None) -> tuple[int | None, RegionKind | None]:
        from docx.enum.style import WD_STYLE_TYPE

        paragraph_style = self.part.get_style(style, WD_STYLE_TYPE.PARAGRAPH)
        name = str(paragraph_style.name).lower() if paragraph_style else ""
        level = name.removeprefix("heading ")
        if any(sign in name for sign in _CODE):
            self[style] = None, "code"
        elif name == "title" or (level != name and level.isdecimal()):
            self[style] = 0 if name == "title" else int(level), None
        else:
            kinds = (kind for begins, kind in _REGIONS.items() if name.startswith(begins))
            self[style] = None, next(kinds, None)
        return self[style]
