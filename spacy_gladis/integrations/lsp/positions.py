"""Conversion between character offsets and the positions of the Language Server Protocol."""

import re
from bisect import bisect_right
from itertools import takewhile

from lsprotocol import types
from pygls.workspace import PositionCodec

_LINE_END = re.compile(r"\r\n|\r|\n")  # unlike str.splitlines, which also ends lines at form feeds


class Lines:
    """The lines of a text, which convert between character offsets and positions in lines."""

    def __init__(self, text: str, codec: PositionCodec) -> None:
        """Find the lines of a text.

        Args:
            text: Content of a document.
            codec: Codec that counts characters in the units of the editor. By default, these are
                UTF-16 code units.
        """
        self.text, self._count = text, codec.client_num_units
        self._starts = [0, *(match.end() for match in _LINE_END.finditer(text))]

    def position(self, offset: int) -> types.Position:
        """Return the line and column of a character offset.

        Args:
            offset: Character offset in the text.
        """
        line = bisect_right(self._starts, offset) - 1
        return types.Position(line, self._count(self.text[self._starts[line] : offset]))

    def range(self, start: int, end: int) -> types.Range:
        """Return the range between two character offsets.

        Args:
            start: Character offset at which the range starts.
            end: Character offset at which the range ends (exclusive).
        """
        return types.Range(self.position(start), self.position(end))

    def offset(self, position: types.Position) -> int:
        """Return the character offset of a position in the text.

        Args:
            position: Line and column, as an editor sends them. If the column is beyond the end of
                the line, the result is the end of the line.
        """
        if position.line >= len(self._starts):
            return len(self.text)
        offset, units = self._starts[position.line], 0
        while units < position.character and self.text[offset : offset + 1] not in ("", "\r", "\n"):
            units += self._count(self.text[offset])
            offset += 1
        return offset

    def edit(self, text: str) -> types.TextEdit:
        """Return the smallest edit that turns the text into a new text and replaces whole words.

        Args:
            text: New text.
        """
        start = _count_equal(self.text, text)
        rest = _count_equal(self.text[start:][::-1], text[start:][::-1])
        place = self.range(start, len(self.text) - rest)
        return types.TextEdit(place, text[start : len(text) - rest])


def _count_equal(first: str, second: str) -> int:
    """Return the number of equal characters at the beginning of two texts.

    If the texts differ within a word, the characters of this word don't count.
    """
    pairs = zip(first, second, strict=False)
    count = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
    while count and first[count - 1].isalnum():
        count -= 1
    return count
