"""spaCy's DocBin files (`.spacy`)."""

from collections.abc import Iterator

from ...problem import Problem, Report, log_problem
from ..document import Document, Piece


def read_docbin(piece: Piece, report: Report = log_problem) -> Iterator[Document]:
    """Yield the texts of a DocBin; the domain is the piece's, else the file's name.

    The packed file is held in memory, as spaCy's format asks; the documents are unpacked singly.
    """
    import spacy.tokens
    import spacy.vocab

    number = 0
    try:
        packed = spacy.tokens.DocBin().from_disk(piece.path)
        for number, doc in enumerate(packed.get_docs(spacy.vocab.Vocab()), 1):
            if doc.text.strip():
                yield Document(f"{piece.shard}:{number}", doc.text, piece.domain or piece.shard)
            else:
                report(Problem("no text", str(piece.source), number, "the document is empty"))
    except Exception as error:  # whatever zlib, msgpack and spaCy raise
        report(Problem("damaged file", str(piece.source), number + 1, f"{error!r}"))
