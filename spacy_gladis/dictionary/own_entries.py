"""Files of a user's own entries, of which a wrong line is an error."""

from collections.abc import Iterable
from pathlib import Path

from ..errors import FormatError
from ..files import writing
from ..problem import Problem
from .candidate import Row
from .importing import read_rows
from .overlay import USER_DOMAIN
from .tables import COLUMNS, check_name, format_rows, table_columns


def read_own_entries(paths: Iterable[str | Path]) -> list[Row]:
    """The entries of overlays in order; those without a long form say what is not an acronym.

    Raises InputError for a file that is not there or of no known format, FormatError, with file
    and line, for the first line that is not an entry.
    """
    return [
        row for path in paths for row in read_rows(Path(path), USER_DOMAIN, _refuse, negative=True)
    ]


def append_own_entries(path: Path, entries: Iterable[tuple[str, str]]) -> None:
    """Write acronyms with their long forms, empty ones for no acronym, at the end of a table.

    The table is made with a heading where it is not there. Raises InputError for a file that is no
    table, FormatError for one that has no columns of acronyms.
    """
    check_name(path)
    before = path.read_bytes() if path.exists() else b""
    columns = table_columns(path) if before else COLUMNS[:2]
    rows = [dict(zip(COLUMNS, entry, strict=False)) for entry in entries]
    lines = [[row.get(name, "") for name in columns] for row in rows]
    text = format_rows(lines if before else [list(columns), *lines], path)
    data = before + b"\n" if before and not before.endswith(b"\n") else before
    with writing(path, before) as temporary:
        temporary.write_bytes(data + text.encode())


def _refuse(problem: Problem) -> None:
    raise FormatError(
        f"{problem.path}, line {problem.line}: {problem.detail}. Expected an acronym and its long "
        "form; a long form left empty says that a word is not an acronym."
    )
