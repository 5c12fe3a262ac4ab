"""Functions that check documents with the selected lint rules and return the findings."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

from ..documents.source import Source
from .document import LintDocument
from .finding import Finding, Violation
from .registry import load_rules
from .rule import Rule
from .settings import Settings
from .suppressions import Suppressions, exclude_baseline

Propose = Callable[[Source], Mapping[int, tuple[str, float]]]
"""A function that proposes long forms for the acronyms in a document.

It takes a document and returns a mapping from the character offset of an acronym in the document's
text to a proposed long form and its probability.
"""


def lint(
    sources: Iterable[Source], settings: Settings, propose: Propose | None = None
) -> list[Finding]:
    """Check documents with the lint rules that the settings select.

    Args:
        sources: Documents to check. Some rules compare all of them with each other.
        settings: Settings that select the rules and adjust them.
        propose: Function that proposes long forms for undefined acronyms, which the messages of
            AC001 then contain. None proposes nothing.

    Returns:
        Findings, sorted by file and position. Findings that a comment or the settings suppress are
        left out.

    Raises:
        InputError: If the settings name an unknown rule or have a value out of its range.
    """
    settings.check(load_rules())
    return lint_checked(sources, settings, propose)


def lint_checked(
    sources: Iterable[Source], settings: Settings, propose: Propose | None = None
) -> list[Finding]:
    """Check documents as `lint` does, without validating the settings again.

    Args:
        sources: Documents to check. Some rules compare all of them with each other.
        settings: Settings that `Settings.check` has accepted.
        propose: Function that proposes long forms for undefined acronyms. None proposes nothing.

    Returns:
        Findings, sorted by file and position.
    """
    documents = [
        LintDocument(source, settings, propose(source) if propose else None) for source in sources
    ]
    return lint_documents(documents, settings, documents)


def lint_documents(
    documents: Sequence[LintDocument], settings: Settings, reported: Collection[LintDocument]
) -> list[Finding]:
    """Check documents that are kept in memory, such as those that are open in an editor.

    The annotations of a document, such as its definitions, are computed only once.

    Args:
        documents: All documents of the project. Rules that compare documents read all of them.
        settings: Settings that `Settings.check` has accepted.
        reported: Documents among `documents` whose findings are returned.

    Returns:
        Findings in the reported documents, sorted by file and position.
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
    """Yield the violations of the selected rules, each with its rule's code and its document."""
    for code, rule in load_rules().items():
        if settings.is_checked(rule):
            compares_documents = type(rule).check_all is not Rule.check_all
            checked = documents if compares_documents else list(reported)
            for document, violation in rule.check_all(checked):
                yield code, document, violation
