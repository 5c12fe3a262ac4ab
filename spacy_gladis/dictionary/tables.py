"""Read and write dictionaries as CSV files with commas or semicolons, or as unquoted TSV files."""

import csv
import io
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice, permutations
from pathlib import Path

from ..documents.lines import table_rows
from ..documents.lists import long_form_of
from ..errors import FormatError, InputError
from ..files import writing
from ..problem import Problem, Report, log_problem
from .candidate import Group, Row, clean_row

COLUMNS = ("acronym", "long_form", "count", "source")
TAB_SUFFIXES = (".tsv", ".tab", ".txt")

_HEADINGS = {  # accepted headings for each column, in order of precedence
    "acronym": (
        *("acronym", "acronyms", "abbreviation", "abbreviations", "abbrev", "abbr", "abr", "short"),
        *("short_form", "short_name", "short_term", "initialism", "code", "symbol", "term", "key"),
    ),
    "long_form": (
        *("long_form", "expansion", "expanded", "full_form", "full_name", "full_term", "full"),
        *("long", "long_name", "long_term", "spelled_out", "stands_for", "meaning", "name"),
        *("title", "term", "definition", "description", "value"),
    ),
}
_FURTHER = {"count": "count", "frequency": "count", "source": "source", "domain": "source"}
_SAMPLE = 100
"""Number of rows that are read to detect the columns of a table without a heading."""
_WIDEST = 12
"""Maximum number of columns that are considered when the columns are detected."""

_WORDS = re.compile(r"[^\W_]+")
_FORMULA = re.compile(r"'*[=+\-@\t\r]")  # also after apostrophes, because reading removes one


def read_table(
    path: Path, source: str, report: Report = log_problem, negative: bool = False
) -> Iterator[Row]:
    """Read a table of acronyms and long forms, optionally with counts and sources.

    The first line may be a heading such as "abbreviation" and "meaning", with the columns in any
    order. Without a heading, the columns are detected from their content. They are the two columns
    in which, in most rows, the acronym abbreviates the long form. If there are no such columns,
    they are assumed to be acronym, long form, count and source.

    Args:
        path: Path of the table. Its suffix determines whether cells are separated by tabs. If not,
            they are separated by commas or semicolons.
        source: Name of the source for rows that don't name one.
        report: Function that is called with a `Problem` for each invalid row, which is then
            skipped. By default, problems are logged as warnings.
        negative: Whether a row with an empty long form is valid. Such a row means that its word is
            not an acronym.

    Yields:
        The rows of acronym, long form, source and count, in the order of the table. The count is 1
        if a row has none.

    Raises:
        FormatError: If the table has only one column.
    """
    with path.open(encoding="utf-8-sig", errors="surrogateescape", newline="") as file:
        yield from read_cells(_cells(file, path, report), path, source, report, negative)


def read_cells(
    cells: Iterator[tuple[int, list[str]]],
    path: Path,
    source: str,
    report: Report = log_problem,
    negative: bool = False,
) -> Iterator[Row]:
    """Read a table of acronyms and long forms that is already split into cells.

    Use it for tables that aren't text files, such as the sheets of a spreadsheet. The columns are
    detected as in `read_table`.

    Args:
        cells: Pairs of a line number and the list of cells in this line.
        path: Path of the file that contains the table, used in messages.
        source: Name of the source for rows that don't name one.
        report: Function that is called with a `Problem` for each invalid row, which is then
            skipped.
        negative: Whether a row with an empty long form is valid. Such a row means that its word is
            not an acronym.

    Yields:
        The rows of acronym, long form, source and count. The count is 1 if a row has none.

    Raises:
        FormatError: If the table has only one column.
    """
    sample = list(islice(cells, _SAMPLE))
    columns, has_heading = _columns([row for _, row in sample], path)
    for line, values in chain(sample[has_heading:], cells):
        if not any(values):
            continue
        row = dict(zip(columns, values, strict=False))
        acronym, long_form = row.get("acronym", ""), row.get("long_form", "")
        if negative and acronym.strip() and "long_form" in row and not long_form.strip():
            yield Row(" ".join(acronym.split()), "", source)
            continue
        try:
            count = _count(row.get("count"))
            yield clean_row(acronym, long_form, row.get("source") or source, count)
        except InputError as error:
            report(Problem("bad row", str(path), line, f"{error}: {values!r:.200}"))


def write_table(groups: Iterable[Group], path: Path) -> None:
    """Write a table with a heading and a row for each acronym, long form and source.

    Args:
        groups: Acronyms with their long forms and counts by source.
        path: Path of the file to write. Cells are separated by tabs if the suffix is `.tsv`, `.tab`
            or `.txt`, otherwise by commas.
    """
    with writing(path) as temporary, temporary.open("w", encoding="utf-8", newline="") as file:
        file.write(format_rows([COLUMNS], path))
        for acronym, entries in groups:
            rows = [
                (acronym, long_form, str(count), source)
                for long_form, counts in entries
                for source, count in counts.items()
            ]
            file.write(format_rows(rows, path))


def format_rows(rows: Iterable[Sequence[str]], path: Path) -> str:
    """Format the rows of a table as the text of a CSV or TSV file.

    Args:
        rows: For each row, its cells.
        path: Path of the file for which the text is meant. Cells are separated by tabs if its
            suffix is `.tsv`, `.tab` or `.txt`, otherwise by commas.

    Returns:
        The text, with one line for each row. Commas and quotation marks in CSV cells are quoted,
        and formulas are escaped (see `without_formula`).
    """
    if path.suffix.lower() in TAB_SUFFIXES:
        return "".join("\t".join(row) + "\n" for row in rows)
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([*map(without_formula, row)] for row in rows)
    return text.getvalue()


def without_formula(cell: str) -> str:
    """Escape the content of a cell that a spreadsheet program would run as a formula.

    For example, "=1+1" becomes "'=1+1".

    Args:
        cell: Content of the cell.

    Returns:
        The content with a leading apostrophe if it starts like a formula, otherwise unchanged.
    """
    return f"'{cell}" if _FORMULA.match(cell) else cell


def _unescape(cell: str) -> str:
    return cell[1:] if cell.startswith("'") and _FORMULA.match(cell) else cell


def check_name(path: Path) -> None:
    """Raise an error if a file name doesn't end like that of a table, such as `.csv`.

    Args:
        path: Path of the file, which doesn't need to exist.

    Raises:
        InputError: If the suffix is none of `.csv`, `.tsv`, `.tab` and `.txt`.
    """
    if path.suffix.lower() not in (".csv", *TAB_SUFFIXES):
        raise InputError(
            f"{path} is not the name of a table. Choose a name that ends in .csv (commas), or in "
            f"{', '.join(TAB_SUFFIXES[:-1])} or {TAB_SUFFIXES[-1]} (tabs)."
        )


def table_columns(path: Path) -> tuple[str, ...]:
    """Return what the columns of an existing table contain, such as the acronym or the long form.

    Args:
        path: Path of the table.

    Returns:
        For each column, its name from `COLUMNS`, or an empty string if it contains something else.
        The names come from the heading or are detected from the content, as in `read_table`.

    Raises:
        FormatError: If the table has only one column.
    """
    with path.open(encoding="utf-8-sig", errors="surrogateescape", newline="") as file:
        sample = [cells for _, cells in islice(_cells(file, path, log_problem), _SAMPLE)]
    columns, has_heading = _columns(sample, path)
    width = len(sample[0]) if sample else 2
    return columns if has_heading else columns[: max(2, min(width, len(columns)))]


def table_header(cells: Sequence[str]) -> tuple[str, ...]:
    """Return what the columns of a table contain according to the cells of its heading.

    For example, the heading "Abbr.", "Full name", "Remarks" gives ``("acronym", "long_form", "")``.

    Args:
        cells: Cells of the heading.

    Returns:
        For each cell, the name of a column from `COLUMNS`, or an empty string if the heading is
        unknown.
    """
    names = ["_".join(_WORDS.findall(cell.lower())) for cell in cells]
    columns = [_FURTHER.get(name, "") for name in names]
    for column, headings in _HEADINGS.items():
        indices = (names.index(heading) for heading in headings if heading in names)
        free = next((index for index in indices if not columns[index]), None)
        if free is not None:
            columns[free] = column
    return tuple(columns)


def _cells(file: Iterable[str], path: Path, report: Report) -> Iterator[tuple[int, list[str]]]:
    if path.suffix.lower() in TAB_SUFFIXES:
        for line, text in enumerate(file, 1):
            yield line, text.rstrip("\r\n").split("\t")
        return
    lines = iter(file)
    first = next(lines, "")
    semicolons = first.count(";") > first.count(",")  # as in locales with a decimal comma
    rows = chain([first] if first else [], lines)
    for line, _, cells in table_rows(rows, path, report, ";" if semicolons else ","):
        yield line, [_unescape(cell) for cell in cells]


def _columns(rows: Sequence[Sequence[str]], path: Path) -> tuple[tuple[str, ...], bool]:
    """Return the columns of a table according to its first rows, and whether it has a heading."""
    if not rows:
        return COLUMNS, False
    named = table_header(rows[0])
    if "acronym" in named and "long_form" in named:
        return named, True
    if len(rows[0]) < 2:
        tabs = path.suffix.lower() in TAB_SUFFIXES
        between = (
            "tabs between them (commas in a .csv" if tabs else "commas between them (tabs in a .tsv"
        )
        raise FormatError(
            f"{path} is not a table of acronyms: its first line has one column. Expected acronym, "
            f"long form and optionally count and source, with {between} file)."
        )
    detected = _spelling_columns(rows)
    if detected is None or detected == (0, 1):
        return COLUMNS, False
    names = dict(zip(detected, COLUMNS, strict=False))
    columns = tuple(names.get(index, "") for index in range(max(detected) + 1))
    return columns, not _spells(rows[0], detected)


def _spelling_columns(rows: Sequence[Sequence[str]]) -> tuple[int, int] | None:
    """Return the indices of the columns with acronyms and long forms, or None if unclear."""
    rows = rows[1:] or rows  # the first row may be a heading
    width = min(max(map(len, rows)), _WIDEST)
    counts = Counter(
        pair for row in rows for pair in permutations(range(width), 2) if _spells(row, pair)
    )
    [(pair, number)] = counts.most_common(1) or [((0, 1), 0)]
    return pair if 2 * number > len(rows) else None


def _spells(row: Sequence[str], pair: tuple[int, int]) -> bool:
    return max(pair) < len(row) and long_form_of(*(row[index].strip() for index in pair)) != ""


def _count(cell: str | None) -> int:
    try:
        return int(cell) if cell else 1
    except ValueError:
        raise InputError(f"the count is {cell!r}, not a whole number") from None
