"""Build plain texts from files, with a map from each character to its position in the file.

The readers of the formats add text to a `TextBuilder` piece by piece.
"""

import re
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import accumulate, pairwise

from .lists import entry_of, is_glossary, kind_of_section, long_form_of
from .source import MarkedDefinition, Region, RegionKind, Segment, Source


def same_length_newlines(source: str) -> str:
    r"""Replace all line ends by ``\n`` without changing the offset of any other character.

    For this, ``\r\n`` becomes a space and ``\n``.

    Args:
        source: A text with any line ends.
    """
    return source.replace("\r\n", " \n").replace("\r", "\n") if "\r" in source else source


# Signs that occur in paths, addresses and program code, but not in words.
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
"""Invisible characters inside words, such as soft hyphens, and marks of notes after words."""
_LOOK_BEHIND = 4  # characters
_BEFORE_MARK = re.compile(r"([\w.&/-]{0,99}\w)[*_]{0,9}\s?\Z")


def consecutive(places: Sequence[int], start: int, end: int) -> Iterator[tuple[int, int]]:
    """Split a range of indices into runs whose offsets are consecutive numbers.

    For example, the offsets ``[4, 5, 9]`` have the runs ``(0, 2)`` and ``(2, 3)``.

    Args:
        places: The offset of each index.
        start: First index of the range.
        end: Index after the last index of the range.

    Yields:
        The first index of each run, and the index after its last.
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
    """Remove hidden spans, such as markup, from slices of a text.

    Args:
        slices: ``(start, end)`` offsets of the slices, in text order.
        hidden: ``(start, end)`` offsets of the hidden spans, in text order. A span may continue in
            the next slice.

    Yields:
        For each slice, a list of the ``(start, end)`` offsets of its visible parts.
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
    r"""Builder of a plain text that records where in the file each character comes from.

    A reader adds the visible parts of a file from beginning to end, and marks titles, tables and
    other regions. At the end, `source` returns the finished text. Offsets in the original are
    offsets in the content of the file, and offsets in the text are offsets in the plain text.

    Attributes:
        original: The content of the file with ``\n`` as line ends. Every other character keeps its
            offset.
        definitions: The definitions of acronyms in the file's markup.
        names: The values of names that the file defines, such as labels, attributes and
            substitutions.
        end: Length of the plain text so far.
        regions: The ranges of the plain text that are not running text.
    """

    def __init__(self, source: str) -> None:
        """Create a builder whose plain text is still empty.

        Args:
            source: The content of the file, with any line ends.
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
        """The offset at which each line of the file starts, and the offset after the file's end."""
        return [0, *accumulate(len(line) + 1 for line in self.original.split("\n"))]

    @property
    def tail(self) -> str:
        """The part that was added last to the plain text. It is empty if nothing was added."""
        return self._glue or self._parts[-1] if self._parts else ""

    def copy(self, start: int, end: int) -> None:
        """Add a range of the file's content to the plain text, without changes.

        Args:
            start: Offset in the file's content at which the range starts.
            end: Offset at which the range ends (exclusive).
        """
        if start < end:
            self._add(self.original[start:end], start, end)

    def replace(self, text: str, start: int, end: int) -> None:
        """Add a text that replaces a range of the file's content, such as ``&`` for ``&amp;``.

        Args:
            text: The text to add.
            start: Offset in the file's content at which the replaced range starts.
            end: Offset at which the replaced range ends (exclusive).
        """
        if len(text) == end - start and text.split() != self.original[start:end].split():
            self._add(text[:-1], start, end)  # segments of equal length must have equal characters
            self._add(text[-1:], end, end)
        elif text:
            self._add(text, start, end)

    def glue(self, text: str) -> None:
        """Add a separator that isn't in the file, such as a paragraph break.

        The separator is only written between other texts. If several separators are added in a row,
        only the longest is written.

        Args:
            text: The separator, which consists of spaces or line ends.
        """
        if self._parts and len(text) > len(self._glue):
            self._glue = text

    def spread(self, text: str, places: Sequence[int]) -> None:
        """Add a text whose characters come from separate places in the file.

        Args:
            text: The text to add.
            places: The offset in the file's content of each character of `text`, followed by the
                offset of its end.
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
        """Add a range of the file's content to the plain text, without the hidden spans in it.

        Args:
            start: Offset in the file's content at which the range starts.
            end: Offset at which the range ends (exclusive).
            hidden: ``(start, end)`` offsets of the hidden spans in the file's content, in order.
        """
        for run in next(visible_runs([(start, end)], hidden)):
            self.copy(*run)

    def define(self, acronym: str, long_form: str, offset: int, glossary: bool = False) -> None:
        """Add a definition from the file's markup, unless its acronym or long form is empty.

        Args:
            acronym: The acronym, such as ``HRF``.
            long_form: Its long form, such as ``Housing Repair Fund``.
            offset: Offset of the acronym in the file's content.
            glossary: Whether the definition is an entry of a list of abbreviations.
        """
        acronym, long_form = (
            " ".join(_UNSEEN.sub("", part).split()) for part in (acronym, long_form)
        )
        if acronym and long_form:
            self.definitions.append(MarkedDefinition(acronym, long_form, offset, glossary))

    def region(self, kind: RegionKind, start: int, end: int | None = None) -> None:
        """Mark a range of the plain text that is not running text, such as a table.

        Args:
            kind: Kind of text, such as ``"table"``.
            start: Start of the range in the plain text.
            end: End of the range. None means the end of the plain text so far.
        """
        self.regions.append(Region(start, self.end if end is None else end, kind))

    def title(self, start: int, level: int, end: int | None = None) -> None:
        """Mark a range of the plain text as the title of a section.

        A title such as ``References`` also gives its section a kind. The section ends at the next
        title of the same or a higher level.

        Args:
            start: Start of the title in the plain text.
            level: Level of the title. Higher titles have smaller numbers.
            end: End of the title. None means the end of the plain text so far.
        """
        self._titles.append((start, self.end if end is None else end, level))

    def mark(self, label: str) -> None:
        """Record a reference to a note, such as a footnote, at the end of the plain text so far.

        The text of the note may be the long form of the word before the reference.

        Args:
            label: The label of the note, as passed to `note`.
        """
        word = _BEFORE_MARK.search(self._parts[-1]) if self._parts else None
        if word:
            behind = len(self._parts[-1]) - word.start()
            self._marks.setdefault(label, (word[1], self._segments[-1].original_end - behind))

    def note(self, label: str, start: int) -> None:
        """Mark the end of the plain text so far, from `start` on, as the text of a note.

        A note such as ``Housing Repair Fund`` defines the word before the reference to it. A note
        such as ``HRF: Housing Repair Fund`` defines its own first word.

        Args:
            label: The label of the note, as passed to `mark`.
            start: Start of the note in the plain text.
        """
        self._notes.append((label, start, self.end))

    def cell(self, first: bool = False) -> None:
        """Begin a cell of a table at the end of the plain text so far.

        The terms and descriptions of a list are cells, too. The cells show whether the table or
        list is a glossary.

        Args:
            first: Whether the cell is the first in its row, or a term.
        """
        if first:
            self._rows.append([])
        if self._rows:
            self._rows[-1].append(self.end)

    def end_rows(self, start: int, kind: RegionKind | None = None) -> None:
        """End the open table or list, whose cells were begun with `cell`.

        The table or list becomes a region of the kind ``"glossary"`` if its cells contain acronyms
        and long forms.

        Args:
            start: Start of the table or list in the plain text.
            kind: Kind of a region that covers it, such as ``"table"``. None means no other region.
        """
        rows = [row for row in self._rows if row[0] >= start]
        self._tables.append((start, self.end, rows))
        self._rows = []
        if kind:
            self.region(kind, start)

    def source(self, format: str, name: str = "text") -> Source:
        """Return the finished plain text with its map to the file, its definitions and its regions.

        White space at the ends of regions is removed, and words that look like code are marked.

        Args:
            format: Name of the file's format, such as ``markdown``.
            name: Name of the document in reports.

        Returns:
            The document, without the path of its file. The caller sets it with `Source.at`.
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
        """Yield the definitions of acronyms that the texts of notes contain."""
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
            # The start page of a site may also have the title "Index".
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
        """Add a text that stands for a range of the file, without its invisible characters."""
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
    """Yield the words of a text that look like code, which may lack markup in any format."""
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
