"""spaCy's DocBin files (`.spacy`)."""

import zlib
from collections.abc import Iterator
from pathlib import Path

from ...errors import FormatError
from ...problem import Problem, Report, log_problem
from ..document import Document, Piece

_CHUNK = 1 << 20  # bytes
_MOST = 1 << 26
_MOST_TIMES = 50
"""Bytes that a file may unpack to in any case, and how many times its own size."""


def read_docbin(piece: Piece, report: Report = log_problem) -> Iterator[Document]:
    """Yield the texts of a DocBin; the domain is the piece's, else the file's name.

    The packed file is held in memory, as spaCy's format asks; the documents are unpacked singly.
    """
    import spacy.tokens
    import spacy.vocab

    number = 0
    try:
        _check_size(piece.path)
        packed = spacy.tokens.DocBin().from_disk(piece.path)
        for number, doc in enumerate(packed.get_docs(spacy.vocab.Vocab()), 1):
            if doc.text.strip():
                yield Document(f"{piece.shard}:{number}", doc.text, piece.domain or piece.shard)
            else:
                report(Problem("no text", str(piece.source), number, "the document is empty"))
    except FormatError as error:
        report(Problem("damaged file", str(piece.source), None, str(error)))
    except Exception as error:  # whatever zlib, msgpack and spaCy raise
        report(Problem("damaged file", str(piece.source), number + 1, f"{error!r}"))


def _check_size(path: Path) -> None:
    """Refuse a file that unpacks to very much, as spaCy unpacks it at once."""
    most = max(_MOST, _MOST_TIMES * path.stat().st_size)
    size, unpacker = 0, zlib.decompressobj()
    with path.open("rb") as file:
        while data := unpacker.unconsumed_tail or file.read(_CHUNK):
            size += len(unpacker.decompress(data, _CHUNK))
            if size > most:
                raise FormatError(f"it unpacks to more than {most:,} bytes")
