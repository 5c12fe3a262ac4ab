"""Gathers a source's plain text and remembers where each piece stood: what the readers fill."""

import re
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import accumulate, pairwise

from .lists import entry_of, is_glossary, kind_of_section, long_form_of
from .source import MarkedDefinition, Region, RegionKind, Segment, Source


def same_length_newlines(source: str) -> str:
    r"""The text with `\n` alone as line ends, and every other character at its old offset."""
    return source.replace("\r\n", " \n").replace("\r", "\n") if "\r" in source else source


# What a path, an address and program code have and words have not.
_CODE = re.compile(
    r"[\\@=#~${}]|::|\(\)|[^\W_]_+[^\W_]|(?<!\w)--\w"  # a_b, a::b, f(), --option
    r"|\w:\w\w:\w|\w\w\.[^\W\d]|[^\W\d]\.\w\w|(?<![\w.])[./]\w|[a-z.]/|/[a-z.]"  # h:mm:s, a.md, /a
)
_WORD = re.compile(r"[!-~]*[\w/]")  # in ASCII, to the stop of its sentence
_UNSEEN = re.compile(
    "[\u00ad\u200b\u2060\ufeff]+"  # soft hyphens, and spaces without width
    "|(?<=[^\\W\\d_]{4})[\u00b9\u00b2\u00b3\u2070\u2074-\u2079\u2020\u2021]+(?!\\w)"
    "|(?<=[^\\W\\d_]{4})[*]{1,3}(?= \\()"
    "|(?<=[A-Z]{2})[\u2020\u2021]+(?!\\w)"
)
"""What is no part of the words: where they may break, and marks of notes behind them."""
_LOOK_BEHIND = 4
_BEFORE_MARK = re.compile(r"([\w.&/-]{0,99}\w)[*_]{0,9}\s?\Z")


def consecutive(places: Sequence[int], start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield the runs of indices from start to end whose places follow one another."""
    at = start
    while at < end:
        stop = at + 1
        while stop < end and places[stop] == places[stop - 1] + 1:
            stop += 1
        yield at, stop
        at = stop


def visible_runs(
    slices: Iterable[tuple[int, int]], hidden: Iterable[tuple[int, int]]
) -> Iterator[list[tuple[int, int]]]:
    """Yield for each slice of a text the runs of it that are not hidden.

    Args:
        slices: ``(start, end)`` offsets, in order.
        hidden: Offsets of what is left out, in order; a run may go on in the next slice.
    """
    left_out = deque(hidden)
    for start, end in slices:
        runs, at = [], start
        while left_out and left_out[0][0] < end:
            left, right = left_out[0]
            if at < left:
                runs.append((at, left))
            at = max(at, right)
            if right > end:
                break
            left_out.popleft()
        yield [*runs, (at, end)] if at < end else runs


class TextBuilder:
    r"""Gathers plain text run by run; the original's characters never lose their place.

    original: a file's text with `\n` alone as line ends, every character at its offset there.
    """

    def __init__(self, source: str) -> None:
        self._source = source
        self.original = same_length_newlines(source)
        self.definitions: list[MarkedDefinition] = []
        self.names: dict[str, str] = {}
        """What the format's own names stand for, such as labels, attributes and substitutions."""
        self.end = 0
        """How long the text is so far."""
        self.regions: list[Region] = []
        self._titles: list[tuple[int, int, int]] = []  # start, end, level
        self._rows: list[list[int]] = []  # where each cell begins
        self._tables: list[tuple[int, int, list[list[int]]]] = []
        self._marks: dict[str, tuple[str, int]] = {}  # of notes: the word before, and where it is
        self._notes: list[tuple[str, int, int]] = []  # whose marks, start, end
        self._parts: list[str] = []
        self._segments: list[Segment] = []
        self._glue = ""

    @cached_property
    def lines(self) -> list[int]:
        """Where each line of the original begins, and at last what is behind its end."""
        return [0, *accumulate(len(line) + 1 for line in self.original.split("\n"))]

    @property
    def tail(self) -> str:
        """The end of the text so far."""
        return self._glue or self._parts[-1] if self._parts else ""

    def copy(self, start: int, end: int) -> None:
        """Take characters of the original as they are."""
        if start < end:
            self._add(self.original[start:end], start, end)

    def replace(self, text: str, start: int, end: int) -> None:
        """Take a text that stands for characters of the original, such as a resolved entity."""
        if len(text) == end - start and text.split() != self.original[start:end].split():
            self._add(text[:-1], start, end)  # of another length: they are not the same characters
            self._add(text[-1:], end, end)
        elif text:
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
        for run in next(visible_runs([(start, end)], hidden)):
            self.copy(*run)

    def define(self, acronym: str, long_form: str, offset: int, glossary: bool = False) -> None:
        """Take a definition that the format marks, unless a part of it is empty."""
        acronym, long_form = (
            " ".join(_UNSEEN.sub("", part).split()) for part in (acronym, long_form)
        )
        if acronym and long_form:
            self.definitions.append(MarkedDefinition(acronym, long_form, offset, glossary))

    def region(self, kind: RegionKind, start: int, end: int | None = None) -> None:
        """Say what the text is from `start`, an `end` of before, up to here."""
        self.regions.append(Region(start, self.end if end is None else end, kind))

    def title(self, start: int, level: int, end: int | None = None) -> None:
        """Say that the text from `start` up to here is the title of a section, which goes on to
        the next title of its level or a higher one, a smaller number."""
        self._titles.append((start, self.end if end is None else end, level))

    def mark(self, label: str) -> None:
        """Say that the mark of a note stands here, behind a word that the note may explain.

        Args:
            label: The note's name, number or anything else that `note` is told, too.
        """
        word = _BEFORE_MARK.search(self._parts[-1]) if self._parts else None
        if word:
            behind = len(self._parts[-1]) - word.start()
            self._marks.setdefault(label, (word[1], self._segments[-1].original_end - behind))

    def note(self, label: str, start: int) -> None:
        """Say that the text from `start` up to here is a note.

        ``Housing Repair Fund`` defines the word before its mark, ``HRF: Housing Repair Fund`` its
        own first word.

        Args:
            label: What `mark` was told.
            start: Where the note begins in the text.
        """
        self._notes.append((label, start, self.end))

    def cell(self, first: bool = False) -> None:
        """Begin a cell of a table's row, or a term or its words in a list; `first`: of a row."""
        if first:
            self._rows.append([])
        if self._rows:
            self._rows[-1].append(self.end)

    def end_rows(self, start: int, kind: RegionKind | None = None) -> None:
        """End the table or list that began at `start` with the cells since then.

        kind: what it is in any case, as a table is; a glossary it is by what the cells say.
        """
        rows = [row for row in self._rows if row[0] >= start]
        self._tables.append((start, self.end, rows))
        self._rows = []
        if kind:
            self.region(kind, start)

    def source(self, format: str, name: str = "text") -> Source:
        """The text with its map, and its regions without white space at their ends."""
        text = "".join(self._parts)
        found = [*self.regions, *self._sections(text), *self._glossaries(text), *_code(text)]
        source = Source(
            name,
            text,
            self._source,
            tuple(self._segments),
            format=format,
            regions=tuple(sorted(set(_stripped(text, found)))),
        )
        return source.at(definitions=(*self.definitions, *self._noted(source)))

    def _noted(self, source: Source) -> Iterator[MarkedDefinition]:
        """What the notes define."""
        for label, start, end in self._notes:
            words = source.text[start:end].strip()
            word, place = self._marks.get(label, ("", 0))
            if entry := entry_of(words):
                at = source.text.index(entry[0], start)
                yield MarkedDefinition(*entry, source.original_offset(at), glossary=True)
            elif long_form := long_form_of(word, words):
                yield MarkedDefinition(word, long_form, place, glossary=True)

    def _sections(self, text: str) -> Iterator[Region]:
        within: list[tuple[int, int, RegionKind]] = []  # level, start, what it is
        for number, (start, end, level) in enumerate([*self._titles, (self.end, self.end, -1)]):
            while within and within[-1][0] >= level:
                _, begin, kind = within.pop()
                yield Region(begin, start, kind)
            yield Region(start, end, "title")
            named = kind_of_section(text[start:end].strip())
            if named and (number or named != "index"):  # a start page is called Index, too
                within.append((level, end, named))

    def _glossaries(self, text: str) -> Iterator[Region]:
        for start, end, rows in self._tables:
            ends = [*(row[0] for row in rows[1:]), end]
            cells = [
                [text[at:stop].strip() for at, stop in pairwise([*row, last])]
                for row, last in zip(rows, ends, strict=False)
            ]
            if is_glossary(cells):
                yield Region(start, end, "glossary")

    def _add(self, text: str, start: int, end: int) -> None:
        """Take a run without what is not seen in it."""
        before = self.tail[-_LOOK_BEHIND:]
        unseen = [
            (one.start() - len(before), one.end() - len(before))
            for one in _UNSEEN.finditer(before + text, len(before))
        ]
        if not unseen:
            self._append(text, start, end)
            return
        runs = next(visible_runs([(0, len(text))], unseen))
        if len(text) == end - start:
            for left, right in runs:
                self._append(text[left:right], start + left, start + right)
        else:
            self._append("".join(text[left:right] for left, right in runs), start, end)

    def _append(self, text: str, start: int, end: int) -> None:
        if not text:
            return
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


def _code(text: str) -> Iterator[Region]:
    """Words that are code by their signs, which stand without markup in any format."""
    end = 0
    for sign in _CODE.finditer(text):
        if sign.start() >= end:
            start = sign.start()
            while start > end and "!" <= text[start - 1] <= "~":
                start -= 1
            word = _WORD.match(text, start)
            end = word.end() if word else sign.end()
            yield Region(start, end, "code")


def _stripped(text: str, regions: Iterable[Region]) -> Iterator[Region]:
    for start, end, kind in regions:
        while start < end and text[start].isspace():
            start += 1
        while start < end and text[end - 1].isspace():
            end -= 1
        if start < end:
            yield Region(start, end, kind)
