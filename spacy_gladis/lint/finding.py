"""The results of linting: violations from rules, and findings with their place in a file."""

from typing import Literal, NamedTuple, get_args

from ..documents.source import Position
from ..output.markup import Edit

__all__ = ["SEVERITIES", "Edit", "Finding", "Severity", "Violation"]

Severity = Literal["error", "warning", "note"]
"""How serious a finding is. A run that reports only notes succeeds."""

SEVERITIES: tuple[Severity, ...] = get_args(Severity)


class Violation(NamedTuple):
    """A problem that a rule reports in a document.

    Attributes:
        offset: Character offset of the problem in the original file.
        acronym: The acronym concerned, as it is spelled at that place.
        message: What is wrong, without a full stop.
        fix: The edits that correct it, or an empty tuple if there is no fix.
    """

    offset: int
    acronym: str
    message: str
    fix: tuple[Edit, ...] = ()


class Finding(NamedTuple):
    """A violation together with its file, position, rule and severity.

    Attributes:
        path: Path of the file.
        position: Line and column in the file.
        code: Code of the rule, such as ``AC001``.
        acronym: The acronym concerned, as it is spelled at that place.
        message: What is wrong, without a full stop.
        fix: The edits that correct it, or an empty tuple if there is no fix.
        severity: How serious the finding is.
    """

    path: str
    position: Position
    code: str
    acronym: str
    message: str
    fix: tuple[Edit, ...] = ()
    severity: Severity = "warning"

    def __str__(self) -> str:
        """Return the finding as one line of the linter's text output."""
        kind = "" if self.severity == "warning" else f"{self.severity} "
        return f"{self.path}:{self.position}: {kind}{self.code} {self.message}"
