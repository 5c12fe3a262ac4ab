"""Documents out of raw corpora, one file a format; all but DocBin stream."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from ....documents.document import Document, Piece
from ....documents.lines import COMPRESSIONS
from ....documents.readers.docbin import read_docbin
from ....documents.readers.pile import read_pile
from ....errors import InputError
from ....problem import Report, log_problem
from .text import read_folder, read_text_file
from .umls import read_umls
from .wikidata import read_wikidata

__all__ = ["format_of", "read_documents", "read_piece"]


class Format(NamedTuple):
    """How documents are read, and what files of this kind are. One of lines can be split."""

    name: str
    read: Callable[[Piece, Report], Iterator[Document]]
    of_lines: bool = False


BY_ENDING = {
    ".jsonl": Format("JSON lines (.jsonl)", read_pile, of_lines=True),
    ".ndjson": Format("JSON lines (.ndjson)", read_pile, of_lines=True),
    ".json": Format("a Wikidata dump (.json)", read_wikidata, of_lines=True),
    ".rrf": Format("UMLS names (MRCONSO.RRF)", read_umls),
}
"""The formats that may be compressed, by the file's ending."""


def format_of(path: Path) -> Format:
    """The format of a corpus, by its name. Raises InputError where it is missing or unknown."""
    if not path.exists():
        raise InputError(f"There is no file or folder {path}.")
    if path.is_dir():
        return Format("a folder of .txt files", read_folder)
    if path.suffix == ".spacy":
        return Format("a DocBin (.spacy)", read_docbin)
    if path.suffix == ".txt":
        return Format("a text file (.txt)", read_text_file)
    inner = Path(path.stem) if path.suffix in COMPRESSIONS else path
    if found := BY_ENDING.get(inner.suffix.lower()):
        return found
    names = ", ".join(one.name for one in BY_ENDING.values())
    raise InputError(
        f"{path} is of no known format. Expected {names}, each plain or .zst, .gz or .bz2; a "
        "DocBin (.spacy), a .txt file or a folder of .txt files."
    )


def read_piece(piece: Piece, report: Report = log_problem) -> Iterator[Document]:
    """Yield a piece's documents; bad records go to `report`."""
    return format_of(piece.source).read(piece, report)


def read_documents(
    path: str | Path, domain: str | None = None, report: Report = log_problem
) -> Iterator[Document]:
    """Yield the documents of a corpus: any of the formats that `format_of` knows.

    `domain` names the source where the file itself does not. Raises InputError, before any work,
    where the path is not there or its format is not known; bad records go to `report`.
    """
    return format_of(Path(path)).read(Piece.whole(Path(path), domain), report)
