"""Texts that were read from files, with a map back to the positions in the files."""

import re
from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal, NamedTuple


class Position(NamedTuple):
    """A position in a file, which is usually a line and a column.

    Attributes:
        line: Number of the line or other unit, counted from 1.
        column: Number of the character in the unit, counted from 1 in Unicode code points.
        unit: What `line` counts, such as ``line``, ``page``, ``paragraph`` or ``document``.
    """

    line: int
    column: int
    unit: str = "line"

    def __str__(self) -> str:
        """Return the position as messages show it, such as ``3:14`` or ``page 2 3:14``."""
        place = f"{self.line}:{self.column}"
        return place if self.unit == "line" else f"{self.unit} {place}"


class Spans:
    """A set of spans that can be asked whether it covers an offset.

    Attributes:
        spans: The start and end of each span, merged and in order.
    """

    def __init__(self, spans: Iterable[tuple[int, int]]) -> None:
        """Create a set of spans.

        Args:
            spans: ``(start, end)`` offsets, in any order. Overlapping spans are merged.
        """
        self.spans: list[tuple[int, int]] = []
        for start, end in sorted(spans):
            if self.spans and start <= self.spans[-1][1]:
                self.spans[-1] = (self.spans[-1][0], max(end, self.spans[-1][1]))
            else:
                self.spans.append((start, end))

    def has(self, offset: int) -> bool:
        """Return whether any of the spans covers an offset.

        Args:
            offset: The character offset.
        """
        before = bisect_right(self.spans, (offset, float("inf")))
        return before > 0 and offset < self.spans[before - 1][1]


class Segment(NamedTuple):
    """A range of the plain text, and the range of the original file that it comes from.

    Ranges of equal length have the same characters. Otherwise the plain text replaces the original
    range as a whole, as `&` replaces `&amp;`.

    Attributes:
        start: Start in the plain text.
        end: End in the plain text.
        original: Start in the original.
        original_end: End in the original.
    """

    start: int
    end: int
    original: int
    original_end: int

    @property
    def verbatim(self) -> bool:
        """Whether the plain text has the same characters as the original."""
        return self.end - self.start == self.original_end - self.original


RegionKind = Literal["title", "table", "code", "bibliography", "contents", "index", "glossary"]
"""Kinds of text that aren't running text."""


class Region(NamedTuple):
    """A range of the plain text that isn't running text, such as a title or a table.

    Attributes:
        start: Start in the plain text.
        end: End in the plain text.
        kind: The kind of text.
    """

    start: int
    end: int
    kind: RegionKind


class MarkedDefinition(NamedTuple):
    """A definition of an acronym in the markup of a file, such as `<abbr title>`.

    Attributes:
        acronym: The acronym.
        long_form: Its long form.
        offset: Character offset of the acronym in the original.
        glossary: Whether the definition is an entry of a list, which applies to the whole document.
    """

    acronym: str
    long_form: str
    offset: int
    glossary: bool = False


@dataclass(frozen=True)
class Source:
    """A plain text to annotate, with a map back to the file that it was read from.

    Attributes:
        name: Name of the text, which reports show.
        text: The plain text, without markup, code, formulas, addresses and front matter.
        original: The content of the file as text, which positions refer to. None means that it
            equals `text`.
        segments: The map from `text` to `original`, in order. Empty if both are equal.
        definitions: The definitions in the markup of the file.
        format: Name of the file's format.
        path: Path of the file. Empty if the text doesn't come from a file.
        unit: What a line of `original` is in the file, as in `Position`.
        first: Number of the first line of the text in the file.
        regions: The ranges that aren't running text, sorted. Regions may be nested.
        included: Files that this file includes, or that define labels that it uses. Their
            definitions apply to this text, but their texts aren't part of it.
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
        """Return a copy of the source with other values of some attributes.

        Args:
            **place: The new values by attribute, such as `name`, `path`, `unit` or `first`.
        """
        return replace(self, **place)

    @property
    def source(self) -> str:
        """The content of the file as text, which equals `text` for plain text."""
        return self.text if self.original is None else self.original

    @cached_property
    def _starts(self) -> list[int]:
        return [segment.start for segment in self.segments]

    @cached_property
    def _lines(self) -> list[int]:
        return [0, *(match.end() for match in re.finditer(r"\r\n|\r|\n", self.source))]

    def original_offset(self, offset: int) -> int:
        """Return the offset in the original of a character in the plain text.

        Args:
            offset: Offset in the plain text.
        """
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
        """Return the range of the original that `text[start:end]` comes from.

        Args:
            start: Start in the plain text.
            end: End in the plain text.

        Returns:
            The start and end in the original. None if the range can't be replaced as a whole,
            because it contains markup or is only a part of a segment that replaces other
            characters.
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
            shown = self.text[max(start, segment.start) : min(end, segment.end)]
            if segment.verbatim and written.split() != shown.split():
                return None  # a sign that stands for white space
            if not segment.verbatim and len(shown) < segment.end - segment.start:
                return None
            number += 1
        return (first, at) if self.segments else (start, end)

    def position(self, offset: int) -> Position:
        """Return the line and column in the file of a character in the plain text.

        Args:
            offset: Offset in the plain text.
        """
        return self.position_of_original(self.original_offset(offset))

    def position_of_original(self, offset: int) -> Position:
        """Return the line and column in the file of a character in the original.

        Args:
            offset: Offset in the original.
        """
        line = bisect_right(self._lines, offset) - 1
        return Position(self.first + line, offset - self._lines[line] + 1, self.unit)

    def offset_of(self, position: Position) -> int:
        """Return the offset in the original of a line and column in the file.

        Args:
            position: A position that `position_of_original` returned.
        """
        return self._lines[position.line - self.first] + position.column - 1
