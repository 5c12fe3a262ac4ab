"""Running the rules over documents."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from ..documents.source import Source
from .document import LintDocument
from .finding import Finding, Violation
from .registry import load_rules
from .settings import Settings
from .suppressions import Suppressions, exclude_baseline

Propose = Callable[[Source], Mapping[int, tuple[str, float]]]
"""A function that returns a long form and its probability for the undefined acronyms of a source,
by the character offset of each acronym in the text."""


def lint(
    sources: Iterable[Source], settings: Settings, propose: Propose | None = None
) -> list[Finding]:
    """Check documents with the selected rules.

    Args:
        sources: The documents.
        settings: Which rules are checked, and how.
        propose: Proposes long forms for undefined acronyms. None proposes nothing.

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
        propose: Proposes long forms for undefined acronyms. None proposes nothing.

    Returns:
        The findings, sorted by file and position.
    """
    documents = [
        LintDocument(source, settings, propose(source) if propose else None) for source in sources
    ]
    suppressions = {document: Suppressions(document.source) for document in documents}
    findings = []
    for code, document, violation in _check_rules(documents, settings):
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
    documents: Sequence[LintDocument], settings: Settings
) -> Iterator[tuple[str, LintDocument, Violation]]:
    """Yield the violations of the rules that are checked, with the rules' codes."""
    for code, rule in load_rules().items():
        if settings.is_checked(rule):
            for document, violation in rule.check_all(documents):
                yield code, document, violation
