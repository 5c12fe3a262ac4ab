"""Documents out of raw corpora, one file a format; all but DocBin stream."""

from collections.abc import Callable, Iterator
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
from .umls import read_umls
from .wikidata import read_wikidata

__all__ = ["Format", "format_of", "read_documents", "read_piece"]


class Format(NamedTuple):
    """How a corpus is read. One of independent lines can be split."""

    read: Callable[[Piece, Report], Iterator[Document]]
    of_lines: bool = False


BY_ENDING = {
    ".jsonl": Format(read_pile, of_lines=True),
    ".ndjson": Format(read_pile, of_lines=True),
    ".json": Format(read_wikidata, of_lines=True),
    ".rrf": Format(read_umls),
}


def format_of(path: Path) -> Format:
    """The format of a corpus, by its name. Raises InputError where it is missing or unknown."""
    if not path.exists():
        raise InputError(f"There is no file or folder {path}.")
    if path.is_dir():
        return Format(read_folder)
    if path.suffix == ".spacy":
        return Format(read_docbin)
    if path.suffix == ".txt":
        return Format(read_text_file)
    inner = Path(path.stem) if path.suffix in COMPRESSIONS else path
    if found := BY_ENDING.get(inner.suffix.lower()):
        return found
    raise InputError(
        f"{path} is of no known format. Expected JSON lines (.jsonl), a Wikidata dump (.json), "
        "UMLS names (MRCONSO.RRF), each plain or .zst, .gz or .bz2; a DocBin (.spacy), a .txt file "
        "or a folder of .txt files."
    )


def read_piece(piece: Piece, report: Report = log_problem) -> Iterator[Document]:
    """Yield a piece's documents; bad records go to `report`."""
    return format_of(piece.source).read(piece, report)


def read_documents(
    path: str | Path, domain: str | None = None, report: Report = log_problem
) -> Iterator[Document]:
    """Yield the documents of a corpus: any of the formats that `format_of` knows.

    `domain` names the source where the corpus itself does not. Raises InputError, before any work,
    where the path is not there or its format is not known; bad records go to `report`.
    """
    return read_piece(Piece.whole(Path(path), domain), report)
