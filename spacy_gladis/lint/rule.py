"""The base class of the lint rules, from which other packages can derive their own rules."""

from abc import ABC
from collections.abc import Iterator, Sequence
from typing import ClassVar

from .document import LintDocument
from .finding import Violation
from .settings import Settings

Example = str | tuple[str, ...]
"""Example text in Markdown. A tuple of texts is an example with several documents."""


class Rule(ABC):
    """Base class of the lint rules. Derive from it to write a rule of your own.

    Implement `check` if the rule looks at one document at a time, or `check_all` if the rule
    compares documents. The class attributes describe the rule to users: ``spacy-gladis lint
    --rules``, the documentation and SARIF output show them. Tests check the examples.

    Attributes:
        code: Unique code of the rule, as capital letters and three digits, such as ``AC001``.
        name: Readable name of the rule, as lower-case words joined by hyphens, such as
            ``undefined-acronym``.
        summary: What the rule reports, as one sentence without a full stop.
        why: Why the reported problem matters to readers of the document, and what a writer can do.
        known_problems: When the rule is wrong or misses a problem. Empty if nothing is known.
        fix_safety: What the automatic fix changes, and when no fix is offered. Empty if the rule
            has no fix.
        is_default: Whether the rule is checked if the user selects no rules.
        bad: Example documents in which the rule reports a problem.
        good: Example documents in which the rule reports nothing.
        example_settings: Linter settings with which the tests check the examples.
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
        """Report the violations of the rule in one document.

        Args:
            document: Document to check, with its definitions and uses of acronyms.

        Yields:
            Violations in any order. The linter sorts them by position.
        """
        raise NotImplementedError(
            f"The lint rule {type(self).__name__} implements neither check nor check_all. "
            "Implement one of them."
        )

    def check_all(
        self, documents: Sequence[LintDocument]
    ) -> Iterator[tuple[LintDocument, Violation]]:
        """Report the violations of the rule in all documents of a run.

        Override this method if the rule compares documents. The default implementation calls
        `check` for each document.

        Args:
            documents: All documents that the linter checks together.

        Yields:
            Pairs of a document and a violation in this document, in any order.
        """
        for document in documents:
            for violation in self.check(document):
                yield document, violation
