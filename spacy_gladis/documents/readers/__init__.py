"""Documents out of files, one file a format; all but DocBin stream."""

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from ...errors import InputError
from ...problem import Report, log_problem
from ..document import Document
from ..lines import COMPRESSIONS
from ..piece import Piece
from .docbin import read_docbin
from .pile import read_pile
from .text import read_folder, read_text_file

__all__ = ["BY_ENDING", "Format", "format_of", "read_documents"]


class Format(NamedTuple):
    """How documents are read, and what files of this kind are. One of lines can be split."""

    name: str
    read: Callable[[Piece, Report], Iterator[Document]]
    of_lines: bool = False


BY_ENDING: Mapping[str, Format] = {
    ".jsonl": Format("JSON lines (.jsonl)", read_pile, of_lines=True),
    ".ndjson": Format("JSON lines (.ndjson)", read_pile, of_lines=True),
}
"""The formats that may be compressed, by the file's ending."""


def format_of(path: Path, by_ending: Mapping[str, Format] = BY_ENDING) -> Format:
    """The format of a file or folder, by its name. Raises InputError where it is not there or
    its format is not known."""
    if not path.exists():
        raise InputError(f"There is no file or folder {path}.")
    if path.is_dir():
        return Format("a folder of .txt files", read_folder)
    if path.suffix == ".spacy":
        return Format("a DocBin (.spacy)", read_docbin)
    if path.suffix == ".txt":
        return Format("a text file (.txt)", read_text_file)
    inner = Path(path.stem) if path.suffix in COMPRESSIONS else path
    if found := by_ending.get(inner.suffix.lower()):
        return found
    names = ", ".join(one.name for one in by_ending.values())
    raise InputError(
        f"{path} is of no known format. Expected {names}, each plain or .zst, .gz or .bz2; a "
        "DocBin (.spacy), a .txt file or a folder of .txt files."
    )


def read_documents(
    path: str | Path,
    domain: str | None = None,
    report: Report = log_problem,
    by_ending: Mapping[str, Format] = BY_ENDING,
) -> Iterator[Document]:
    """Yield the documents of a file or folder: any of the formats that `format_of` knows.

    `domain` names the source where the file itself does not. Raises InputError, before any work,
    where the path is not there or its format is not known; bad records go to `report`.
    """
    return format_of(Path(path), by_ending).read(Piece.whole(Path(path), domain), report)
