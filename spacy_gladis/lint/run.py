"""Functions that check documents with the linter's rules."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

from ..documents.source import Source
from .document import LintDocument
from .finding import Finding, Violation
from .registry import load_rules
from .rule import Rule
from .settings import Settings
from .suppressions import Suppressions, exclude_baseline

Propose = Callable[[Source], Mapping[int, tuple[str, float]]]
"""A function that proposes long forms for the undefined acronyms in a document.

It returns a mapping from the character offset of each acronym in the text to a long form and its
probability.
"""


def lint(
    sources: Iterable[Source], settings: Settings, propose: Propose | None = None
) -> list[Finding]:
    """Check documents with the selected rules.

    Args:
        sources: The documents.
        settings: Which rules are checked, and how.
        propose: Function that proposes long forms for undefined acronyms. None proposes nothing.

    Returns:
        The findings, sorted by file and position.

    Raises:
        InputError: If the settings name an unknown rule or have a value out of its range.
    """
    settings.check(load_rules())
    return lint_checked(sources, settings, propose)


def lint_checked(
    sources: Iterable[Source], settings: Settings, propose: Propose | None = None
) -> list[Finding]:
    """Check documents, as `lint` does, with settings that are known to be valid.

    Args:
        sources: The documents.
        settings: Settings that `Settings.check` has accepted.
        propose: Function that proposes long forms for undefined acronyms. None proposes nothing.

    Returns:
        The findings, sorted by file and position.
    """
    documents = [
        LintDocument(source, settings, propose(source) if propose else None) for source in sources
    ]
    return lint_documents(documents, settings, documents)


def lint_documents(
    documents: Sequence[LintDocument], settings: Settings, reported: Collection[LintDocument]
) -> list[Finding]:
    """Check documents whose annotations are reused, such as those that an editor has open.

    Args:
        documents: All documents, for rules that compare documents.
        settings: Settings that `Settings.check` has accepted.
        reported: Those documents whose findings are returned.

    Returns:
        The findings, sorted by file and position.
    """
    suppressions = {document: Suppressions(document.source) for document in reported}
    findings = []
    for code, document, violation in _check_rules(documents, settings, reported):
        if document not in suppressions:
            continue
        path = document.source.path or document.source.name
        is_ignored = settings.is_ignored(code, path)
        if not is_ignored and not suppressions[document].is_suppressed(violation.offset, code):
            findings.append(
                Finding(
                    path,
                    document.position(violation.offset),
                    code,
                    violation.acronym,
                    violation.message,
                    violation.fix,
                    settings.severity_of(code),
                )
            )
    ordered = sorted(set(findings), key=lambda finding: finding[:5])
    return list(exclude_baseline(ordered, settings.baseline))


def _check_rules(
    documents: Sequence[LintDocument], settings: Settings, reported: Collection[LintDocument]
) -> Iterator[tuple[str, LintDocument, Violation]]:
    """Yield the violations of the selected rules, with the code of the rule and the document."""
    for code, rule in load_rules().items():
        if settings.is_checked(rule):
            compares_documents = type(rule).check_all is not Rule.check_all
            checked = documents if compares_documents else list(reported)
            for document, violation in rule.check_all(checked):
                yield code, document, violation
