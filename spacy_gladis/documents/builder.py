"""Builds the plain text of a source and maps each piece to its place. The readers fill it."""

import re
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import accumulate, pairwise

from .lists import entry_of, is_glossary, kind_of_section, long_form_of
from .source import MarkedDefinition, Region, RegionKind, Segment, Source


def same_length_newlines(source: str) -> str:
    r"""Replace line ends by ``\n`` and keep the offset of every other character.

    Args:
        source: A text with any line ends.
    """
    return source.replace("\r\n", " \n").replace("\r", "\n") if "\r" in source else source


# Signs of paths, addresses and program code, which words lack.
_CODE = re.compile(
    r"[\\@=#~${}]|::|\(\)|[^\W_]_+[^\W_]|(?<!\w)--\w"  # a_b, a::b, f(), --option
    r"|\w:\w\w:\w|\w\w\.[^\W\d]|[^\W\d]\.\w\w|(?<![\w.])[./]\w|[a-z.]/|/[a-z.]"  # h:mm:s, a.md, /a
)
_WORD = re.compile(r"[!-~]*[\w/]")  # in ASCII, without final punctuation
_UNSEEN = re.compile(
    "[\u00ad\u200b\u2060\ufeff]+"  # soft hyphens, and spaces without width
    "|(?<=[^\\W\\d_]{4})[\u00b9\u00b2\u00b3\u2070\u2074-\u2079\u2020\u2021]+(?!\\w)"
    "|(?<=[^\\W\\d_]{4})[*]{1,3}(?= \\()"
    "|(?<=[A-Z]{2})[\u2020\u2021]+(?!\\w)"
)
"""Invisible break marks in words, and note marks after words."""
_LOOK_BEHIND = 4  # characters
_BEFORE_MARK = re.compile(r"([\w.&/-]{0,99}\w)[*_]{0,9}\s?\Z")


def consecutive(places: Sequence[int], start: int, end: int) -> Iterator[tuple[int, int]]:
    """Split a range of indices into runs with consecutive places.

    Args:
        places: The place of each index.
        start: First index.
        end: Index after the last.

    Yields:
        ``(start, end)`` indices of the runs.
    """
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
    """Remove hidden spans from slices of a text.

    Args:
        slices: ``(start, end)`` offsets, in order.
        hidden: Offsets of what is hidden, in order. A span may continue in the next slice.

    Yields:
        The visible runs of each slice.
    """
    pending = deque(hidden)
    for start, end in slices:
        runs, at = [], start
        while pending and pending[0][0] < end:
            left, right = pending[0]
            if at < left:
                runs.append((at, left))
            at = max(at, right)
            if right > end:
                break
            pending.popleft()
        yield [*runs, (at, end)] if at < end else runs


class TextBuilder:
    r"""Builds plain text run by run and keeps the place of every character.

    Attributes:
        original: The text with ``\n`` as line ends, and every character at its offset in the file.
        definitions: Definitions that the format marks.
        names: Values of the format's names, such as labels, attributes and substitutions.
        end: Length of the text so far.
        regions: Runs of the text that are not running text.
    """

    def __init__(self, source: str) -> None:
        """Start an empty text.

        Args:
            source: The text of the file.
        """
        self._source = source
        self.original = same_length_newlines(source)
        self.definitions: list[MarkedDefinition] = []
        self.names: dict[str, str] = {}
        self.end = 0
        self.regions: list[Region] = []
        self._titles: list[tuple[int, int, int]] = []  # start, end, level
        self._rows: list[list[int]] = []  # start of each cell
        self._tables: list[tuple[int, int, list[list[int]]]] = []
        self._marks: dict[str, tuple[str, int]] = {}  # by label: the word before, its offset
        self._notes: list[tuple[str, int, int]] = []  # label, start, end
        self._parts: list[str] = []
        self._segments: list[Segment] = []
        self._glue = ""

    @cached_property
    def lines(self) -> list[int]:
        """Offset in the original of each line, and the offset after the end."""
        return [0, *accumulate(len(line) + 1 for line in self.original.split("\n"))]

    @property
    def tail(self) -> str:
        """The last part of the text so far."""
        return self._glue or self._parts[-1] if self._parts else ""

    def copy(self, start: int, end: int) -> None:
        """Add characters of the original unchanged.

        Args:
            start: Start in the original.
            end: End in the original.
        """
        if start < end:
            self._add(self.original[start:end], start, end)

    def replace(self, text: str, start: int, end: int) -> None:
        """Add a text that stands for characters of the original, such as a resolved entity.

        Args:
            text: The text to add.
            start: Start in the original of what it stands for.
            end: End in the original.
        """
        if len(text) == end - start and text.split() != self.original[start:end].split():
            self._add(text[:-1], start, end)  # segments of equal length must have equal characters
            self._add(text[-1:], end, end)
        elif text:
            self._add(text, start, end)

    def glue(self, text: str) -> None:
        """Add a text that the original lacks, such as a paragraph break.

        It only appears between other texts. Of several in a row, the longest is used.

        Args:
            text: The text to add.
        """
        if self._parts and len(text) > len(self._glue):
            self._glue = text

    def spread(self, text: str, places: Sequence[int]) -> None:
        """Add a text whose characters have separate places in the original.

        Args:
            text: The text to add.
            places: Offset in the original of each character, and of the end.
        """
        for at, stop in consecutive(places, 0, len(text)):
            begin, end = places[at], places[stop]
            if end != begin + stop - at:  # the last character stands for more or less
                end = begin + stop - at - 1
                self.replace(text[at : stop - 1], begin, end)
                self.replace(text[stop - 1 : stop], end, max(end, places[stop]))
            else:
                self.replace(text[at:stop], begin, end)

    def mask(self, start: int, end: int, hidden: Iterable[tuple[int, int]]) -> None:
        """Add characters of the original without hidden spans.

        Args:
            start: Start in the original.
            end: End in the original.
            hidden: Offsets in the original of what is hidden, in order.
        """
        for run in next(visible_runs([(start, end)], hidden)):
            self.copy(*run)

    def define(self, acronym: str, long_form: str, offset: int, glossary: bool = False) -> None:
        """Add a definition that the format marks, unless a part of it is empty.

        Args:
            acronym: The acronym.
            long_form: Its long form.
            offset: Offset of the acronym in the original.
            glossary: Whether it is an entry of a list.
        """
        acronym, long_form = (
            " ".join(_UNSEEN.sub("", part).split()) for part in (acronym, long_form)
        )
        if acronym and long_form:
            self.definitions.append(MarkedDefinition(acronym, long_form, offset, glossary))

    def region(self, kind: RegionKind, start: int, end: int | None = None) -> None:
        """Mark a run of the text that is not running text.

        Args:
            kind: What the run is.
            start: Start in the text.
            end: End in the text. None means the end of the text so far.
        """
        self.regions.append(Region(start, self.end if end is None else end, kind))

    def title(self, start: int, level: int, end: int | None = None) -> None:
        """Mark the title of a section.

        The section ends at the next title of its level or a higher one.

        Args:
            start: Start of the title in the text.
            level: Level of the title. Higher titles have smaller numbers.
            end: End of the title. None means the end of the text so far.
        """
        self._titles.append((start, self.end if end is None else end, level))

    def mark(self, label: str) -> None:
        """Mark a reference to a note here. The note may explain the word before it.

        Args:
            label: The label of the note, as passed to `note`.
        """
        word = _BEFORE_MARK.search(self._parts[-1]) if self._parts else None
        if word:
            behind = len(self._parts[-1]) - word.start()
            self._marks.setdefault(label, (word[1], self._segments[-1].original_end - behind))

    def note(self, label: str, start: int) -> None:
        """Mark the text from `start` to here as a note.

        ``Housing Repair Fund`` defines the word before the note's mark. ``HRF: Housing Repair
        Fund`` defines its own first word.

        Args:
            label: The label of the note, as passed to `mark`.
            start: Start of the note in the text.
        """
        self._notes.append((label, start, self.end))

    def cell(self, first: bool = False) -> None:
        """Begin a cell of a table, or a term or description of a list.

        Args:
            first: Whether it is the first cell of a row.
        """
        if first:
            self._rows.append([])
        if self._rows:
            self._rows[-1].append(self.end)

    def end_rows(self, start: int, kind: RegionKind | None = None) -> None:
        """End a table or list.

        Args:
            start: Its start in the text.
            kind: What it is. It may also be a glossary, depending on its cells.
        """
        rows = [row for row in self._rows if row[0] >= start]
        self._tables.append((start, self.end, rows))
        self._rows = []
        if kind:
            self.region(kind, start)

    def source(self, format: str, name: str = "text") -> Source:
        """Return the text with its map. Regions lose the white space at their ends.

        Args:
            format: Name of the format.
            name: Name of the text in reports.
        """
        text = "".join(self._parts)
        regions = [*self.regions, *self._sections(text), *self._glossaries(text), *_code(text)]
        source = Source(
            name,
            text,
            self._source,
            tuple(self._segments),
            format=format,
            regions=tuple(sorted(set(_stripped(text, regions)))),
        )
        return source.at(definitions=(*self.definitions, *self._noted(source)))

    def _noted(self, source: Source) -> Iterator[MarkedDefinition]:
        """Yield the definitions of the notes."""
        for label, start, end in self._notes:
            words = source.text[start:end].strip()
            word, place = self._marks.get(label, ("", 0))
            if entry := entry_of(words):
                at = source.text.index(entry[0], start)
                yield MarkedDefinition(*entry, source.original_offset(at), glossary=True)
            elif long_form := long_form_of(word, words):
                yield MarkedDefinition(word, long_form, place, glossary=True)

    def _sections(self, text: str) -> Iterator[Region]:
        within: list[tuple[int, int, RegionKind]] = []  # level, start, kind
        for number, (start, end, level) in enumerate([*self._titles, (self.end, self.end, -1)]):
            while within and within[-1][0] >= level:
                _, begin, kind = within.pop()
                yield Region(begin, start, kind)
            yield Region(start, end, "title")
            section_kind = kind_of_section(text[start:end].strip())
            # A start page may be titled Index, too.
            if section_kind and (number or section_kind != "index"):
                within.append((level, end, section_kind))

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
        """Add a run without its invisible characters."""
        before = self.tail[-_LOOK_BEHIND:]
        unseen = [
            (match.start() - len(before), match.end() - len(before))
            for match in _UNSEEN.finditer(before + text, len(before))
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
    """Yield words with signs of code, which may occur without markup in any format."""
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
