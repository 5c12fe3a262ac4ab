"""The texts a user names: a text itself, files, folders or standard input."""

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from ..errors import InputError
from ..problem import Problem, Report
from .readers import read_documents
from .readers.pile import without_lone_surrogates

STANDARD_INPUT = "-"
_RECORDS = (".jsonl", ".ndjson", ".spacy")
_BINARY = "\0"


class Source(NamedTuple):
    """A text to annotate and what to call it."""

    name: str
    text: str


def read_sources(given: Sequence[str], report: Report) -> Iterator[Source]:
    """Yield the texts that a user names, one after the other.

    given: one text (it holds white space, or is one word that is no path), or paths of files and
        folders (read whole, hidden files left out), or `-` for standard input. JSON lines and
        DocBin files hold several documents.
    What cannot be read goes to `report`, and the next file is read. Raises InputError at once when
    nothing is given, and when the one path given is not there.
    """
    if not given:
        raise InputError("Nothing to annotate: give a text, files, folders, or - for stdin.")
    if len(given) == 1 and _is_text(given[0]):
        return iter([Source("text", without_lone_surrogates(given[0]))])
    missing = [name for name in given if name != STANDARD_INPUT and not Path(name).exists()]
    if len(missing) == len(given):
        raise InputError(f"There is no file or folder {', '.join(missing)}.")
    return _read_all(given, report)


def _is_text(given: str) -> bool:
    if given == STANDARD_INPUT:
        return False
    try:
        if Path(given).exists():
            return False
    except (OSError, ValueError):  # longer than a path can be, or with a zero byte
        return True
    return any(map(str.isspace, given)) or not {".", "/", "\\"}.intersection(given)


def _read_all(given: Sequence[str], report: Report) -> Iterator[Source]:
    for name in given:
        path = Path(name)
        if name == STANDARD_INPUT:
            yield Source("standard input", without_lone_surrogates(sys.stdin.read()))
        elif path.is_dir():
            for file in sorted(path.rglob("*")):
                hidden = any(part.startswith(".") for part in file.relative_to(path).parts)
                if file.is_file() and not hidden:
                    yield from _read(file, report)
        else:
            yield from _read(path, report)


def _read(path: Path, report: Report) -> Iterator[Source]:
    if any(suffix in _RECORDS for suffix in path.suffixes):
        try:
            yield from (Source(d.id, d.text) for d in read_documents(path, report=report))
        except InputError as error:
            report(Problem("damaged file", str(path), 1, str(error)))
        return
    try:
        text = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        report(Problem("wrong encoding", str(path), 1, f"not UTF-8: {error.reason}"))
        return
    except OSError as error:
        report(Problem("unreadable file", str(path), 1, error.strerror or str(error)))
        return
    if _BINARY in text:
        report(Problem("no text", str(path), 1, "a binary file"))
        return
    yield Source(str(path), text)
