"""The rules, by code: one module each, whose docstring says what it reports.

A rule's docstring is one sentence, and examples of what it reports and what it does not; the
sentence is what `--help`, the documentation and SARIF show, the examples are tested. A module has
`check`, which looks at one document, or `check_all`, which looks at all of them. To add a rule: its
module, and a line here.
"""

from collections.abc import Callable, Iterator, Sequence
from types import ModuleType
from typing import NamedTuple

from ..document import LintDocument
from ..finding import Found
from . import (
    ac001_undefined,
    ac002_used_before,
    ac003_defined_twice,
    ac004_two_meanings,
    ac005_hardly_used,
    ac006_written_out,
    ac007_meanings_in_documents,
    ac008_acronyms_in_documents,
    ac009_article,
    ac010_redundant,
    ac011_unused_entry,
    ac012_missing_entry,
    ac013_spelled_otherwise,
    ac014_unlike_glossary,
)

Check = Callable[[LintDocument], Iterator[Found]]
CheckAll = Callable[[Sequence[LintDocument]], Iterator[tuple[LintDocument, Found]]]

_MODULES = (
    ac001_undefined,
    ac002_used_before,
    ac003_defined_twice,
    ac004_two_meanings,
    ac005_hardly_used,
    ac006_written_out,
    ac007_meanings_in_documents,
    ac008_acronyms_in_documents,
    ac009_article,
    ac010_redundant,
    ac011_unused_entry,
    ac012_missing_entry,
    ac013_spelled_otherwise,
    ac014_unlike_glossary,
)

DEFAULT = ("AC001", "AC002", "AC003", "AC009", "AC010")
"""Codes that are reported unless others are selected."""


class Rule(NamedTuple):
    """A rule: its sentence, examples of each kind, and its function over one document or all."""

    summary: str
    reports: tuple[str, ...]
    passes: tuple[str, ...]
    check: Check | None
    check_all: CheckAll | None


def _rule(module: ModuleType) -> Rule:
    sentence, _, examples = str(module.__doc__).partition("\n\nReports:\n")
    reports, _, passes = examples.partition("\n\nDoes not report:\n")
    return Rule(
        sentence.strip().removesuffix("."),
        _lines(reports),
        _lines(passes),
        getattr(module, "check", None),
        getattr(module, "check_all", None),
    )


def _lines(examples: str) -> tuple[str, ...]:
    r"""Examples, one a line; ` ¶ ` parts paragraphs and ` ¦ ` documents."""
    return tuple(line.strip() for line in examples.strip().splitlines())


RULES: dict[str, Rule] = {
    module.__name__.rpartition(".")[2].partition("_")[0].upper(): _rule(module)
    for module in _MODULES
}
