"""What rules are and find, and edits that change words and nothing else."""

import functools
import inspect
import re
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from ..documents.source import Position
from ..output.markup import EDITABLE, Edit, as_markup
from .document import LintDocument

__all__ = [
    "REGISTERED",
    "Checked",
    "Edit",
    "Finding",
    "Found",
    "replacement",
    "rule",
    "rule_of_all",
]

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

    def __str__(self) -> str:
        return f"{self.path}:{self.position}: {self.code} {self.message}"


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


Checked = Iterator[tuple[LintDocument, Found]]
CheckAll = Callable[[Sequence[LintDocument]], Checked]


class Rule(NamedTuple):
    """A rule: its sentence, examples of what it reports and does not, and its function.

    In examples, one a line, ` ¶ ` parts paragraphs and ` ¦ ` documents.
    """

    summary: str
    reports: tuple[str, ...]
    passes: tuple[str, ...]
    check: CheckAll


REGISTERED: dict[str, Rule] = {}
"""The rules by their codes, in the order of their modules."""


def rule_of_all(check: CheckAll) -> CheckAll:
    """Register a rule that looks at all documents; its code is what its name begins with.

    Its docstring is one sentence, which `--help`, the documentation and SARIF show, and examples,
    which are tested.
    """
    sentence, reports, passes = re.split(
        r"\n\n(?:Reports|Does not report):\n", inspect.cleandoc(check.__doc__ or "")
    )
    code = check.__name__.partition("_")[0].upper()
    REGISTERED[code] = Rule(sentence.removesuffix("."), _lines(reports), _lines(passes), check)
    return check


def _lines(examples: str) -> tuple[str, ...]:
    return tuple(line.strip() for line in examples.strip().splitlines())


def rule(check: Callable[[LintDocument], Iterator[Found]]) -> CheckAll:
    """Register a rule that looks at one document."""

    @functools.wraps(check)
    def check_all(documents: Sequence[LintDocument]) -> Checked:
        return ((document, found) for document in documents for found in check(document))

    return rule_of_all(check_all)
