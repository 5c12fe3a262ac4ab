"""CSV and TSV: one column holds the texts, and each row is a document."""

from collections.abc import Iterator
from itertools import chain, islice
from pathlib import Path

from ...errors import FormatError, InputError
from ...problem import Problem, Report
from ..builder import TextBuilder, same_length_newlines
from ..encodings import mark_of
from ..lines import MAX_LINE, TableRow, table_rows
from ..source import Source

_SAMPLE = 100  # rows by which the column is guessed
_FEWEST_WORDS = 4  # of a text, in the mean: names, numbers and long forms have fewer
_LONGEST_MARK = 4  # bytes
_QUOTE = '"'
_OF_GLOSSARIES = ("acronym", "abbreviation")


def read_table(
    path: Path, report: Report, encoding: str | None = None, text_field: str | None = None
) -> Iterator[Source]:
    """Yield the texts of one column; a place is one in the file. An empty cell is no text.

    text_field: the column's name; None: the one whose cells have most words. The first row names
    the columns. Rows that are damaged, or of another width, go to `report`. Raises FormatError
    where there is no such column, InputError where the file is no text.
    """
    delimiter, rows = _open(path, report, encoding)
    heading = next(rows, None)
    if heading is None:
        raise FormatError("an empty table")
    names = [name.strip() for name in heading.cells]
    sample = list(islice(rows, _SAMPLE))
    if text_field is not None and text_field not in names:
        known = ", ".join(filter(None, names))
        raise FormatError(f"no column '{text_field}' is in this table, but {known}")
    column = _guess(len(names), sample)[0] if text_field is None else names.index(text_field)
    for row in chain(sample, rows):
        if len(row.cells) <= column or any(row.cells[len(names) :]):
            detail = f"{len(row.cells)} cells where the heading has {len(names)}"
            report(Problem("bad row", str(path), row.line, detail))
        elif row.cells[column].strip():
            builder = TextBuilder(row.written)
            _fill(builder, row, delimiter, column)
            source = builder.source("table", f"{path}:{row.line}")
            yield source.at(path=str(path), first=row.line)


def guessed_column(path: Path, encoding: str | None = None) -> str:
    """The name of the column that is read as the text, else its number; see `read_table`."""
    names, sample = _beginning(path, encoding)
    column, _ = _guess(len(names), sample)
    return names[column] or str(column + 1)


def has_texts(path: Path, encoding: str | None = None, text_field: str | None = None) -> bool:
    """Whether a table holds texts, or has this column: not one of numbers, names or acronyms."""
    names, sample = _beginning(path, encoding)
    if text_field is not None:
        return text_field in names
    named = [name.lower() for name in names]
    return _guess(len(names), sample)[1] >= _FEWEST_WORDS and not any(
        name in named for name in _OF_GLOSSARIES
    )


def _beginning(path: Path, encoding: str | None) -> tuple[list[str], list[TableRow]]:
    _, rows = _open(path, lambda problem: None, encoding)
    first = list(islice(rows, _SAMPLE + 1))
    return ([name.strip() for name in first[0].cells] if first else [""]), first[1:]


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
    first = next(lines, "")
    if "\0" in first:
        raise InputError("a binary file is not text.")
    delimiter = max(",;\t", key=first.count) if path.suffix.lower() == ".csv" else "\t"
    return delimiter, _rows(chain([first] if first else [], lines), path, report, delimiter, name)


def _lines(path: Path, encoding: str) -> Iterator[str]:
    """The lines with their ends; bytes of another encoding come as lone surrogates."""
    with path.open(encoding=encoding, errors="surrogateescape", newline="") as file:
        line = file.readline(MAX_LINE).removeprefix("\ufeff")
        while line:
            yield line
            line = file.readline(MAX_LINE)


def _rows(
    lines: Iterator[str], path: Path, report: Report, delimiter: str, encoding: str
) -> Iterator[TableRow]:
    for row in table_rows(lines, path, report, delimiter):
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
    start, end = _place(row.written, delimiter, column)
    quoted = row.written.startswith(_QUOTE, start)
    runs: list[tuple[int, int]] = []  # all but the quotation marks that are no text
    if quoted:
        end = row.written.rfind(_QUOTE, start + 1, end)
        at = start + 1
        while (mark := row.written.find(_QUOTE, at, max(at, end))) >= 0:
            runs.append((at, mark + 1))
            at = mark + 2
        runs.append((at, end))
    else:
        runs.append((start, len(row.written[:end].rstrip("\r\n"))))
    cell = row.cells[column]
    if "".join(row.written[begin:stop] for begin, stop in runs) != cell:
        builder.replace(same_length_newlines(cell), 0, len(row.written))
        return
    for begin, stop in runs:
        builder.copy(begin, stop)


def _place(written: str, delimiter: str, column: int) -> tuple[int, int]:
    """Where a cell of a row stands, with its quotation marks."""
    start, end = 0, 0
    for number in range(column + 1):
        after = start
        if written.startswith(_QUOTE, start):
            after = start + 1
            while (mark := written.find(_QUOTE, after)) >= 0:
                after = mark + 1
                if not written.startswith(_QUOTE, after):
                    break
                after += 1
        end = written.find(delimiter, after)
        end = len(written) if end < 0 else end
        if number < column:
            start = min(end + 1, len(written))
    return start, end
