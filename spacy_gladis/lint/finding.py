"""What a rule finds."""

from typing import NamedTuple

from ..documents.source import Position
from ..output.markup import Edit

__all__ = ["Edit", "Finding", "Found"]


class Found(NamedTuple):
    """What a rule says: the offset in the original, a message, and how to put it right."""

    offset: int
    message: str
    fix: tuple[Edit, ...] = ()


class Finding(NamedTuple):
    """What the linter says of a place in a file."""

    path: str
    position: Position
    code: str
    message: str
    fix: tuple[Edit, ...] = ()

    def __str__(self) -> str:
        return f"{self.path}:{self.position}: {self.code} {self.message}"
