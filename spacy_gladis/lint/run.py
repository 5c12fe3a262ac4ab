"""Rules over documents."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from ..documents.source import Source
from .document import LintDocument
from .finding import Finding, Found
from .passed_over import Switches, beyond
from .registry import load_rules
from .settings import Settings

Propose = Callable[[Source], Mapping[int, tuple[str, float]]]
"""For undefined acronyms, by where they begin in a text, a long form and its probability."""


def lint(
    sources: Iterable[Source], settings: Settings, propose: Propose | None = None
) -> list[Finding]:
    """Check documents.

    Args:
        sources: The documents.
        settings: Which rules are checked, and how.
        propose: Looks undefined acronyms up. None: nothing is proposed.

    Returns:
        The findings, in the order of their places.

    Raises:
        InputError: If the settings name an unknown rule or have a value out of its range.
    """
    settings.check(load_rules())
    documents = [
        LintDocument(source, settings, propose(source) if propose else None) for source in sources
    ]
    switches = {document: Switches(document.source) for document in documents}
    findings = []
    for code, document, found in _report(documents, settings):
        path = document.source.path or document.source.name
        if settings.selects(code, path) and not switches[document].off(found.offset, code):
            place = document.place(found.offset)
            severity = settings.severity_of(code)
            findings.append(
                Finding(path, place, code, found.acronym, found.message, found.fix, severity)
            )
    ordered = sorted(set(findings), key=lambda finding: finding[:5])
    return list(beyond(ordered, settings.baseline))


def _report(
    documents: Sequence[LintDocument], settings: Settings
) -> Iterator[tuple[str, LintDocument, Found]]:
    """Yield what the selected rules report, with their codes."""
    for code, rule in load_rules().items():
        if settings.selects(code, by_default=rule.is_default):
            for document, found in rule.check_all(documents):
                yield code, document, found
