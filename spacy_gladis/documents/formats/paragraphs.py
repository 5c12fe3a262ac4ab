"""What the line-based markups share: paragraphs of slices of lines, and marks inside them."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from ..builder import TextBuilder


class Line(NamedTuple):
    """A line of the original: where it begins and ends, its text, and its indentation."""

    start: int
    end: int
    text: str

    @property
    def indent(self) -> int:
        """Columns of white space before the text."""
        return len(self.text) - len(self.text.lstrip())

    @property
    def blank(self) -> bool:
        """Whether there is white space alone."""
        return not self.text.strip()


def lines_of(original: str) -> list[Line]:
    """The lines of a text whose line ends are `\\n`."""
    lines, start = [], 0
    for text in original.split("\n"):
        lines.append(Line(start, start + len(text), text))
        start += len(text) + 1
    return lines


class Paragraphs:
    """Gathers slices of lines into paragraphs, and puts them without their marks into a builder.

    marks: matches what is no text; a group whose name begins with `t` is, inside.
    """

    def __init__(self, builder: TextBuilder, marks: re.Pattern[str]) -> None:
        self.builder, self.marks = builder, marks
        self._slices: list[tuple[int, int]] = []

    def add(self, start: int, end: int) -> None:
        """Take a slice of a line into the open paragraph."""
        if start < end:
            self._slices.append((start, end))

    def end(self) -> None:
        """End the paragraph."""
        if not self._slices:
            return
        hidden = list(self._hidden(self._slices[0][0], self._slices[-1][1]))
        for number, (start, end) in enumerate(self._slices):
            if number:
                self.builder.glue("\n")
            self.builder.mask(start, end, [one for one in hidden if one[1] > start])
        self.builder.glue("\n\n")
        self._slices.clear()

    def _hidden(self, start: int, end: int) -> Iterator[tuple[int, int]]:
        for match in self.marks.finditer(self.builder.original, start, end):
            at = match.start()
            for name, text in match.groupdict().items():
                if name.startswith("t") and text is not None:
                    yield at, match.start(name)
                    at = match.end(name)
            yield at, match.end()
