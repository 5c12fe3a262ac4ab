"""Code shared by the readers of line-based markup, such as AsciiDoc and reStructuredText."""

import re
from collections import deque
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import NamedTuple

from ..builder import TextBuilder, visible_runs
from .line_ends import breaks_word


class Line(NamedTuple):
    """A line of a file, with its position in the file.

    Attributes:
        start: Character offset at which the line starts.
        end: Character offset at which the line ends, without its line break.
        text: The text of the line, without its line break.
    """

    start: int
    end: int
    text: str

    @property
    def indent(self) -> int:
        """Number of white space characters at the beginning of the line."""
        return len(self.text) - len(self.text.lstrip())

    @property
    def blank(self) -> bool:
        """Whether the line is empty or only contains white space."""
        return not self.text.strip()


def lines_of(original: str) -> list[Line]:
    r"""Split the content of a file into lines, each with its offsets.

    Args:
        original: The content of the file, with ``\n`` as line ends.

    Returns:
        The lines in order. The list has at least one line.
    """
    lines, start = [], 0
    for text in original.split("\n"):
        lines.append(Line(start, start + len(text), text))
        start += len(text) + 1
    return lines


LONGEST_NAMED = 1_000
"""Maximum number of characters in the value of a name, such as an AsciiDoc attribute. Values can
refer to other names, so they could otherwise grow exponentially."""
Act = Callable[[], None]
"""A function without parameters that is called when a mark in the text is reached, for example to
insert the value of a name."""


class Paragraphs:
    """Joins parts of lines to paragraphs, and adds them to a builder without their markup.

    Call `add` for each part of a line, and `end` at the end of the paragraph.

    Attributes:
        slices: The ``(start, end)`` offsets in the file of the parts of the open paragraph.
    """

    def __init__(
        self,
        builder: TextBuilder,
        marks: re.Pattern[str],
        seen: Callable[[re.Match[str]], Act | None] = lambda match: None,
        nested: bool = False,
    ) -> None:
        """Create an object without an open paragraph.

        Args:
            builder: Builder that receives the paragraphs.
            marks: Regular expression for markup. Matches are left out of the text, except groups
                whose names begin with ``t``, which match text inside the markup.
            seen: Function that is called with each match. It returns a function to call when the
                text reaches the match, or None.
            nested: Whether the text inside markup may also contain markup.
        """
        self.nested = nested
        self.builder, self.marks, self.seen = builder, marks, seen
        self.slices: list[tuple[int, int]] = []
        self._notes: list[tuple[str, int, int]] = []
        self._acts: deque[tuple[int, Act]] = deque()

    def add(self, start: int, end: int) -> None:
        """Add a part of a line to the open paragraph.

        Args:
            start: Offset in the file at which the part starts.
            end: Offset in the file at which the part ends. An empty part is ignored.
        """
        if start < end:
            self.slices.append((start, end))

    def note(self, label: str, start: int, end: int) -> None:
        """Add a reference to a note at the current place, and its text after the paragraph.

        Args:
            label: Label of the note.
            start: Offset in the file at which the text of the note starts.
            end: Offset in the file at which the text of the note ends.
        """
        self.builder.mark(label)
        self._notes.append((label, start, end))

    def end(self) -> int:
        """End the open paragraph and add it to the builder, followed by its notes.

        Returns:
            The offset in the plain text at which the paragraph starts.
        """
        before = self.builder.end
        if not self.slices:
            return before
        hidden = list(self._hidden(self.slices[0][0], self.slices[-1][1]))
        original = self.builder.original
        broken = {
            end - 1: begin
            for (_, end), (begin, _) in pairwise(self.slices)
            if breaks_word(original, end, begin)
        }
        joined = {0, *broken.values()}
        hidden = sorted([*hidden, *broken.items()]) if broken else hidden
        for number, runs in enumerate(visible_runs(self.slices, hidden)):
            if number and self.slices[number][0] not in joined:
                self.builder.glue("\n")
            for run in runs:
                self._act(run[0])
                self.builder.copy(*run)
            self._act(self.slices[number][1])
        self.builder.glue("\n\n")
        self.slices.clear()
        notes, self._notes = self._notes, []
        for label, start, end in notes:
            self.add(start, end)
            self.builder.note(label, self.end())
        return before

    def _act(self, place: int) -> None:
        while self._acts and self._acts[0][0] <= place:
            self._acts.popleft()[1]()

    def _hidden(self, start: int, end: int) -> Iterator[tuple[int, int]]:
        for match in self.marks.finditer(self.builder.original, start, end):
            if act := self.seen(match):
                self._acts.append((match.start(), act))
            at = match.start()
            for name, text in match.groupdict().items():
                if name.startswith("t") and text is not None:
                    yield at, match.start(name)
                    at = match.start(name) + len(text.rstrip())
                    if self.nested:
                        yield from self._hidden(match.start(name), at)
            yield at, match.end()
