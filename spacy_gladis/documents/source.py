"""A text read from a file, and the way back to its place there."""

import re
from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal, NamedTuple


class Position(NamedTuple):
    """A place in a file, both numbers from 1; columns are Unicode code points.

    unit: what `line` counts: a `line`, `page`, `paragraph` or `document`.
    """

    line: int
    column: int
    unit: str = "line"

    def __str__(self) -> str:
        place = f"{self.line}:{self.column}"
        return place if self.unit == "line" else f"{self.unit} {place}"


class Spans:
    """Runs of a text, and whether a place lies in one of them."""

    def __init__(self, spans: Iterable[tuple[int, int]]) -> None:
        self.spans: list[tuple[int, int]] = []
        for start, end in sorted(spans):
            if self.spans and start <= self.spans[-1][1]:
                self.spans[-1] = (self.spans[-1][0], max(end, self.spans[-1][1]))
            else:
                self.spans.append((start, end))

    def has(self, offset: int) -> bool:
        """Whether a character lies in one of the runs."""
        before = bisect_right(self.spans, (offset, float("inf")))
        return before > 0 and offset < self.spans[before - 1][1]


class Segment(NamedTuple):
    """A run of the plain text, by offsets, and the run of the original that it stands for.

    Runs of one length are the same characters; of another, such as `&amp;`, one stands for all.
    """

    start: int
    end: int
    original: int
    original_end: int

    @property
    def verbatim(self) -> bool:
        """Whether the characters are the original's own."""
        return self.end - self.start == self.original_end - self.original


RegionKind = Literal["title", "table", "code", "bibliography", "contents", "index", "glossary"]


class Region(NamedTuple):
    """A run of the plain text that is not running text, by offsets."""

    start: int
    end: int
    kind: RegionKind


class MarkedDefinition(NamedTuple):
    """A definition by the format's own means, such as `<abbr title>`.

    offset: of the acronym in the original.
    glossary: whether it is an entry of a list, which holds for the whole document.
    """

    acronym: str
    long_form: str
    offset: int
    glossary: bool = False


@dataclass(frozen=True)
class Source:
    """A text to annotate, what to call it, and where its characters come from.

    text: plain, without the format's markup, code, formulas, addresses and front matter.
    original: what positions refer to, as it is in the file; None: the text itself.
    segments: the map from text to original, in order; none where they are the same.
    regions: what is not running text, sorted; one may lie within another.
    included: files that are parts of this one, or define what it looks up; their texts are none of
        this text, but what they define holds here.
    path: the file; empty where there is none.
    unit, first: what a line of the original is in the file, and the first one's number.
    """

    name: str
    text: str
    original: str | None = None
    segments: tuple[Segment, ...] = ()
    definitions: tuple[MarkedDefinition, ...] = ()
    format: str = "text"
    path: str = ""
    unit: str = "line"
    first: int = 1
    regions: tuple[Region, ...] = ()
    included: tuple["Source", ...] = ()

    def at(self, **place: Any) -> "Source":
        """The same text with another name, path, unit or first line."""
        return replace(self, **place)

    @property
    def source(self) -> str:
        """The original, whatever the format."""
        return self.text if self.original is None else self.original

    @cached_property
    def _starts(self) -> list[int]:
        return [segment.start for segment in self.segments]

    @cached_property
    def _lines(self) -> list[int]:
        return [0, *(match.end() for match in re.finditer(r"\r\n|\r|\n", self.source))]

    def original_offset(self, offset: int) -> int:
        """Where a character of the text stands in the original."""
        if self.original is None:
            return offset
        number = bisect_right(self._starts, offset) - 1
        if number < 0:
            return self.segments[0].original if self.segments else 0
        segment = self.segments[number]
        if segment.verbatim:
            return segment.original + min(offset, segment.end) - segment.start
        return segment.original if offset < segment.end else segment.original_end

    def original_span(self, start: int, end: int) -> tuple[int, int] | None:
        """The run of the original that `text[start:end]` stands for.

        None where markup lies inside, or where it is a part of what a mark such as a name stands
        for: what stands there cannot be replaced as one.
        """
        first = at = self.original_offset(start)
        number = max(0, bisect_right(self._starts, start) - 1)
        while number < len(self.segments) and self.segments[number].start < end:
            segment = self.segments[number]
            if self.source[at : segment.original].strip():
                return None
            left = max(0, segment.end - end) if segment.verbatim else 0
            begin, at = at, segment.original_end - left
            written = self.source[max(begin, segment.original) : at]
            said = self.text[max(start, segment.start) : min(end, segment.end)]
            if segment.verbatim and written.split() != said.split():
                return None  # a sign that stands for white space
            if not segment.verbatim and len(said) < segment.end - segment.start:
                return None
            number += 1
        return (first, at) if self.segments else (start, end)

    def position(self, offset: int) -> Position:
        """The place in the file of a character of the text."""
        return self.position_of_original(self.original_offset(offset))

    def position_of_original(self, offset: int) -> Position:
        """The place in the file of a character of the original."""
        line = bisect_right(self._lines, offset) - 1
        return Position(self.first + line, offset - self._lines[line] + 1, self.unit)
