"""The base class of the linter's rules."""

from abc import ABC
from collections.abc import Iterator, Sequence
from typing import ClassVar

from .document import LintDocument
from .finding import Violation
from .settings import Settings

Example = str | tuple[str, ...]
"""An example text in Markdown, or a tuple of texts that are several documents."""


class Rule(ABC):
    """A lint rule. Derive from this class to write your own.

    Implement `check` if the rule looks at one document at a time, or `check_all` if it compares
    documents. The attributes are shown by ``spacy-gladis lint --rules``, in the documentation and
    in SARIF. Tests check the examples.

    Attributes:
        code: Capital letters and three digits, such as ``AC001``.
        name: Lower-case words joined by hyphens, such as ``undefined-acronym``.
        summary: What the rule reports, as one sentence without a full stop.
        why: Why the reported problem matters to readers.
        known_problems: When the rule is wrong or misses a problem. Empty if nothing is known.
        fix_safety: When a fix is offered, and what it changes. Empty if the rule has no fix.
        is_default: Whether the rule is checked if no rules are selected.
        bad: Examples that the rule reports.
        good: Examples that the rule does not report.
        example_settings: The linter settings with which the examples are checked.
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

    def check(self, document: LintDocument) -> Iterator[Violation]:
        """Report the violations in one document.

        Args:
            document: The document.

        Yields:
            The violations, in any order.
        """
        raise NotImplementedError(
            f"{type(self).__name__} implements neither check nor check_all. Implement one of them."
        )

    def check_all(
        self, documents: Sequence[LintDocument]
    ) -> Iterator[tuple[LintDocument, Violation]]:
        """Report the violations in documents that belong together.

        By default, each document is checked on its own.

        Args:
            documents: All documents of the run.

        Yields:
            The violations in any order, each with its document.
        """
        for document in documents:
            for violation in self.check(document):
                yield document, violation
