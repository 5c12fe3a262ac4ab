"""Dictionaries as tables: CSV with commas or semicolons, or TSV with nothing quoted."""

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

_HEADINGS = {  # headings in use elsewhere; of several that are there the first one counts
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
"""Rows that are looked at where a heading does not tell which column holds what."""
_WIDEST = 12
"""Columns that are looked at then."""

_WORDS = re.compile(r"[^\W_]+")
_FORMULA = ("=", "+", "-", "@", "\t", "\r")
_QUOTED_FORMULA = tuple(f"'{sign}" for sign in _FORMULA)


def read_table(
    path: Path, source: str, report: Report = log_problem, negative: bool = False
) -> Iterator[Row]:
    """Yield the rows of a table: acronym, long form and, if there, count and source.

    The first line may name the columns, in any order. Where it names none that is known, the two
    are taken of which the letters of one stand in the other, in most rows; else the columns come
    in this order. A missing count is 1, a missing source `source`. With `negative` a missing long
    form is an empty one. A bad row is reported with its line and left out.
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
    """Yield the rows of a table that is given by numbered lines of cells, as `read_table` does."""
    sample = list(islice(cells, _SAMPLE))
    columns, named = _columns([row for _, row in sample], path)
    for line, values in chain(sample[named:], cells):
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
    """Write groups as a table, a row for each acronym, long form and source."""
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
    """Rows as lines of a table whose name is `path`: with tabs, or CSV."""
    if path.suffix.lower() in TAB_SUFFIXES:
        return "".join("\t".join(row) + "\n" for row in rows)
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([*map(without_formula, row)] for row in rows)
    return text.getvalue()


def without_formula(cell: str) -> str:
    """A cell that no spreadsheet runs as a formula."""
    return f"'{cell}" if cell.startswith(_FORMULA) else cell


def check_name(path: Path) -> None:
    """Raise InputError unless a file's name ends as a table's does."""
    if path.suffix.lower() not in (".csv", *TAB_SUFFIXES):
        raise InputError(
            f"{path} is not the name of a table: such a name ends in .csv (commas), or in "
            f"{', '.join(TAB_SUFFIXES[:-1])} or {TAB_SUFFIXES[-1]} (tabs)."
        )


def table_columns(path: Path) -> tuple[str, ...]:
    """The columns of a table that is there, an unknown one without a name. Raises FormatError."""
    with path.open(encoding="utf-8-sig", errors="surrogateescape", newline="") as file:
        sample = [cells for _, cells in islice(_cells(file, path, log_problem), _SAMPLE)]
    columns, named = _columns(sample, path)
    wide = len(sample[0]) if sample else 2
    return columns if named else columns[: max(2, min(wide, len(columns)))]


def table_header(cells: Sequence[str]) -> tuple[str, ...]:
    """The column that each cell of a heading names, empty for one that names none."""
    names = ["_".join(_WORDS.findall(cell.lower())) for cell in cells]
    columns = [_FURTHER.get(name, "") for name in names]
    for column, headings in _HEADINGS.items():
        places = (names.index(heading) for heading in headings if heading in names)
        free = next((at for at in places if not columns[at]), None)
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
    semicolons = first.count(";") > first.count(",")  # where the comma is the decimal sign
    rows = chain([first] if first else [], lines)
    for line, _, cells in table_rows(rows, path, report, ";" if semicolons else ","):
        yield line, [cell[1:] if cell.startswith(_QUOTED_FORMULA) else cell for cell in cells]


def _columns(rows: Sequence[Sequence[str]], path: Path) -> tuple[tuple[str, ...], bool]:
    """The columns of a table by its first rows, and whether the first of them is a heading."""
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
            f"long form and, if there, count and source, with {between} file)."
        )
    found = _spelling_columns(rows)
    if found is None or found == (0, 1):
        return COLUMNS, False
    names = dict(zip(found, COLUMNS, strict=False))
    columns = tuple(names.get(at, "") for at in range(max(found) + 1))
    return columns, not _spells(rows[0], found)


def _spelling_columns(rows: Sequence[Sequence[str]]) -> tuple[int, int] | None:
    """The columns of acronyms and long forms, by what most of the rows hold; None if none do."""
    rows = rows[1:] or rows  # the first one may be a heading
    width = min(max(map(len, rows)), _WIDEST)
    spelt = Counter(
        places for row in rows for places in permutations(range(width), 2) if _spells(row, places)
    )
    [(places, number)] = spelt.most_common(1) or [((0, 1), 0)]
    return places if 2 * number > len(rows) else None


def _spells(row: Sequence[str], places: tuple[int, int]) -> bool:
    return max(places) < len(row) and long_form_of(*(row[at].strip() for at in places)) != ""


def _count(cell: str | None) -> int:
    try:
        return int(cell) if cell else 1
    except ValueError:
        raise InputError(f"the count is {cell!r}, not a whole number") from None
