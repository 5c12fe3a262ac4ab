"""UMLS concept names as documents: the Metathesaurus file MRCONSO.RRF, a document a concept."""

from collections.abc import Iterator

from ....concepts.readers.mrconso import read_mrconso
from ....documents.document import Document, Piece
from ....problem import Report, log_problem
from .names import names_as_text


def read_umls(piece: Piece, report: Report = log_problem) -> Iterator[Document]:
    """Yield a document a concept: "preferred name (other name)", a paragraph a name.

    The domain is the piece's, else "UMLS"; the id is the concept's (CUI).
    """
    for concept in read_mrconso(piece, report):
        if text := names_as_text(concept):
            yield Document(concept.id, text, piece.domain or "UMLS")
