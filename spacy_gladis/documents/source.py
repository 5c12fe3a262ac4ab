"""A text read from a file, and the way back to its place there."""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import accumulate
from typing import Any, Literal, NamedTuple

_SPACE = re.compile(r"\s+")
_AMPERSANDS = {"html": "&amp;", "markdown": "&amp;", "latex": "\\&"}


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


RegionKind = Literal[
    "title", "table", "code", "link", "bibliography", "contents", "index", "glossary"
]


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
        """The run of the original that is `text[start:end]`, white space and ampersands apart.

        None where markup lies inside: what stands there cannot be replaced as one.
        """
        first, last = self.original_offset(start), self.original_offset(end - 1) + 1
        found = _SPACE.sub(" ", self.source[first:last])
        found = found.replace(_AMPERSANDS.get(self.format, "&"), "&")
        return (first, last) if found == _SPACE.sub(" ", self.text[start:end]) else None

    def position(self, offset: int) -> Position:
        """The place in the file of a character of the text."""
        return self.position_of_original(self.original_offset(offset))

    def position_of_original(self, offset: int) -> Position:
        """The place in the file of a character of the original."""
        line = bisect_right(self._lines, offset) - 1
        return Position(self.first + line, offset - self._lines[line] + 1, self.unit)


def same_length_newlines(source: str) -> str:
    r"""The text with `\n` alone as line ends, and every other character at its old offset."""
    return source.replace("\r\n", " \n").replace("\r", "\n") if "\r" in source else source


def consecutive(places: Sequence[int], start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield the runs of indices from start to end whose places follow one another."""
    at = start
    while at < end:
        stop = at + 1
        while stop < end and places[stop] == places[stop - 1] + 1:
            stop += 1
        yield at, stop
        at = stop


class TextBuilder:
    r"""Gathers plain text run by run; the original's characters never lose their place.

    original: a file's text with `\n` alone as line ends, every character at its offset there.
    """

    def __init__(self, source: str) -> None:
        self._source = source
        self.original = same_length_newlines(source)
        self.definitions: list[MarkedDefinition] = []
        self.end = 0
        """How long the text is so far."""
        self._regions: list[Region] = []
        self._parts: list[str] = []
        self._segments: list[Segment] = []
        self._glue = ""

    @cached_property
    def lines(self) -> list[int]:
        """Where each line of the original begins, and at last what is behind its end."""
        return [0, *accumulate(len(line) + 1 for line in self.original.split("\n"))]

    def copy(self, start: int, end: int) -> None:
        """Take characters of the original as they are."""
        if start < end:
            self._add(self.original[start:end], start, end)

    def replace(self, text: str, start: int, end: int) -> None:
        """Take a text that stands for characters of the original, such as a resolved entity."""
        if text:
            self._add(text, start, end)

    def glue(self, text: str) -> None:
        """Take a text that the original has not, such as a paragraph's end: between others only,
        and of several the longest."""
        if self._parts and len(text) > len(self._glue):
            self._glue = text

    def spread(self, text: str, places: Sequence[int]) -> None:
        """Take a text with the offset of each of its characters in the original, and the end's."""
        for at, stop in consecutive(places, 0, len(text)):
            begin, end = places[at], places[stop]
            if end != begin + stop - at:  # the last one stands for more or for less
                end = begin + stop - at - 1
                self.replace(text[at : stop - 1], begin, end)
                self.replace(text[stop - 1 : stop], end, max(end, places[stop]))
            else:
                self.replace(text[at:stop], begin, end)

    def mask(self, start: int, end: int, hidden: Iterable[tuple[int, int]]) -> None:
        """Take characters of the original without those hidden, which are offsets in order."""
        at = start
        for left, right in hidden:
            self.copy(at, min(max(at, left), end))
            at = max(at, right)
        self.copy(at, end)

    def define(self, acronym: str, long_form: str, offset: int, glossary: bool = False) -> None:
        """Take a definition that the format marks, unless a part of it is empty."""
        acronym, long_form = (" ".join(part.split()) for part in (acronym, long_form))
        if acronym and long_form:
            self.definitions.append(MarkedDefinition(acronym, long_form, offset, glossary))

    def region(self, kind: RegionKind, start: int) -> None:
        """Say what all of the text since `start`, an `end` of before, is."""
        if start < self.end:
            self._regions.append(Region(start, self.end, kind))

    def source(self, format: str, name: str = "text") -> Source:
        """The text with its map, and its regions without white space at their ends."""
        text = "".join(self._parts)
        return Source(
            name,
            text,
            self._source,
            tuple(self._segments),
            tuple(self.definitions),
            format,
            regions=tuple(sorted(self._stripped(text))),
        )

    def _stripped(self, text: str) -> Iterator[Region]:
        for start, end, kind in self._regions:
            inside = text[start:end]
            if words := inside.strip():
                begin = start + len(inside) - len(inside.lstrip())
                yield Region(begin, begin + len(words), kind)

    def _add(self, text: str, start: int, end: int) -> None:
        if self._glue:
            self._parts.append(self._glue)
            self.end += len(self._glue)
            self._glue = ""
        begin, self.end = self.end, self.end + len(text)
        self._parts.append(text)
        segment = Segment(begin, self.end, start, end)
        last = self._segments[-1] if self._segments else None
        joins = last and last.verbatim and segment.verbatim and last.original_end == start
        if last and joins and last.end == begin:
            segment = Segment(last.start, segment.end, last.original, end)
            self._segments.pop()
        self._segments.append(segment)
