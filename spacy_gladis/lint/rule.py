"""What a rule of the linter is: derive from `Rule` to write one."""

from abc import ABC
from collections.abc import Iterator, Sequence
from typing import ClassVar

from .document import LintDocument
from .finding import Found
from .settings import Settings

Example = str | tuple[str, ...]
"""A text in Markdown, or the texts of several documents."""


class Rule(ABC):
    """A rule: what it reports, why, and how to find it.

    A rule of one document implements `check`; a rule that compares documents implements
    `check_all`. The attributes are what `spacy-gladis lint --rules`, the documentation and SARIF
    show. Tests run the examples.

    Attributes:
        code: Capital letters and three digits, such as ``AC001``.
        name: Words joined by hyphens, such as ``undefined-acronym``.
        summary: What the rule reports, as one sentence without its full stop.
        why: Why a reader is worse off where the rule reports something.
        known_problems: Where the rule is wrong or misses something. Empty: nothing is known.
        fix_safety: When a fix is made, and what it may change. Empty: the rule has no fix.
        is_default: Whether the rule is checked unless others are selected.
        bad: Examples that the rule reports.
        good: Examples that it does not report.
        example_settings: The settings that the examples need.
    """

    code: ClassVar[str]
    name: ClassVar[str]
    summary: ClassVar[str]
    why: ClassVar[str]
    known_problems: ClassVar[str] = ""
    fix_safety: ClassVar[str] = ""
    is_default: ClassVar[bool] = False
    bad: ClassVar[tuple[Example, ...]]
    good: ClassVar[tuple[Example, ...]]
    example_settings: ClassVar[Settings] = Settings()

    def check(self, document: LintDocument) -> Iterator[Found]:
        """Yield what the rule reports of one document."""
        raise NotImplementedError(f"{type(self).__name__} implements neither check nor check_all")

    def check_all(self, documents: Sequence[LintDocument]) -> Iterator[tuple[LintDocument, Found]]:
        """Yield what the rule reports of documents that are checked together."""
        for document in documents:
            for found in self.check(document):
                yield document, found
