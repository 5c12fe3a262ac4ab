"""What a rule reports, and what the linter makes of it."""

from typing import Literal, NamedTuple, get_args

from ..documents.source import Position
from ..output.markup import Edit

__all__ = ["SEVERITIES", "Edit", "Finding", "Found", "Severity"]

Severity = Literal["error", "warning", "note"]
"""How much a finding matters. Notes alone don't make a run fail."""

SEVERITIES: tuple[Severity, ...] = get_args(Severity)


class Found(NamedTuple):
    """What a rule reports of a document.

    Attributes:
        offset: Where it is, in characters of the original.
        acronym: The acronym that it is about.
        message: What is wrong.
        fix: The edits that put it right; empty if there are none.
    """

    offset: int
    acronym: str
    message: str
    fix: tuple[Edit, ...] = ()


class Finding(NamedTuple):
    """What the linter says of a place in a file.

    Attributes:
        path: The file.
        position: The place in it.
        code: The rule's code.
        acronym: The acronym that it is about.
        message: What is wrong.
        fix: The edits that put it right; empty if there are none.
        severity: How much it matters.
    """

    path: str
    position: Position
    code: str
    acronym: str
    message: str
    fix: tuple[Edit, ...] = ()
    severity: Severity = "warning"

    def __str__(self) -> str:
        kind = "" if self.severity == "warning" else f"{self.severity} "
        return f"{self.path}:{self.position}: {kind}{self.code} {self.message}"
