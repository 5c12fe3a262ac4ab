"""The rules, by code: each a function, whose docstring says what it reports.

A rule's docstring is one sentence, and examples of what it reports and what it does not; the
sentence is what `--help`, the documentation and SARIF show, the examples are tested. A rule looks
at one document or at all of them. To add one: its function, and its name here.
"""

import inspect
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from ..document import Found, LintDocument
from .defined import ac001, ac002, ac003, ac005
from .glossary import ac011, ac012, ac014
from .meanings import ac004, ac007, ac008
from .wording import ac006, ac009, ac010, ac013

Check = Callable[[LintDocument], Iterator[Found]]
CheckAll = Callable[[Sequence[LintDocument]], Iterator[tuple[LintDocument, Found]]]

_OF_ONE: tuple[Check, ...] = (
    *(ac002, ac003, ac004, ac005, ac006),
    *(ac009, ac010, ac012, ac013, ac014),
)
_OF_ALL: tuple[CheckAll, ...] = (ac001, ac007, ac008, ac011)

DEFAULT = ("AC001", "AC002", "AC003", "AC009", "AC010")
"""Codes that are reported unless others are selected."""


class Rule(NamedTuple):
    """A rule: its sentence, examples of each kind, and its function over one document or all."""

    summary: str
    reports: tuple[str, ...]
    passes: tuple[str, ...]
    check: Check | None
    check_all: CheckAll | None


def _rule(check: Any) -> Rule:
    sentence, _, examples = inspect.cleandoc(check.__doc__).partition("\n\nReports:\n")
    reports, _, passes = examples.partition("\n\nDoes not report:\n")
    return Rule(
        sentence.strip().removesuffix("."),
        _lines(reports),
        _lines(passes),
        check if check in _OF_ONE else None,
        check if check in _OF_ALL else None,
    )


def _lines(examples: str) -> tuple[str, ...]:
    r"""Examples, one a line; ` ¶ ` parts paragraphs and ` ¦ ` documents."""
    return tuple(line.strip() for line in examples.strip().splitlines())


RULES: dict[str, Rule] = {
    check.__name__.upper(): _rule(check)
    for check in sorted((*_OF_ONE, *_OF_ALL), key=lambda check: check.__name__)
}
