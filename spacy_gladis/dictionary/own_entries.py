"""Files of a user's own entries, of which a wrong line is an error."""

from collections.abc import Iterable
from pathlib import Path

from ..errors import FormatError
from ..problem import Problem
from .candidate import Row
from .importing import read_rows
from .overlay import USER_DOMAIN


def read_own_entries(paths: Iterable[str | Path]) -> list[Row]:
    """The entries of overlays in order; those without a long form say what is no acronym.

    Raises InputError for a file that is not there or of no known format, FormatError, with file
    and line, for the first line that is no entry.
    """
    return [
        row for path in paths for row in read_rows(Path(path), USER_DOMAIN, _refuse, negative=True)
    ]


def _refuse(problem: Problem) -> None:
    raise FormatError(
        f"{problem.path}, line {problem.line}: {problem.detail}. Expected an acronym and its long "
        "form; a long form left empty says that a word is no acronym."
    )
