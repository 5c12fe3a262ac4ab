"""Documents out of raw corpora: the library's formats, and references whose names are mined."""

from collections.abc import Iterator
from pathlib import Path

from ....documents import readers
from ....documents.document import Document
from ....documents.piece import Piece
from ....documents.readers import Format
from ....problem import Report, log_problem
from .umls import read_umls
from .wikidata import read_wikidata

__all__ = ["format_of", "read_documents", "read_piece"]

BY_ENDING = {
    **readers.BY_ENDING,
    ".json": Format("a Wikidata dump (.json)", read_wikidata, of_lines=True),
    ".rrf": Format("UMLS names (MRCONSO.RRF)", read_umls),
}


def format_of(path: Path) -> Format:
    """The format of a corpus, by its name. Raises InputError where it is missing or unknown."""
    return readers.format_of(path, BY_ENDING)


def read_piece(piece: Piece, report: Report = log_problem) -> Iterator[Document]:
    """Yield a piece's documents; bad records go to `report`."""
    return format_of(piece.source).read(piece, report)


def read_documents(
    path: str | Path, domain: str | None = None, report: Report = log_problem
) -> Iterator[Document]:
    """Yield the documents of a corpus, as the library's function of this name does."""
    return readers.read_documents(path, domain, report, BY_ENDING)
