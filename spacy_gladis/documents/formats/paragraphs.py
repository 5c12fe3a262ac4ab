"""What the line-based markups share: paragraphs of slices of lines, and marks inside them."""

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from ..builder import TextBuilder, visible_runs


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
    seen: is told of each mark.
    """

    def __init__(
        self,
        builder: TextBuilder,
        marks: re.Pattern[str],
        seen: Callable[[re.Match[str]], None] = lambda match: None,
    ) -> None:
        self.builder, self.marks, self.seen = builder, marks, seen
        self.slices: list[tuple[int, int]] = []
        """Those of the open paragraph."""

    def add(self, start: int, end: int) -> None:
        """Take a slice of a line into the open paragraph."""
        if start < end:
            self.slices.append((start, end))

    def end(self) -> int:
        """End the paragraph; returns where it begins in the text."""
        before = self.builder.end
        if not self.slices:
            return before
        hidden = self._hidden(self.slices[0][0], self.slices[-1][1])
        for number, runs in enumerate(visible_runs(self.slices, hidden)):
            if number:
                self.builder.glue("\n")
            for run in runs:
                self.builder.copy(*run)
        self.builder.glue("\n\n")
        self.slices.clear()
        return before

    def _hidden(self, start: int, end: int) -> Iterator[tuple[int, int]]:
        for match in self.marks.finditer(self.builder.original, start, end):
            self.seen(match)
            at = match.start()
            for name, text in match.groupdict().items():
                if name.startswith("t") and text is not None:
                    yield at, match.start(name)
                    at = match.start(name) + len(text.rstrip())
            yield at, match.end()
