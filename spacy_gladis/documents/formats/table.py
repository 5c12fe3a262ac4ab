"""CSV, TSV and XLSX: one column holds the texts, and each row is a document."""

import re
from collections.abc import Iterator
from functools import lru_cache, partial
from itertools import chain, islice
from pathlib import Path
from typing import NamedTuple

from ...errors import FormatError, InputError, unknown_name
from ...problem import Problem, Report
from ..builder import TextBuilder, same_length_newlines
from ..encodings import mark_of, refuse_packed
from ..lines import MAX_LINE, TableRow, table_rows
from ..source import Source
from .sheets import read_sheets

TABLES = ("table", "spreadsheet")
"""Formats of files that are documents where a column holds texts."""
_SAMPLE = 100  # rows by which the column is guessed
_FEWEST_WORDS = 4  # of a text, in the mean: names, numbers and long forms have fewer
_LONGEST_MARK = 4  # bytes
_LONGEST_MAGIC = 8
_RUN = re.compile(r'([^"]*"?)"?')
"""Of a quoted cell; of two quotation marks one is text."""
_SEPARATOR = re.compile(r'"?sep=([^"\r\n])"?[ \t]*[\r\n]*\Z', re.IGNORECASE)
"""A first line by which spreadsheet programs know what stands between cells."""
_QUOTED = re.compile(r'"[^"]*"')
_OF_GLOSSARIES = ("acronym", "abbreviation")


def read_table(
    path: Path, report: Report, encoding: str | None = None, text_field: str | None = None
) -> Iterator[Source]:
    """Yield the texts of one column; a place is one in the file. An empty cell is no text.

    text_field: the column's name; None: the one whose cells have most words. The first row names
    the columns. Rows that are damaged, or of another width, go to `report`. Raises FormatError
    where there is no such column, InputError where the file is no text.
    """
    with path.open("rb") as file:
        refuse_packed(file.read(_LONGEST_MAGIC))
    delimiter, rows = _open(path, report, encoding)
    heading = next(rows, None)
    if heading is None:
        raise FormatError("an empty table")
    names = _names(heading)
    sample = list(islice(rows, _SAMPLE))
    if text_field is not None and text_field not in names:
        error = unknown_name("column", text_field, filter(None, names), listing="head -n 1 FILE")
        raise FormatError(str(error).replace("No", "no", 1))  # the file's name stands before it
    column = _guess(len(names), sample)[0] if text_field is None else names.index(text_field)
    for row in chain(sample, rows):
        if row.written.startswith("#") and len(row.cells) != len(names):
            continue  # a comment
        if len(row.cells) <= column or any(row.cells[len(names) :]):
            detail = f"{len(row.cells)} cells where the heading has {len(names)}"
            report(Problem("bad row", str(path), row.line, detail))
        elif row.cells[column].strip():
            builder = TextBuilder(row.written)
            _fill(builder, row, delimiter, column)
            source = builder.source("table", f"{path}:{row.line}")
            yield source.at(path=str(path), first=row.line)


def read_spreadsheet(
    path: Path, report: Report, encoding: str | None = None, text_field: str | None = None
) -> Iterator[Source]:
    """Yield the texts of a column of each sheet that has texts, or has a column of that name, as
    `read_table` does; a place is one in a sheet's row, which is named `FILE:SHEET!ROW`.

    Raises FormatError where no sheet has any, or the file is no XLSX.
    """
    some = False
    for sheet, rows in _sheets(path):
        sample = list(islice(rows, _SAMPLE + 1))
        found = _texts_of(sample, _width(sample))
        if not found.are_texts(text_field):
            continue
        column = found.column if text_field is None else found.names.index(text_field)
        for row in chain(sample[1:], rows):
            text = same_length_newlines("".join(row.cells[column : column + 1]))
            if text.strip():
                some = True
                builder = TextBuilder(text.replace("\n", " "))  # a row is a line
                builder.replace(text, 0, len(text))
                source = builder.source("spreadsheet", f"{path}:{sheet}!{row.line}")
                yield source.at(path=str(path), unit=f"{sheet} row", first=row.line)
    if not some:
        sought = f"'{text_field}' with texts" if text_field else "of texts; --text-field names one"
        raise FormatError(f"no sheet has a column {sought}")


def guessed_column(path: Path, encoding: str | None = None) -> str:
    """The name of the column that is read as the text, else its number; see `read_table`."""
    tables = _tables(path, encoding)
    found = next((one for one in tables if one.are_texts()), None)
    if found is None:
        if _is_spreadsheet(path):
            raise FormatError("no sheet has a column of texts")
        found = tables[0]
    return found.names[found.column] or str(found.column + 1)


def has_texts(path: Path, encoding: str | None = None, text_field: str | None = None) -> bool:
    """Whether a table holds texts, or has this column: not one of numbers, names or acronyms."""
    return any(one.are_texts(text_field) for one in _tables(path, encoding))


class _Texts(NamedTuple):
    """What the first rows of a table, or of a sheet, say of its columns."""

    names: list[str]
    column: int  # with the longest texts
    words: float  # that those have in the mean

    def are_texts(self, text_field: str | None = None) -> bool:
        if text_field is not None:
            return text_field in self.names
        named = [name.lower() for name in self.names]
        return self.words >= _FEWEST_WORDS and not any(name in named for name in _OF_GLOSSARIES)


def _tables(path: Path, encoding: str | None) -> list[_Texts]:
    """What a file's table, or each sheet, holds; asked for again it is not read again."""
    state = path.stat()
    return _read_beginnings(path, encoding, state.st_mtime_ns, state.st_size)


@lru_cache(1 << 10)
def _read_beginnings(path: Path, encoding: str | None, *state: int) -> list[_Texts]:
    if _is_spreadsheet(path):
        samples = [list(islice(rows, _SAMPLE + 1)) for _, rows in _sheets(path)]
        return [_texts_of(rows, _width(rows)) for rows in samples]
    _, rows = _open(path, lambda problem: None, encoding)
    return [_texts_of(list(islice(rows, _SAMPLE + 1)))]


def _is_spreadsheet(path: Path) -> bool:
    return path.suffix.lower() == ".xlsx"


def _sheets(path: Path) -> Iterator[tuple[str, Iterator[TableRow]]]:
    for sheet, rows in read_sheets(path, texts=True):
        yield sheet, (TableRow(number, "", cells) for number, cells in rows)


def _width(rows: list[TableRow]) -> int:
    """Of a sheet, whose first row may be a title, its longest row."""
    return max((len(row.cells) for row in rows), default=1)


def _texts_of(rows: list[TableRow], width: int = 1) -> _Texts:
    """width: the fewest columns; those behind the first row's have no name."""
    names = _names(rows[0]) if rows else []
    names += [""] * (width - len(names))
    return _Texts(names, *_guess(len(names), rows[1:]))


def _names(heading: TableRow) -> list[str]:
    """Those of the columns; a sign of a comment before the first one is none of it."""
    first, *others = heading.cells
    shown = first.strip().removeprefix("#") or first
    return [name.strip() for name in (shown, *others)]


def _guess(width: int, sample: list[TableRow]) -> tuple[int, float]:
    """The column with the longest texts, and how many words those have in the mean."""
    if not sample:
        return 0, 0.0
    cells = [[row.cells[at] for row in sample if at < len(row.cells)] for at in range(width)]
    sizes = [(sum(len(one.split()) for one in each), sum(map(len, each))) for each in cells]
    filled = [max(1, sum(bool(one.strip()) for one in each)) for each in cells]
    column = max(range(width), key=sizes.__getitem__)
    return column, sizes[column][0] / filled[column]


def _open(path: Path, report: Report, encoding: str | None) -> tuple[str, Iterator[TableRow]]:
    """What stands between the cells, and the rows, the heading first."""
    with path.open("rb") as file:
        marked = mark_of(file.read(_LONGEST_MARK))
    name = marked[1] if marked else encoding or "utf-8"
    lines = _lines(path, name)
    opening: list[str] = []  # what stands above the rows, and the first of them
    for line in islice(iter(partial(next, lines, ""), ""), _SAMPLE):
        opening.append(line)
        if not line.startswith("#") and line.strip() and not _SEPARATOR.match(line):
            break
    if any("\0" in line for line in opening):
        raise InputError("a binary file is not text.")
    delimiter, above = _layout(opening, tabs=path.suffix.lower() != ".csv")
    rest = chain(opening[above:], lines)
    return delimiter, _rows(rest, path, report, delimiter, name, above + 1)


def _layout(opening: list[str], tabs: bool) -> tuple[str, int]:
    """What stands between the cells, and how many lines above the first row are none: one that
    names the separator, and comments, but for one that names as many columns."""
    named = next(filter(None, map(_SEPARATOR.match, opening)), None)
    first = _QUOTED.sub("", opening[-1]) if opening else ""
    delimiter = named[1] if named else "\t" if tabs else max(",;\t|", key=first.count)
    above = max(0, len(opening) - 1)
    comment = _QUOTED.sub("", opening[above - 1]) if above else ""
    cells = first.count(delimiter)
    is_prose = comment.startswith("# ") and delimiter != "\t"
    is_heading = comment.startswith("#") and not is_prose and 0 < cells == comment.count(delimiter)
    return delimiter, above - is_heading


def _lines(path: Path, encoding: str) -> Iterator[str]:
    """The lines with their ends; bytes of another encoding come as lone surrogates."""
    with path.open(encoding=encoding, errors="surrogateescape", newline="") as file:
        line = file.readline(MAX_LINE).removeprefix("\ufeff")
        while line:
            yield line
            line = file.readline(MAX_LINE)


def _rows(
    lines: Iterator[str], path: Path, report: Report, delimiter: str, encoding: str, first: int
) -> Iterator[TableRow]:
    for row in table_rows(lines, path, report, delimiter, first):
        if not _encodable(row.written):
            detail = f"not {encoding}; give --encoding, such as latin-1"
            report(Problem("wrong encoding", str(path), row.line, detail))
        elif row.cells:
            yield row


def _encodable(text: str) -> bool:
    try:
        return text.isascii() or bool(text.encode())
    except UnicodeEncodeError:
        return False


def _fill(builder: TextBuilder, row: TableRow, delimiter: str, column: int) -> None:
    """Take a cell's text run by run, two quotation marks as one; where `csv` has read the row in
    another way, the cell as a whole."""
    sign = re.escape(delimiter)
    cell = rf'(?:^|{sign})((?:"(?:[^"]|"")*")?[^{sign}]*)'
    found = next(islice(re.finditer(cell, row.written), column, None), None)
    start, end = found.span(1) if found else (0, 0)
    runs = [(start, len(row.written[:end].rstrip("\r\n")))]
    if row.written.startswith('"', start):
        end = row.written.rfind('"', start + 1, end)
        runs = [one.span(1) for one in _RUN.finditer(row.written, start + 1, max(start + 1, end))]
    if "".join(row.written[begin:stop] for begin, stop in runs) == row.cells[column]:
        for begin, stop in runs:
            builder.copy(begin, stop)
    else:
        builder.replace(same_length_newlines(row.cells[column]), 0, len(row.written))
