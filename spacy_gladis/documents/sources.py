"""The texts a user names: a text itself, files, folders or standard input."""

import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from ..errors import GladisError, InputError, MissingExtraError
from ..problem import Problem, Report
from .formats import format_of_file, read_file
from .readers.pile import without_lone_surrogates
from .source import Source

__all__ = ["STANDARD_INPUT", "Source", "are_several", "read_sources"]

STANDARD_INPUT = "-"
_KINDS = {InputError: "unknown format", MissingExtraError: "missing package"}


def read_sources(given: Sequence[str], report: Report) -> Iterator[Source]:
    """Yield the texts that a user names, one after the other.

    given: one text (it holds white space, or is one word that is no path), or paths of files and
        folders, or `-` for standard input. Of folders, files of known formats are read, hidden
        ones left out; JSON lines and DocBin files hold several documents.
    What cannot be read goes to `report`, and the next file is read. Raises InputError at once when
    nothing is given, and when the one path given is not there.
    """
    if not given:
        raise InputError("Nothing to annotate: give a text, files, folders, or - for stdin.")
    if len(given) == 1 and _is_text(given[0]):
        return iter([Source("text", without_lone_surrogates(given[0]))])
    return read_paths(given, report)


def are_several(given: Sequence[str]) -> bool:
    """Whether a folder or more than one file is named: documents that may explain one another."""
    files = [name for name in given if name != STANDARD_INPUT]
    return len(files) > 1 or any(not _is_text(name) and Path(name).is_dir() for name in files)


def _is_text(given: str) -> bool:
    if given == STANDARD_INPUT:
        return False
    try:
        if Path(given).exists():
            return False
    except (OSError, ValueError):  # longer than a path can be, or with a zero byte
        return True
    return any(map(str.isspace, given)) or not {".", "/", "\\"}.intersection(given)


def read_paths(
    given: Sequence[str], report: Report, kept: Callable[[Path], bool] = lambda path: True
) -> Iterator[Source]:
    """Yield the texts of files, folders and standard input, as `read_sources` does.

    kept: whether a file in a folder is read. Raises InputError where none of them is there.
    """
    missing = [name for name in given if name != STANDARD_INPUT and not Path(name).exists()]
    if len(missing) == len(given):
        raise InputError(f"There is no file or folder {', '.join(missing)}.")
    return _read_all(given, report, kept)


def _read_all(
    given: Sequence[str], report: Report, kept: Callable[[Path], bool]
) -> Iterator[Source]:
    for name in given:
        path = Path(name)
        if name == STANDARD_INPUT:
            yield Source("standard input", without_lone_surrogates(sys.stdin.read()))
        elif path.is_dir():
            for file in sorted(path.rglob("*")):
                hidden = any(part.startswith(".") for part in file.relative_to(path).parts)
                if file.is_file() and not hidden and format_of_file(file) and kept(file):
                    yield from _read(file, report)
        else:
            yield from _read(path, report)


def _read(path: Path, report: Report) -> Iterator[Source]:
    try:
        yield from read_file(path, report)
    except UnicodeDecodeError as error:
        report(Problem("wrong encoding", str(path), 1, f"not UTF-8: {error.reason}"))
    except OSError as error:
        report(Problem("unreadable file", str(path), 1, error.strerror or str(error)))
    except GladisError as error:
        report(Problem(_KINDS.get(type(error), "damaged file"), str(path), 1, str(error)))
