"""Files of a user's own entries, in any format that people keep a glossary in."""

from collections.abc import Iterable
from pathlib import Path

from ..errors import FormatError
from ..files import refuse_stream, writing
from ..problem import Problem, Report, log_problem
from .candidate import Row
from .overlay import USER_SOURCE
from .tables import COLUMNS, check_name, format_rows, table_columns


def read_user_entries(paths: Iterable[str | Path], report: Report = log_problem) -> list[Row]:
    """The entries of overlays in order; those without a long form say what is not an acronym.

    In any format of `read_glossary`. A bad row is reported and left out. Raises InputError for a
    file that is not there or of no known format, FormatError for a damaged one and, with file and
    line, for one without a good row.
    """
    return [row for path in paths for row in _read(Path(path), report)]


def append_user_entries(path: Path, entries: Iterable[tuple[str, str]]) -> None:
    """Write acronyms with their long forms, empty ones for no acronym, at the end of a table.

    The table is made with a heading where it is not there. Raises InputError for a file that is no
    table, or a pipe, FormatError for one that has no columns of acronyms.
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


def _read(path: Path, report: Report) -> list[Row]:
    from .glossaries import read_glossary  # the readers of documents: most pipelines need none

    problems: list[Problem] = []
    rows = list(read_glossary(path, USER_SOURCE, problems.append))
    if problems and not rows:
        first = problems[0]
        place = f"{path}, line {first.line}" if first.line else path
        raise FormatError(
            f"{place}: {first.detail}. Expected an acronym and its long form; a long form left "
            "empty says that a word is not an acronym."
        )
    for problem in problems:
        report(problem)
    return rows
