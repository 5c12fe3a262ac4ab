"""Character offsets of a text as positions of the protocol, and back."""

import re
from bisect import bisect_right
from itertools import takewhile

from lsprotocol import types
from pygls.workspace import PositionCodec

_LINE_END = re.compile(r"\r\n|\r|\n")  # unlike str.splitlines, which also ends lines at form feeds


class Lines:
    """The lines of a text."""

    def __init__(self, text: str, codec: PositionCodec) -> None:
        """Find the lines of a text.

        Args:
            text: The text.
            codec: Counts characters in the client's units, which are UTF-16 code units by default.
        """
        self.text, self._count = text, codec.client_num_units
        self._starts = [0, *(match.end() for match in _LINE_END.finditer(text))]

    def position(self, offset: int) -> types.Position:
        """Return the position of a character offset.

        Args:
            offset: Character offset in the text.
        """
        line = bisect_right(self._starts, offset) - 1
        return types.Position(line, self._count(self.text[self._starts[line] : offset]))

    def range(self, start: int, end: int) -> types.Range:
        """Return the range between two character offsets.

        Args:
            start: Character offset where the range starts.
            end: Character offset where the range ends (exclusive).
        """
        return types.Range(self.position(start), self.position(end))

    def offset(self, position: types.Position) -> int:
        """Return the character offset of a position. Beyond a line's end it is that end.

        Args:
            position: Position of the protocol.
        """
        if position.line >= len(self._starts):
            return len(self.text)
        offset, units = self._starts[position.line], 0
        while units < position.character and self.text[offset : offset + 1] not in ("", "\r", "\n"):
            units += self._count(self.text[offset])
            offset += 1
        return offset

    def edit(self, text: str) -> types.TextEdit:
        """Return the shortest edit in whole words that changes this text to another one.

        Args:
            text: The new text.
        """
        start = _count_equal(self.text, text)
        rest = _count_equal(self.text[start:][::-1], text[start:][::-1])
        place = self.range(start, len(self.text) - rest)
        return types.TextEdit(place, text[start : len(text) - rest])


def _count_equal(first: str, second: str) -> int:
    """Return how many characters, up to the end of a word, are equal where two texts begin."""
    pairs = zip(first, second, strict=False)
    count = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
    while count and first[count - 1].isalnum():
        count -= 1
    return count
