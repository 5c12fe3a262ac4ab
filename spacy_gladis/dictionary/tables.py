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
"""Maximum number of columns that are considered for this detection."""

_WORDS = re.compile(r"[^\W_]+")
_FORMULA = ("=", "+", "-", "@", "\t", "\r")
_QUOTED_FORMULA = tuple(f"'{sign}" for sign in _FORMULA)


def read_table(
    path: Path, source: str, report: Report = log_problem, negative: bool = False
) -> Iterator[Row]:
    """Read a table of acronyms, long forms and optionally counts and sources.

    The first line may be a heading, with the columns in any order. Without a heading, the columns
    are detected from their content, by the rule that in most rows the acronym abbreviates the long
    form. If that fails, the columns are assumed to be in the order of `COLUMNS`.

    Args:
        path: Path of the table.
        source: Name of the source for rows that don't name one.
        report: Function that is called with each problem in the rows. Invalid rows are skipped.
        negative: Whether to read rows without a long form, which mean that a word is not an
            acronym. If False, such rows are invalid.

    Yields:
        The rows of the table. The count is 1 if the table has none.

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
    """Read a table whose lines have already been split into cells.

    The columns are detected as in `read_table`.

    Args:
        cells: Pairs of a line number and the cells of this line.
        path: Path of the file that the cells come from, used in messages.
        source: Name of the source for rows that don't name one.
        report: Function that is called with each problem in the rows. Invalid rows are skipped.
        negative: Whether to read rows without a long form, which mean that a word is not an
            acronym. If False, such rows are invalid.

    Yields:
        The rows of the table. The count is 1 if the table has none.

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
    """Write a table with a row for each acronym, long form and source.

    Args:
        groups: Acronyms with their long forms and counts by source.
        path: Path of the file to write. Its suffix selects the separator, as in `format_rows`.
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
    """Format rows as the text of a CSV or TSV file.

    Args:
        rows: Cells of each row.
        path: Path of the file for which the text is meant. Its suffix selects whether cells are
            separated by tabs or commas.

    Returns:
        The text with one line for each row. Formulas in CSV cells are escaped.
    """
    if path.suffix.lower() in TAB_SUFFIXES:
        return "".join("\t".join(row) + "\n" for row in rows)
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([*map(without_formula, row)] for row in rows)
    return text.getvalue()


def without_formula(cell: str) -> str:
    """Escape the content of a cell if a spreadsheet program would run it as a formula.

    Args:
        cell: Content of the cell.
    """
    return f"'{cell}" if cell.startswith(_FORMULA) else cell


def check_name(path: Path) -> None:
    """Raise an error unless a file name has the suffix of a table, such as `.csv`.

    Args:
        path: Path of the file.

    Raises:
        InputError: If the suffix is not that of a table.
    """
    if path.suffix.lower() not in (".csv", *TAB_SUFFIXES):
        raise InputError(
            f"{path} is not the name of a table. Choose a name that ends in .csv (commas), or in "
            f"{', '.join(TAB_SUFFIXES[:-1])} or {TAB_SUFFIXES[-1]} (tabs)."
        )


def table_columns(path: Path) -> tuple[str, ...]:
    """Return what each column of an existing table contains.

    Args:
        path: Path of the table.

    Returns:
        For each column its name from `COLUMNS`, or an empty string for any other column.

    Raises:
        FormatError: If the table has only one column.
    """
    with path.open(encoding="utf-8-sig", errors="surrogateescape", newline="") as file:
        sample = [cells for _, cells in islice(_cells(file, path, log_problem), _SAMPLE)]
    columns, has_heading = _columns(sample, path)
    width = len(sample[0]) if sample else 2
    return columns if has_heading else columns[: max(2, min(width, len(columns)))]


def table_header(cells: Sequence[str]) -> tuple[str, ...]:
    """Return what the columns of a table contain according to its heading.

    Args:
        cells: Cells of the heading.

    Returns:
        For each cell the name of a column from `COLUMNS`, or an empty string for any other column.
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
        yield line, [cell[1:] if cell.startswith(_QUOTED_FORMULA) else cell for cell in cells]


def _columns(rows: Sequence[Sequence[str]], path: Path) -> tuple[tuple[str, ...], bool]:
    """Detect the columns of a table from its first rows, and whether the first row is a heading."""
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
