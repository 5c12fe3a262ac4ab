"""Rules over documents."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from ..documents.source import Source
from .document import LintDocument
from .finding import Finding, Found
from .passed_over import Switches, beyond
from .rules import RULES
from .settings import Settings

Propose = Callable[[Source], Mapping[int, tuple[str, float]]]
"""For undefined acronyms, by where they begin in a text, a long form and its probability."""


def lint(
    sources: Iterable[Source], settings: Settings, propose: Propose | None = None
) -> list[Finding]:
    """The findings in documents, in the order of their places.

    Raises InputError where the settings name a rule that there is not.
    """
    settings.checked()
    documents = [
        LintDocument(source, settings, propose(source) if propose else None) for source in sources
    ]
    switches = {document: Switches(document.source) for document in documents}
    findings = []
    for code, document, found in _found(documents, settings):
        path = document.source.path or document.source.name
        if settings.wants(code, path) and not switches[document].off(found.offset, code):
            place = document.place(found.offset)
            severity = settings.severity_of(code)
            findings.append(
                Finding(path, place, code, found.acronym, found.message, found.fix, severity)
            )
    ordered = sorted(set(findings), key=lambda one: one[:5])
    return list(beyond(ordered, settings.baseline))


def _found(
    documents: Sequence[LintDocument], settings: Settings
) -> Iterator[tuple[str, LintDocument, Found]]:
    for code, rule in RULES.items():
        if not settings.wants(code):
            continue
        if rule.check:
            for document in documents:
                yield from ((code, document, found) for found in rule.check(document))
        if rule.check_all:
            yield from ((code, document, found) for document, found in rule.check_all(documents))
