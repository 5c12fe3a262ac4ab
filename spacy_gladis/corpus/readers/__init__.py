"""Documents out of raw corpora, one file a format; all of them stream."""

from collections.abc import Iterator
from pathlib import Path

from ...errors import InputError
from ..document import Document
from ..problem import Report, log_problem
from .folder import read_folder, read_text_file
from .pile import is_pile, read_pile

__all__ = ["read_documents"]


def read_documents(
    path: str | Path, domain: str | None = None, report: Report = log_problem
) -> Iterator[Document]:
    """Yield the documents of a corpus: a Pile shard, a folder of text files, or one text file.

    `domain` names the source where the corpus does not. Raises InputError, before any work, where
    the path is not there or its format is not known; bad records go to `report`.
    """
    path = Path(path)
    if not path.exists():
        raise InputError(f"There is no file or folder {path}.")
    if path.is_dir():
        return read_folder(path, domain, report)
    if is_pile(path):
        return read_pile(path, domain, report)
    if path.suffix == ".txt":
        return read_text_file(path, path.name, domain or path.stem, report)
    raise InputError(
        f"{path} is of no known format: expected .jsonl (plain, .zst or .gz), a .txt file "
        "or a folder of .txt files."
    )
