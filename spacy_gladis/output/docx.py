"""Replacement of words in DOCX files, which keeps the styles and the rest of the file unchanged."""

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable
from functools import cache
from io import BytesIO
from itertools import accumulate, pairwise
from operator import attrgetter
from pathlib import Path
from typing import Any, NamedTuple

from ..documents.formats.docx import DocxFile, original_of, pieces_of
from ..errors import FormatError
from .markup import Edit, apply_edits

_UNSEEN = ("r", "t", "proofErr", "bookmarkStart", "bookmarkEnd", "lastRenderedPageBreak")
"""Names of XML elements that can occur between the parts of a word without changing its text."""
_SPACE = "{http://www.w3.org/XML/1998/namespace}space"


class _Piece(NamedTuple):
    """An XML element that contains a part of the text.

    `before` is the number of elements that aren't text before it in the paragraph.
    """

    start: int
    end: int
    element: Any
    before: int


class EditableDocx:
    """A DOCX file whose words can be replaced.

    All offsets are character offsets in the text that was read from the file (`Source.source`).
    """

    def __init__(self, path: Path, read: str) -> None:
        """Open a DOCX file to replace words in it.

        Args:
            path: Path of the file.
            read: Text that `read_docx` returned for the file. It is compared with the current
                content, because offsets are wrong if the file has changed.

        Raises:
            FormatError: If the file is damaged, or has changed since it was read.
        """
        opened = DocxFile(path)
        self._document, paragraphs = opened.document, opened.paragraphs
        if original_of(paragraphs) != read:
            raise FormatError("The file has changed since it was read. Run the command again.")
        self._paragraphs = [(paragraph.element, paragraph.kind) for paragraph in paragraphs]
        self._starts = [0, *accumulate(len(paragraph.text) + 1 for paragraph in paragraphs)]
        self._pieces = cache(self._read_pieces)

    def can_replace(self, start: int, end: int) -> bool:
        """Return whether a range of text in the DOCX file can be replaced.

        Args:
            start: Character offset at which the range starts.
            end: Character offset at which the range ends (exclusive).

        Returns:
            True if the range is inside one paragraph, contains only text, and isn't in a header or
            footer.
        """
        _, kind = self._paragraphs[bisect_right(self._starts, start) - 1]
        return kind != "title" and bool(self._find_pieces(start, end))

    def replaced(self, edits: Iterable[Edit]) -> bytes:
        """Return the content of the DOCX file with words replaced. The file itself stays unchanged.

        A replacement is skipped if its range can't be replaced (see `can_replace`) or overlaps the
        range of an earlier one.

        Args:
            edits: Replacements, in any order. A new text gets the style of the first word that it
                replaces.

        Returns:
            The content of the changed DOCX file.
        """
        changes: defaultdict[_Piece, list[Edit]] = defaultdict(list)
        free = 0
        for start, end, text in sorted(edits):
            for piece in self._find_pieces(start, end) if start >= free else []:
                first, last = max(start, piece.start), min(end, piece.end)
                changes[piece].append(Edit(first - piece.start, last - piece.start, text))
                text, free = "", end
        for piece, own_edits in changes.items():
            piece.element.text = apply_edits(piece.element.text, own_edits)
            piece.element.set(_SPACE, "preserve")
        self._document.save(file := BytesIO())
        return file.getvalue()

    def _find_pieces(self, start: int, end: int) -> list[_Piece]:
        """Return the XML elements that contain a range of text. Empty if it can't be replaced."""
        number = bisect_right(self._starts, start) - 1
        pieces = self._pieces(number)
        first = bisect_right(pieces, start, key=attrgetter("end"))
        overlapping = pieces[first : bisect_left(pieces, end, key=attrgetter("start"))]
        if (
            not overlapping
            or overlapping[-1].end < end
            or overlapping[0].before < overlapping[-1].before
        ):
            return []
        return overlapping if all(_name(piece.element) == "t" for piece in overlapping) else []

    def _read_pieces(self, number: int) -> list[_Piece]:
        """Return the XML elements that contain the text of a paragraph, in order."""
        paragraph, _ = self._paragraphs[number]
        pieces = pieces_of(paragraph)
        others_before: dict[Any, int] = {}
        others = 0
        for element in paragraph.xpath(".//*[not(ancestor-or-self::w:rPr)]"):
            others += _name(element) not in _UNSEEN
            others_before[element] = others
        offsets = accumulate((len(piece.text) for piece in pieces), initial=self._starts[number])
        return [
            _Piece(*piece_offsets, piece.element, others_before[piece.element])
            for piece_offsets, piece in zip(pairwise(offsets), pieces, strict=True)
        ]


def _name(element: Any) -> str:
    return str(element.tag.rpartition("}")[2])
