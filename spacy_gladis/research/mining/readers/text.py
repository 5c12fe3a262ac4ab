"""Text files, one document a file."""

from collections.abc import Iterator
from pathlib import Path

from ....documents.document import Document, Piece
from ....problem import Problem, Report, log_problem


def read_folder(piece: Piece, report: Report = log_problem) -> Iterator[Document]:
    """Yield the `.txt` files under a folder in order; the folder's name is the domain."""
    root = piece.path
    domain = piece.domain or root.name
    for path in sorted(root.rglob("*.txt")):
        yield from _read(path, f"{root.name}/{path.relative_to(root)}", domain, report)


def read_text_file(piece: Piece, report: Report = log_problem) -> Iterator[Document]:
    """Yield one text file."""
    yield from _read(piece.path, piece.source.name, piece.domain or piece.name, report)


def _read(path: Path, name: str, domain: str, report: Report) -> Iterator[Document]:
    try:
        text = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        report(Problem("wrong encoding", str(path), 1, f"not UTF-8: {error.reason}"))
        return
    except OSError as error:
        report(Problem("damaged file", str(path), 1, str(error)))
        return
    if text.strip():
        yield Document(name, text, domain)
    else:
        report(Problem("no text", str(path), 1, "the file is empty"))
