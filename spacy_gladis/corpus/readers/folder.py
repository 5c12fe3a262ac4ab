"""A folder of text files, one document a file."""

from collections.abc import Iterator
from pathlib import Path

from ..document import Document
from ..problem import Problem, Report, log_problem


def read_folder(
    path: Path, domain: str | None = None, report: Report = log_problem
) -> Iterator[Document]:
    """Yield the `.txt` files under a folder in order; the folder's name is the domain."""
    for file in sorted(path.rglob("*.txt")):
        yield from read_text_file(file, str(file.relative_to(path)), domain or path.name, report)


def read_text_file(
    path: Path, name: str, domain: str, report: Report = log_problem
) -> Iterator[Document]:
    """Yield one UTF-8 text file as a document; none where it is empty or of another encoding."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        report(Problem("wrong encoding", str(path), 1, f"not UTF-8: {error.reason}"))
        return
    except OSError as error:
        report(Problem("damaged file", str(path), 1, str(error)))
        return
    if not text.strip():
        report(Problem("no text", str(path), 1, "the file is empty"))
        return
    yield Document(name, text, domain)
