"""Plain texts that were read from files, with a map from the text back to the file."""

import re
from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal, NamedTuple


class Position(NamedTuple):
    """A place in a file, as a line and a column.

    In formats without lines, another unit replaces the line, such as the page of a PDF file.

    Attributes:
        line: Number of the line or other unit, counted from 1.
        column: Number of the character in the line or other unit, counted from 1. Characters are
            Unicode code points.
        unit: The unit that `line` counts, such as ``line``, ``page``, ``paragraph`` or
            ``document``.
    """

    line: int
    column: int
    unit: str = "line"

    def __str__(self) -> str:
        """Return the position as messages show it, such as ``3:14`` or ``page 2:14``."""
        place = f"{self.line}:{self.column}"
        return place if self.unit == "line" else f"{self.unit} {place}"


class Spans:
    """A set of spans of a text, with a fast test of whether a character is inside one of them.

    Attributes:
        spans: ``(start, end)`` offsets in text order. Overlapping and adjacent spans are merged.
    """

    def __init__(self, spans: Iterable[tuple[int, int]]) -> None:
        """Create a set of spans from their offsets.

        Args:
            spans: ``(start, end)`` offsets, in any order. They may overlap.
        """
        self.spans: list[tuple[int, int]] = []
        for start, end in sorted(spans):
            if self.spans and start <= self.spans[-1][1]:
                self.spans[-1] = (self.spans[-1][0], max(end, self.spans[-1][1]))
            else:
                self.spans.append((start, end))

    def has(self, offset: int) -> bool:
        """Return whether the character at an offset is inside any of the spans.

        Args:
            offset: Offset of the character in the text.
        """
        before = bisect_right(self.spans, (offset, float("inf")))
        return before > 0 and offset < self.spans[before - 1][1]


class Segment(NamedTuple):
    """A range of a plain text, and the range of the original file from which it was read.

    If both ranges have the same length, they contain the same characters. Otherwise the range of
    the plain text replaces the whole range of the file, as `&` replaces `&amp;`.

    Attributes:
        start: Start of the range in the plain text.
        end: End of the range in the plain text (exclusive).
        original: Start of the range in the original file.
        original_end: End of the range in the original file (exclusive).
    """

    start: int
    end: int
    original: int
    original_end: int

    @property
    def verbatim(self) -> bool:
        """Whether the plain text contains this range of the file without changes."""
        return self.end - self.start == self.original_end - self.original


RegionKind = Literal["title", "table", "code", "bibliography", "contents", "index", "glossary"]
"""Kinds of text in a document that are not running text."""


class Region(NamedTuple):
    """A range of a plain text that is not running text, such as a title, a table or a bibliography.

    Attributes:
        start: Start of the range in the plain text.
        end: End of the range in the plain text (exclusive).
        kind: Kind of text, such as ``"title"`` or ``"table"``.
    """

    start: int
    end: int
    kind: RegionKind


class MarkedDefinition(NamedTuple):
    """A definition of an acronym by the markup of a file, such as `<abbr title="...">` in HTML.

    Attributes:
        acronym: The acronym, such as ``HRF``.
        long_form: Its long form, such as ``Housing Repair Fund``.
        offset: Offset of the acronym in the original file.
        glossary: Whether the definition is an entry of a list of abbreviations. Such a definition
            applies to the whole document.
    """

    acronym: str
    long_form: str
    offset: int
    glossary: bool = False


@dataclass(frozen=True)
class Source:
    """A document as plain text, with a map back to the file from which it was read.

    The text contains no markup, code, formulas, addresses or front matter. The map gives the line
    and column in the file for each character of the text.

    Attributes:
        name: Name of the document in reports, such as its path.
        text: The plain text of the document.
        original: The content of the file as text. None means that it equals `text`.
        segments: The map from `text` to `original`, in text order. It is empty if both are equal.
        definitions: The definitions in the markup of the file.
        format: Name of the file's format, such as ``markdown``.
        path: Path of the file. It is empty if the text doesn't come from a file.
        unit: The unit of the file that each line of `original` stands for, as in `Position`.
        first: Number of the first line of `original` in the file. It is greater than 1 if the file
            contains several documents.
        regions: The ranges of `text` that are not running text, sorted. Regions may be nested.
        included: Files that this file includes, or that define labels which this file uses. Their
            definitions apply to this document, but their texts are not part of it.
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
        """Return a copy of the document in which some attributes have new values.

        Args:
            **place: The new values by the name of the attribute, such as `name`, `path`, `unit` or
                `first`.
        """
        return replace(self, **place)

    @property
    def source(self) -> str:
        """The content of the file as text. For plain text, it equals `text`."""
        return self.text if self.original is None else self.original

    @cached_property
    def _starts(self) -> list[int]:
        return [segment.start for segment in self.segments]

    @cached_property
    def _lines(self) -> list[int]:
        return [0, *(match.end() for match in re.finditer(r"\r\n|\r|\n", self.source))]

    def original_offset(self, offset: int) -> int:
        """Return the offset in the original file of a character in the plain text.

        If the character belongs to a text that replaces other characters, the start of the replaced
        range is returned.

        Args:
            offset: Offset of the character in `text`.
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
        """Return the range of the original file from which a range of the plain text was read.

        Use it to change the file. The result is None if the range can't be replaced as a whole,
        because it contains markup or only a part of a text that replaces other characters.

        Args:
            start: Start of the range in `text`.
            end: End of the range in `text`.

        Returns:
            The start and end of the range in `original`, or None.
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
            offset: Offset of the character in `text`.
        """
        return self.position_of_original(self.original_offset(offset))

    def position_of_original(self, offset: int) -> Position:
        """Return the line and column in the file of a character in the original file.

        Args:
            offset: Offset of the character in `original`.
        """
        line = bisect_right(self._lines, offset) - 1
        return Position(self.first + line, offset - self._lines[line] + 1, self.unit)

    def offset_of(self, position: Position) -> int:
        """Return the offset in the original file of a given line and column.

        Args:
            position: A position that `position` or `position_of_original` returned for this
                document.
        """
        return self._lines[position.line - self.first] + position.column - 1
