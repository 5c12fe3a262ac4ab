"""The results of linting: violations that rules report, and findings with their place in a file."""

from typing import Literal, NamedTuple, get_args

from ..documents.source import Position
from ..output.markup import Edit

__all__ = ["SEVERITIES", "Edit", "Finding", "Severity", "Violation"]

Severity = Literal["error", "warning", "note"]
"""How serious a finding is. A run of the linter that reports only notes succeeds."""

SEVERITIES: tuple[Severity, ...] = get_args(Severity)


class Violation(NamedTuple):
    """A problem with an acronym that a lint rule reports in a document.

    The linter turns each violation into a `Finding`, unless a comment, the settings or a baseline
    suppress it.

    Attributes:
        offset: Character offset of the problem in the original file, counted from 0.
        acronym: Acronym that the problem concerns, as it is spelled in the document.
        message: Description of the problem, without a full stop, such as ``'QBR' is used but never
            defined``.
        fix: Edits of the file that correct the problem. Empty if there is no automatic fix.
    """

    offset: int
    acronym: str
    message: str
    fix: tuple[Edit, ...] = ()


class Finding(NamedTuple):
    """A problem with an acronym, together with its file, position, rule and severity.

    Findings are what the linter returns and prints.

    Attributes:
        path: Path of the file, or the name of a document that was not read from a file.
        position: Line and column of the problem in the file.
        code: Code of the rule that reported the problem, such as ``AC001``.
        acronym: Acronym that the problem concerns, as it is spelled in the document.
        message: Description of the problem, without a full stop, such as ``'QBR' is used but never
            defined``.
        fix: Edits of the file that correct the problem. Empty if there is no automatic fix.
        severity: How serious the finding is: "error", "warning" or "note".
    """

    path: str
    position: Position
    code: str
    acronym: str
    message: str
    fix: tuple[Edit, ...] = ()
    severity: Severity = "warning"

    def __str__(self) -> str:
        """Return the finding as a line of the linter's text output.

        An example is ``a.md:1:3: AC001 'QBR' is used but never defined``. A severity other than
        "warning" stands before the code.
        """
        kind = "" if self.severity == "warning" else f"{self.severity} "
        return f"{self.path}:{self.position}: {kind}{self.code} {self.message}"
