"""A DOCX with some of its words replaced; styles and all else stay."""

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable
from functools import cache
from io import BytesIO
from itertools import accumulate, pairwise
from pathlib import Path
from typing import Any, NamedTuple

from ..documents.formats.docx import DocxFile, original_of, pieces_of
from ..errors import FormatError
from .markup import Edit, apply_edits

_UNSEEN = ("r", "t", "proofErr", "bookmarkStart", "bookmarkEnd", "lastRenderedPageBreak")
"""What may stand between the pieces of a word."""
_SPACE = "{http://www.w3.org/XML/1998/namespace}space"


class _Piece(NamedTuple):
    """An element that holds some of the text, and how many stand before it that are no text."""

    start: int
    end: int
    element: Any
    before: int


class EditableDocx:
    """A DOCX with words that may be replaced; offsets are those of `Source.source`.

    read: what `read_docx` made of it. Raises FormatError where the file says another thing by now,
    and as `read_docx`.
    """

    def __init__(self, path: Path, read: str) -> None:
        opened = DocxFile(path)
        self._document, found = opened.document, opened.paragraphs
        if original_of(found) != read:
            raise FormatError("it is not what was read before")
        self._paragraphs = [(one.element, one.kind) for one in found]
        self._starts = [0, *accumulate(len(one.text) + 1 for one in found)]
        self._pieces = cache(self._read_pieces)

    def can_replace(self, start: int, end: int) -> bool:
        """Whether these are words of one paragraph with nothing else between them, and in no header
        or footer."""
        _, kind = self._paragraphs[bisect_right(self._starts, start) - 1]
        return kind != "title" and bool(self._holding(start, end))

    def replaced(self, edits: Iterable[Edit]) -> bytes:
        """The file with every edit that can be made, but for those that overlap an earlier one: a
        text stands where the words began, in their style."""
        changes: defaultdict[_Piece, list[Edit]] = defaultdict(list)
        free = 0
        for start, end, text in sorted(edits):
            for piece in self._holding(start, end) if start >= free else []:
                first, last = max(start, piece.start), min(end, piece.end)
                changes[piece].append(Edit(first - piece.start, last - piece.start, text))
                text, free = "", end
        for piece, own_edits in changes.items():
            piece.element.text = apply_edits(piece.element.text, own_edits)
            piece.element.set(_SPACE, "preserve")
        self._document.save(file := BytesIO())
        return file.getvalue()

    def _holding(self, start: int, end: int) -> list[_Piece]:
        """The pieces that hold these words; none where they cannot be replaced."""
        number = bisect_right(self._starts, start) - 1
        pieces = self._pieces(number)
        first = bisect_right(pieces, start, key=lambda one: one.end)
        held = pieces[first : bisect_left(pieces, end, key=lambda one: one.start)]
        if not held or held[-1].end < end or held[0].before < held[-1].before:
            return []
        return held if all(_name(one.element) == "t" for one in held) else []

    def _read_pieces(self, number: int) -> list[_Piece]:
        """The pieces of a paragraph in order."""
        paragraph, _ = self._paragraphs[number]
        found = pieces_of(paragraph)
        before: dict[Any, int] = {}
        others = 0
        for element in paragraph.xpath(".//*[not(ancestor-or-self::w:rPr)]"):
            others += _name(element) not in _UNSEEN
            before[element] = others
        places = accumulate((len(one.text) for one in found), initial=self._starts[number])
        return [
            _Piece(*place, one.element, before[one.element])
            for place, one in zip(pairwise(places), found, strict=True)
        ]


def _name(element: Any) -> str:
    return str(element.tag.rpartition("}")[2])
