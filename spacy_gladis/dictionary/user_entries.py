"""Read files with the user's entries, and add entries to them."""

from collections.abc import Iterable
from pathlib import Path

from ..errors import FormatError, InputError
from ..files import refuse_stream, writing
from ..problem import Problem, Report, log_problem
from .candidate import Row, clean_row
from .overlay import USER_SOURCE
from .tables import COLUMNS, check_name, format_rows, table_columns


def read_user_entries(paths: Iterable[str | Path], report: Report = log_problem) -> list[Row]:
    """Read the user's entries from files in any format that `read_glossary` supports.

    Args:
        paths: Paths of the files.
        report: Function that is called with each problem in the entries. Invalid entries are
            skipped.

    Returns:
        The rows of all files, in order. A row without a long form means that a word is not an
        acronym.

    Raises:
        InputError: If a file doesn't exist, or its format is unknown.
        FormatError: If a file is damaged, or has problems and no valid entry.
    """
    return [row for path in paths for row in _read(Path(path), report)]


def append_user_entries(path: Path, entries: Iterable[tuple[str, str]]) -> None:
    """Append entries to a table, which is created with a heading if it doesn't exist.

    Args:
        path: Path of the table, which is a CSV file or a text file with tabs.
        entries: Pairs of an acronym and its long form. An empty long form means that the word is
            not an acronym.

    Raises:
        InputError: If the suffix of the path is not that of a table, or if the path is a pipe or a
            device.
        FormatError: If the table has no columns for acronyms and long forms.
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
    """Add an entry to a table unless the table already contains it.

    Args:
        path: Path of an existing table.
        acronym: The acronym to add.
        long_form: The long form of the acronym.

    Returns:
        The added entry, or None if the table already contains it.

    Raises:
        InputError: If a value is invalid, or if the file isn't a table.
        FormatError: If the table has no columns for acronyms and long forms.
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
            f"{place}: {first.detail}. Expected an acronym and its long form. An empty long form "
            "says that a word is not an acronym."
        )
    for problem in problems:
        report(problem)
    return rows
