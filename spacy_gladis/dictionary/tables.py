"""Dictionaries as tables: CSV, or TSV with nothing quoted."""

import csv
import io
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from ..errors import FormatError, InputError
from ..files import writing
from ..problem import Problem, Report, log_problem
from .candidate import Group, Row, clean_row

COLUMNS = ("acronym", "long_form", "count", "domain")
TAB_SUFFIXES = (".tsv", ".tab", ".txt")

_NAMES = {  # headings in use elsewhere
    **{name: name for name in COLUMNS},
    "abbreviation": "acronym",
    "abbrev": "acronym",
    "abr": "acronym",
    "acronyms": "acronym",
    "short": "acronym",
    "short_form": "acronym",
    "short_term": "acronym",
    "term": "acronym",
    "definition": "long_form",
    "expansion": "long_form",
    "full_form": "long_form",
    "full_name": "long_form",
    "long": "long_form",
    "long_term": "long_form",
    "meaning": "long_form",
    "frequency": "count",
    "source": "domain",
}


def read_table(
    path: Path, domain: str, report: Report = log_problem, negative: bool = False
) -> Iterator[Row]:
    """Yield the rows of a table: acronym, long form and, if there, count and domain.

    The first line may name the columns, in any order; else they come in this one. A missing count
    is 1, a missing domain `domain`. With `negative` a missing long form is an empty one. A bad row
    is reported with its line and left out.
    """
    columns: tuple[str, ...] = ()
    with path.open(encoding="utf-8-sig", errors="surrogateescape", newline="") as file:
        for line, cells in _cells(file, path, report):
            if not columns:
                columns = _header(cells, path) or COLUMNS
                if columns is not COLUMNS:
                    continue
            if not any(cells):
                continue
            row = dict(zip(columns, cells, strict=False))
            acronym, long_form = row.get("acronym", ""), row.get("long_form", "")
            if negative and acronym.strip() and "long_form" in row and not long_form.strip():
                yield Row(" ".join(acronym.split()), "", domain)
                continue
            try:
                count = _count(row.get("count"))
                yield clean_row(acronym, long_form, row.get("domain") or domain, count)
            except InputError as error:
                report(Problem("bad row", str(path), line, f"{error}: {cells!r:.200}"))


def write_table(groups: Iterable[Group], path: Path) -> None:
    """Write groups as a table, a row for each acronym, long form and domain."""
    with writing(path) as temporary, temporary.open("w", encoding="utf-8", newline="") as file:
        file.write(format_rows([COLUMNS], path))
        for acronym, entries in groups:
            rows = [
                (acronym, long_form, str(count), domain)
                for long_form, counts in entries
                for domain, count in counts.items()
            ]
            file.write(format_rows(rows, path))


def format_rows(rows: Iterable[Sequence[str]], path: Path) -> str:
    """Rows as lines of a table whose name is `path`: with tabs, or CSV."""
    if path.suffix.lower() in TAB_SUFFIXES:
        return "".join("\t".join(row) + "\n" for row in rows)
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue()


def check_name(path: Path) -> None:
    """Raise InputError unless a file's name ends as a table's does."""
    if path.suffix.lower() not in (".csv", *TAB_SUFFIXES):
        raise InputError(f"{path} is not a table of own entries: its name ends in .csv or .tsv.")


def table_columns(path: Path) -> tuple[str, ...]:
    """The columns of a table that is there, an unknown one without a name. Raises FormatError."""
    with path.open(encoding="utf-8-sig", errors="surrogateescape", newline="") as file:
        for _, cells in _cells(file, path, log_problem):
            return _header(cells, path) or COLUMNS[: max(2, min(len(cells), len(COLUMNS)))]
    return COLUMNS[:2]


def _cells(file: Iterable[str], path: Path, report: Report) -> Iterator[tuple[int, list[str]]]:
    if path.suffix.lower() in TAB_SUFFIXES:
        for line, text in enumerate(file, 1):
            yield line, text.rstrip("\r\n").split("\t")
        return
    reader = csv.reader(file, strict=True)
    while True:
        line = reader.line_num + 1
        try:
            yield line, next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            open_quote = str(error) == "unexpected end of data"
            detail = "a quotation mark is not closed" if open_quote else str(error)
            report(Problem("bad row", str(path), line, detail))


def _header(cells: list[str], path: Path) -> tuple[str, ...]:
    """The columns that a first line names; none where it is a row as others."""
    names = [_NAMES.get(cell.strip().lower().replace(" ", "_"), "") for cell in cells]
    if "acronym" in names and "long_form" in names:
        return tuple("" if name in names[:at] else name for at, name in enumerate(names))
    if len(cells) < 2:
        tabs = path.suffix.lower() in TAB_SUFFIXES
        between = (
            "tabs between them (commas in a .csv" if tabs else "commas between them (tabs in a .tsv"
        )
        raise FormatError(
            f"{path} is not a table of acronyms: its first line has one column. Expected acronym, "
            f"long form and, if there, count and domain, with {between} file)."
        )
    return ()


def _count(cell: str | None) -> int:
    try:
        return int(cell) if cell else 1
    except ValueError:
        raise InputError(f"the count is {cell!r}, not a whole number") from None
