"""Reader of CSV, TSV and XLSX tables, in which one column contains texts.

Each row is a document.
"""

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
"""Names of the formats whose files are read as documents only if a column contains texts."""
_SAMPLE = 100  # rows that determine the column
_FEWEST_WORDS = 4  # minimum mean of texts; names, numbers and long forms have fewer
_LONGEST_MARK = 4  # bytes
_LONGEST_MAGIC = 8  # bytes
_RUN = re.compile(r'([^"]*"?)"?')
"""A piece of a quoted cell. Of two quotation marks in a row, one is part of the text."""
_SEPARATOR = re.compile(r'"?sep=([^"\r\n])"?[ \t]*[\r\n]*\Z', re.IGNORECASE)
"""A first line such as ``sep=;``, which tells spreadsheet programs the delimiter."""
_QUOTED = re.compile(r'"[^"]*"')
_OF_GLOSSARIES = ("acronym", "abbreviation")


def read_table(
    path: Path, report: Report, encoding: str | None = None, text_field: str | None = None
) -> Iterator[Source]:
    """Read the texts in one column of a CSV or TSV file, each as a document.

    The first row names the columns. Empty cells are skipped. Positions are lines and columns of the
    file.

    Args:
        path: Path of the file.
        report: Function that is called with a `Problem` for each row that is damaged or has too
            many or too few cells. Such rows are skipped.
        encoding: Encoding of a file without a byte-order mark. None means UTF-8.
        text_field: Name of the column with the texts. None means the column with the most words.

    Yields:
        The documents in the order of the rows.

    Raises:
        FormatError: If the table is empty or has no column with this name.
        InputError: If the file is binary instead of text.
    """
    with path.open("rb") as file:
        refuse_packed(file.read(_LONGEST_MAGIC))
    delimiter, rows = _open(path, report, encoding)
    heading = next(rows, None)
    if heading is None:
        raise FormatError("the table is empty")
    names = _names(heading)
    sample = list(islice(rows, _SAMPLE))
    if text_field is not None and text_field not in names:
        error = unknown_name("column", text_field, filter(None, names), listing="head -n 1 FILE")
        raise FormatError(str(error))
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
    """Read the texts in one column of each sheet of an XLSX file, each as a document.

    Sheets without texts, or without the named column, are skipped. Positions are rows. A document
    has a name of the form ``FILE:SHEET!ROW``.

    Args:
        path: Path of the file.
        report: Ignored, because every row is valid.
        encoding: Ignored, because the format is binary.
        text_field: Name of the column with the texts. None means the column with the most words.

    Yields:
        The documents in the order of the sheets and rows.

    Raises:
        FormatError: If no sheet has texts, or the file isn't a valid XLSX file.
    """
    is_any_read = False
    for sheet, rows in _sheets(path):
        sample = list(islice(rows, _SAMPLE + 1))
        texts = _texts_of(sample, _width(sample))
        if not texts.are_texts(text_field):
            continue
        column = texts.column if text_field is None else texts.names.index(text_field)
        for row in chain(sample[1:], rows):
            text = same_length_newlines("".join(row.cells[column : column + 1]))
            if text.strip():
                is_any_read = True
                builder = TextBuilder(text.replace("\n", " "))  # each row is one line
                builder.replace(text, 0, len(text))
                source = builder.source("spreadsheet", f"{path}:{sheet}!{row.line}")
                yield source.at(path=str(path), unit=f"{sheet} row", first=row.line)
    if not is_any_read:
        sought = f"'{text_field}' with texts" if text_field else "of texts. Pass --text-field"
        raise FormatError(f"no sheet has a column {sought}")


def guessed_column(path: Path, encoding: str | None = None) -> str:
    """Return the column of a table that is read as texts if the user names none.

    In a spreadsheet with several sheets, the first sheet with a column of texts counts.

    Args:
        path: Path of a CSV, TSV or XLSX file.
        encoding: Encoding of a file without a byte-order mark. None means UTF-8.

    Returns:
        Name of the column. If it has no name, its number is returned, counted from 1.

    Raises:
        FormatError: If no sheet of an XLSX file has a column of texts.
    """
    tables = _tables(path, encoding)
    table = next((candidate for candidate in tables if candidate.are_texts()), None)
    if table is None:
        if _is_spreadsheet(path):
            raise FormatError("no sheet has a column of texts")
        table = tables[0]
    return table.names[table.column] or str(table.column + 1)


def has_texts(path: Path, encoding: str | None = None, text_field: str | None = None) -> bool:
    """Return whether a table has a column of texts, rather than only numbers, names or acronyms.

    In a column of texts, the cells have at least four words on average. A table with a column named
    ``acronym`` or ``abbreviation`` is a glossary and has no texts.

    Args:
        path: Path of a CSV, TSV or XLSX file.
        encoding: Encoding of a file without a byte-order mark. None means UTF-8.
        text_field: Name of a column. If it is given, the result only tells whether the table has a
            column with this name.
    """
    return any(table.are_texts(text_field) for table in _tables(path, encoding))


class _Texts(NamedTuple):
    """The names of the columns in a table or sheet, and the column with the longest texts."""

    names: list[str]
    column: int  # the column with the longest texts
    words: float  # mean number of words in that column

    def are_texts(self, text_field: str | None = None) -> bool:
        if text_field is not None:
            return text_field in self.names
        named = [name.lower() for name in self.names]
        return self.words >= _FEWEST_WORDS and not any(name in named for name in _OF_GLOSSARIES)


def _tables(path: Path, encoding: str | None) -> list[_Texts]:
    """Return the columns of a table, or of each sheet of a spreadsheet. The result is cached."""
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
    """Return the length of the longest row, because the first row of a sheet may be a title."""
    return max((len(row.cells) for row in rows), default=1)


def _texts_of(rows: list[TableRow], width: int = 1) -> _Texts:
    """Find the column with the longest texts among at least `width` columns."""
    names = _names(rows[0]) if rows else []
    names += [""] * (width - len(names))
    return _Texts(names, *_guess(len(names), rows[1:]))


def _names(heading: TableRow) -> list[str]:
    """Return the names of the columns, without a comment sign before the first name."""
    first, *rest = heading.cells
    stripped = first.strip().removeprefix("#") or first
    return [name.strip() for name in (stripped, *rest)]


def _guess(width: int, sample: list[TableRow]) -> tuple[int, float]:
    """Return the column with the longest texts in a sample, and its mean number of words."""
    if not sample:
        return 0, 0.0
    cells = [[row.cells[at] for row in sample if at < len(row.cells)] for at in range(width)]
    sizes = [(sum(len(cell.split()) for cell in column), sum(map(len, column))) for column in cells]
    filled = [max(1, sum(bool(cell.strip()) for cell in column)) for column in cells]
    longest = max(range(width), key=sizes.__getitem__)
    return longest, sizes[longest][0] / filled[longest]


def _open(path: Path, report: Report, encoding: str | None) -> tuple[str, Iterator[TableRow]]:
    """Return the delimiter of a table, and its rows with the heading first."""
    with path.open("rb") as file:
        mark = mark_of(file.read(_LONGEST_MARK))
    name = mark[1] if mark else encoding or "utf-8"
    lines = _lines(path, name)
    opening: list[str] = []  # the lines up to the first row
    for line in islice(iter(partial(next, lines, ""), ""), _SAMPLE):
        opening.append(line)
        if not line.startswith("#") and line.strip() and not _SEPARATOR.match(line):
            break
    if any("\0" in line for line in opening):
        raise InputError("The file is binary, not text. Convert it to CSV or TSV first.")
    delimiter, above = _layout(opening, tabs=path.suffix.lower() != ".csv")
    rest = chain(opening[above:], lines)
    return delimiter, _rows(rest, path, report, delimiter, name, above + 1)


def _layout(opening: list[str], tabs: bool) -> tuple[str, int]:
    """Return the delimiter of a table, and the number of lines before its first row.

    These lines are comments or name the delimiter. The last comment is the heading if it has as
    many cells as the first row.
    """
    separator = next(filter(None, map(_SEPARATOR.match, opening)), None)
    first = _QUOTED.sub("", opening[-1]) if opening else ""
    delimiter = separator[1] if separator else "\t" if tabs else max(",;\t|", key=first.count)
    above = max(0, len(opening) - 1)
    comment = _QUOTED.sub("", opening[above - 1]) if above else ""
    cells = first.count(delimiter)
    is_prose = comment.startswith("# ") and delimiter != "\t"
    is_heading = comment.startswith("#") and not is_prose and 0 < cells == comment.count(delimiter)
    return delimiter, above - is_heading


def _lines(path: Path, encoding: str) -> Iterator[str]:
    """Yield the lines of a file with their line ends. Invalid bytes become lone surrogates."""
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
            detail = f"not {encoding}. Pass --encoding, such as latin-1"
            report(Problem("wrong encoding", str(path), row.line, detail))
        elif row.cells:
            yield row


def _encodable(text: str) -> bool:
    try:
        return text.isascii() or bool(text.encode())
    except UnicodeEncodeError:
        return False


def _fill(builder: TextBuilder, row: TableRow, delimiter: str, column: int) -> None:
    """Add the text of a cell to a builder, with doubled quotation marks as single ones.

    If the position of the cell in the row isn't certain, the cell replaces the whole row.
    """
    sign = re.escape(delimiter)
    cell = rf'(?:^|{sign})((?:"(?:[^"]|"")*")?[^{sign}]*)'
    cell_match = next(islice(re.finditer(cell, row.written), column, None), None)
    start, end = cell_match.span(1) if cell_match else (0, 0)
    runs = [(start, len(row.written[:end].rstrip("\r\n")))]
    if row.written.startswith('"', start):
        end = row.written.rfind('"', start + 1, end)
        runs = [run.span(1) for run in _RUN.finditer(row.written, start + 1, max(start + 1, end))]
    if "".join(row.written[begin:stop] for begin, stop in runs) == row.cells[column]:
        for begin, stop in runs:
            builder.copy(begin, stop)
    else:
        builder.replace(same_length_newlines(row.cells[column]), 0, len(row.written))
