"""A document of a raw corpus, and the piece of the corpus that one task reads."""

from pathlib import Path
from typing import NamedTuple

PARAGRAPH_END = "\n\n"


class Document(NamedTuple):
    """A text with the place it comes from.

    `id` is unique in a run (file name and line), `domain` names the source, as The Pile's
    `pile_set_name` does.
    """

    id: str
    text: str
    domain: str


class Piece(NamedTuple):
    """A whole input file or folder, or a part of a large shard.

    `name` is that of its outputs. `shard`, `source` and `first_line` say where a part comes from:
    the ids of its documents and its problems name the shard's own lines. `domain` is for documents
    that name none.
    """

    name: str
    path: Path
    shard: str
    source: Path
    first_line: int = 1
    domain: str | None = None

    @classmethod
    def whole(cls, path: Path, domain: str | None = None, name: str | None = None) -> "Piece":
        """All of a file or folder; its name is the file's up to the first dot."""
        name = name or path.name.split(".")[0]
        return cls(name, path, name, path, 1, domain)
