"""Read files with the user's own entries, and add entries to them."""

from collections.abc import Iterable
from pathlib import Path

from ..errors import FormatError, InputError
from ..files import refuse_stream, writing
from ..problem import Problem, Report, log_problem
from .candidate import Row, clean_row
from .overlay import USER_SOURCE
from .tables import COLUMNS, check_name, format_rows, table_columns


def read_user_entries(paths: Iterable[str | Path], report: Report = log_problem) -> list[Row]:
    """Read the user's own entries from files in any format that `read_glossary` supports.

    Args:
        paths: Paths of the files, such as a CSV table of acronyms and long forms.
        report: Function that is called with a `Problem` for each invalid entry, which is then
            skipped. By default, problems are logged as warnings.

    Returns:
        The rows of all files, in order. A row with an empty long form means that its word is not an
        acronym.

    Raises:
        InputError: If a file doesn't exist, or its format is unknown.
        FormatError: If a file is damaged, or if all its entries are invalid.
    """
    return [row for path in paths for row in _read(Path(path), report)]


def append_user_entries(path: Path, entries: Iterable[tuple[str, str]]) -> None:
    """Append entries to a table of the user's entries.

    If the table doesn't exist, it is created with the columns `acronym` and `long_form`. The
    columns of an existing table may be in any order, and other columns are left empty.

    Args:
        path: Path of the table, which is a CSV file with commas or a text file with tabs.
        entries: Pairs of an acronym and its long form. An empty long form means that the word is
            not an acronym.

    Raises:
        InputError: If the suffix of the path is not that of a table, or if the path is a pipe or a
            device.
        FormatError: If the table has only one column.
    """
    check_name(path)
    refuse_stream(path)
    before = path.read_bytes() if path.exists() else b""
    columns = table_columns(path) if before else COLUMNS[:2]
    rows = [dict(zip(COLUMNS, entry, strict=False)) for entry in entries]
    lines = [[row.get(name, "") for name in columns] for row in rows]
    text = format_rows(lines if before else [list(columns), *lines], path)
    data = before + b"\n" if before and not before.endswith(b"\n") else before
    with writing(path, before) as temporary:
        temporary.write_bytes(data + text.encode())


def add_user_entry(path: Path, acronym: str, long_form: str) -> Row | None:
    """Add an acronym with its long form to a table of user entries, if it is not there yet.

    Args:
        path: Path of an existing table.
        acronym: The acronym to add.
        long_form: The long form of the acronym.

    Returns:
        The row that was added, or None if the table already contains the acronym with this long
        form.

    Raises:
        InputError: If the acronym or the long form is empty or too long, or if the file isn't a
            table.
        FormatError: If the table has only one column, or if all its entries are invalid.
    """
    try:
        row = clean_row(acronym, long_form, USER_SOURCE)
    except InputError as error:
        raise InputError(f"The entry is invalid: {error}.") from None
    if any(entry[:2] == row[:2] for entry in read_user_entries([path])):
        return None
    append_user_entries(path, [row[:2]])
    return row


def _read(path: Path, report: Report) -> list[Row]:
    from .glossaries import read_glossary  # imports the document formats, which is slow

    problems: list[Problem] = []
    rows = list(read_glossary(path, USER_SOURCE, problems.append))
    if problems and not rows:
        first = problems[0]
        place = f"{path}, line {first.line}" if first.line else path
        raise FormatError(
            f"{place}: {first.detail}. Expected an acronym and its long form. Leave the long form "
            "empty to mark a word that is not an acronym."
        )
    for problem in problems:
        report(problem)
    return rows
