"""Rules over documents."""

from collections.abc import Iterable, Iterator, Sequence

from spacy.tokens import Doc

from ..documents.source import Source
from .document import LintDocument
from .finding import Finding, Found
from .rules import RULES
from .safety import is_safe
from .settings import Settings


def lint(annotated: Iterable[tuple[Source, Doc]], settings: Settings) -> list[Finding]:
    """The findings in annotated documents, as `check` gives them."""
    return check([LintDocument.of(source, doc, settings) for source, doc in annotated], settings)


def check(documents: Sequence[LintDocument], settings: Settings) -> list[Finding]:
    """The findings in documents, in the order of their places.

    Raises InputError where the settings name a rule that there is not.
    """
    settings.checked(RULES)
    findings = []
    for code, document, found in _found(documents, settings):
        if not document.switches.off(found.offset, code):
            source = document.source
            place = source.position_of_original(found.offset)
            safe = document.fixable and all(is_safe(source, edit) for edit in found.fix)
            fix = found.fix if source.path and safe else ()
            path = source.path or source.name
            findings.append(Finding(path, place, code, found.message, fix, found.acronym))
    return sorted(set(findings), key=lambda one: one[:4])


def _found(
    documents: Sequence[LintDocument], settings: Settings
) -> Iterator[tuple[str, LintDocument, Found]]:
    for code, rule in RULES.items():
        if settings.wants(code):
            if rule.check:
                for document in documents:
                    yield from ((code, document, found) for found in rule.check(document))
            if rule.check_set:
                for document, found in rule.check_set(documents):
                    yield code, document, found
