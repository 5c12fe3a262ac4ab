"""Titles and tables in reStructuredText, which are drawn with lines of characters.

If a replacement makes a title or a cell longer, these lines must become longer as well. Otherwise
the markup is invalid.
"""

import re
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import pairwise
from operator import attrgetter
from unicodedata import combining, east_asian_width

from .markup import Edit, apply_edits

_ADORNMENT = re.compile(r"\A([!-/:-@\[-`{-~])\1+[ \t]*\Z")
_SIMPLE = re.compile(r"[ \t]*=+(?: +=+)+[ \t]*\Z")
_SPANNED = re.compile(r"[ \t]*-+(?: +-+)*[ \t]*\Z")
_GRID = re.compile(r"[ \t]*\+(?:[-=]+\+)+[ \t]*\Z")
_BORDER = re.compile(r" *\+?[-=]+\Z")
_MIN_ADORNMENT = 4
"""Minimum length of the line below a title.

A shorter line must be as long as the title. Otherwise, both lines are ordinary text.
"""


class _Line:
    """A line of text, with the character offset in the file at which it starts."""

    def __init__(self, start: int, text: str) -> None:
        self.start, self.text = start, text
        self.end = start + len(text)

    def edit(self, edits: Sequence[Edit]) -> str:
        relative = (
            Edit(edit.start - self.start, edit.end - self.start, edit.text) for edit in edits
        )
        return apply_edits(self.text, relative)


class _Table:
    """A table of a reStructuredText file that is drawn with characters.

    Args:
        lines: Lines of the table, from its first to its last border.
        cuts: For each line, the columns at which its cells end. The last cell is left out.
        padded: Whether a blank precedes the end of each cell, as in a grid table.
    """

    def __init__(self, lines: list[_Line], cuts: list[list[int]], padded: bool) -> None:
        self.lines, self.cuts, self.is_padded = lines, cuts, padded
        self.start, self.end = lines[0].start, lines[-1].end

    @cached_property
    def is_even(self) -> bool:
        """Whether each character of the table is one column wide, so that it can be redrawn."""
        signs = {sign for line in self.lines for sign in line.text}
        return "\t" not in signs and all(_width(sign) == 1 for sign in signs)

    def redraw(self, edits: Sequence[Edit]) -> list[Edit]:
        """Return edits that replace the lines of the table and widen its columns for new texts."""
        growth = dict.fromkeys(sorted({cut for cuts in self.cuts for cut in cuts}), 0)

        def width(begin: int, end: int) -> int:
            return end - begin + sum(added for at, added in growth.items() if begin < at <= end)

        rows = []
        for line, cuts in zip(self.lines, self.cuts, strict=True):
            cells = [(begin, end, line.text[begin:end]) for begin, end in pairwise([0, *cuts])]
            pieces = [_Line(line.start + begin, text) for begin, _, text in cells]
            edited = [piece.edit(_within(edits, piece.start, piece.end)) for piece in pieces]
            rest = _Line(line.start + cuts[-1], line.text[cuts[-1] :]) if cuts else line
            rows.append((cells, edited, rest.edit(_within(edits, rest.start, rest.end))))
        # Cells that span columns come last, because the columns may be wide enough by then.
        requests = [
            (end - begin, begin, end, len(after.rstrip()) + self.is_padded)
            for cells, edited, _ in rows
            for (begin, end, before), after in zip(cells, edited, strict=True)
            if before != after
        ]
        for _, begin, end, needed in sorted(requests):
            growth[end] += max(0, needed - width(begin, end))
        changes = []
        for line, (cells, edited, last) in zip(self.lines, rows, strict=True):
            is_drawn = self.is_padded or _SIMPLE.match(line.text) or _SPANNED.match(line.text)
            padded_cells = [
                after.ljust(width(begin, end), after[-1])
                if is_drawn and _BORDER.match(after)
                else after.rstrip().ljust(width(begin, end))
                for (begin, end, _), after in zip(cells, edited, strict=True)
            ]
            text = "".join([*padded_cells, last])
            changes.append(Edit(line.start, line.end, text if self.is_padded else text.rstrip()))
        return changes


class Drawn:
    """The titles and tables of a reStructuredText file, which are drawn with characters.

    Attributes:
        titles: ``(start, end)`` character offsets of the text of each title, in order.
    """

    def __init__(self, source: str) -> None:
        """Find the titles and tables in a reStructuredText file.

        Args:
            source: Content of the file.
        """
        lines, start = [], 0
        for text in source.split("\n"):
            lines.append(_Line(start, text.removesuffix("\r")))
            start += len(text) + 1
        self._tables = list(_tables(lines))
        self._adorned = list(_titles(lines))
        self.titles = [(title.start, title.end) for title, _ in self._adorned]

    def can_grow(self, start: int, end: int) -> bool:
        """Return whether the text in a range can become longer without breaking a table.

        Args:
            start: Character offset at which the range starts.
            end: Character offset at which the range ends (exclusive).

        Returns:
            True if the range is outside all tables, or inside one cell of a table that can be
            redrawn. Tables with tabs or wide characters can't be redrawn.
        """
        table = self._table_at(start)
        if table is None:
            return True
        number = bisect_right(table.lines, start, key=attrgetter("start")) - 1
        line = table.lines[number]
        ends = [*(line.start + cut for cut in table.cuts[number]), line.end + 1]
        return table.is_even and not any(start < cell_end < end for cell_end in ends)

    def grow(self, edits: Sequence[Edit]) -> list[Edit]:
        """Adapt the underlines of titles and the borders of tables to longer texts.

        In reStructuredText, the underline of a title must be as long as the title, and the borders
        of a table must enclose its cells. If edits make a title or a cell longer, this method adds
        the edits that make its underline or border longer, too.

        Args:
            edits: Replacements of text anywhere in the document, in any order.

        Returns:
            The edits to apply instead. Edits in titles and in running text are kept. Edits in a
            table are replaced by new edits that redraw the lines of the table.
        """
        others: list[Edit] = []
        inside: defaultdict[_Table, list[Edit]] = defaultdict(list)
        for edit in sorted(edits):
            table = self._table_at(edit.start)
            (inside[table] if table else others).append(edit)
        for table, table_edits in inside.items():
            others += table.redraw(table_edits)
        return [*others, *self._adornments(sorted(others))]

    def _table_at(self, offset: int) -> _Table | None:
        number = bisect_right(self._tables, offset, key=attrgetter("start")) - 1
        return self._tables[number] if number >= 0 and offset < self._tables[number].end else None

    def _adornments(self, edits: Sequence[Edit]) -> Iterator[Edit]:
        for title, adornments in self._adorned:
            if within := _within(edits, title.start, title.end):
                width = _width(title.edit(within).rstrip())
                for line in adornments:
                    drawn = line.text.rstrip()
                    at = line.start + len(drawn)
                    if len(drawn) < width:
                        yield Edit(at, at, drawn[-1] * (width - len(drawn)))


def _titles(lines: Sequence[_Line]) -> Iterator[tuple[_Line, list[_Line]]]:
    """Yield the line of each title, with the drawn line below it and the optional one above it."""
    blank = _Line(0, "")
    above = [blank, blank, *lines]
    for before, over, title, under in zip(above, above[1:], lines, lines[1:], strict=False):
        below, overline = _ADORNMENT.match(under.text), _ADORNMENT.match(over.text)
        text = title.text.rstrip()
        if not below or not text or _ADORNMENT.match(text):
            continue
        if len(under.text.rstrip()) < min(_MIN_ADORNMENT, _width(text)):
            continue
        if not over.text.strip():
            yield title, [under]
        elif overline and overline[1] == below[1] and not before.text.strip():
            yield title, [over, under]


def _tables(lines: list[_Line]) -> Iterator[_Table]:
    number = 0
    while number < len(lines):
        end = number + 1
        if not number or not lines[number - 1].text.strip():
            if _GRID.match(lines[number].text):
                while end < len(lines) and lines[end].text.lstrip().startswith(("+", "|")):
                    end += 1
                yield _grid(lines[number:end])
            elif _SIMPLE.match(lines[number].text):
                end = _end_of_simple(lines, number)
                if end > number + 1:
                    yield _simple(lines[number:end])
        number = end


def _end_of_simple(lines: Sequence[_Line], number: int) -> int:
    """Return the number of the line after a simple table, which starts with a line of ``=``.

    The table ends with its third line of ``=``, or with the second one if a blank line follows.
    """
    borders = 0
    for end in range(number + 1, len(lines)):
        if _SIMPLE.match(lines[end].text):
            borders += 1
            if borders == 2 or end + 1 == len(lines) or not lines[end + 1].text.strip():
                return end + 1
    return number + 1


def _simple(lines: list[_Line]) -> _Table:
    default_cuts = [match.end() for match in re.finditer(r"=+", lines[0].text)][:-1]
    cuts, row_cuts = [], default_cuts
    for line in reversed(lines):  # the line below a row shows which columns it spans
        if _SPANNED.match(line.text):
            row_cuts = [match.end() for match in re.finditer(r"-+", line.text)][:-1]
            cuts.append(row_cuts)
            continue
        if _SIMPLE.match(line.text):
            row_cuts = default_cuts
        cuts.append(row_cuts)
        if line.text[: default_cuts[0]].strip():  # a row begins with its first cell
            row_cuts = default_cuts
    return _Table(lines, cuts[::-1], padded=False)


def _grid(lines: list[_Line]) -> _Table:
    columns = sorted({at for line in lines for at, sign in enumerate(line.text) if sign == "+"})
    cuts = [[at for at in columns[1:] if line.text[at : at + 1] in ("+", "|")] for line in lines]
    return _Table(lines, cuts, padded=True)


def _within(edits: Sequence[Edit], start: int, end: int) -> Sequence[Edit]:
    """Return the edits that begin in a range. The edits must be sorted."""
    first = bisect_left(edits, start, key=attrgetter("start"))
    return edits[first : bisect_left(edits, end, key=attrgetter("start"))]


def _width(text: str) -> int:
    """Return the number of columns that a text occupies on the screen."""
    return sum(
        0 if combining(letter) else 1 + (east_asian_width(letter) in "WF") for letter in text
    )
