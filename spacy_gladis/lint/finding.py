"""What a rule finds, and edits that change words and nothing else."""

import re
from typing import NamedTuple

from ..documents.source import Position
from ..output.markup import EDITABLE, Edit, as_markup
from .document import LintDocument
from .settings import Severity

__all__ = ["Edit", "Finding", "Found", "replacement"]

_ARTICLE = re.compile(r"\b[Aa]n?[\s*_\"'“‘]+\Z")
_LOOK = 12  # characters


class Found(NamedTuple):
    """What a rule says: the offset in the original, of which acronym, a message, and how to put it
    right."""

    offset: int
    acronym: str
    message: str
    fix: tuple[Edit, ...] = ()


class Finding(NamedTuple):
    """What the linter says of a place in a file."""

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


def replacement(document: LintDocument, start: int, end: int, text: str) -> tuple[Edit, ...]:
    """The edit that puts a text into the place of `document.text[start:end]`, if it is safe.

    It is not where the format is not edited, where markup lies inside, where it is not running
    text, and behind "a" or "an", which might not fit any more.
    """
    source = document.source
    before = document.text[max(0, start - _LOOK) : start]
    if source.format not in EDITABLE or not document.is_running(start) or not source.path:
        return ()
    if text and _ARTICLE.search(before):
        return ()
    span = source.original_span(start, end)
    return (Edit(*span, as_markup(text, source.format)),) if span else ()
