"""Rules over documents."""

from collections.abc import Iterable, Iterator, Sequence

from spacy.tokens import Doc

from ..documents.source import Source
from .document import LintDocument
from .finding import Edit, Finding, Found
from .rules import RULES
from .safety import is_safe
from .settings import Settings
from .writing import with_article

_WRITING = frozenset({"AC001", "AC003", "AC006"})
"""Rules whose fixes write a word in the place of another."""


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
            fix = _safe_fix(document, code, found) if source.path and found.fix else ()
            path = source.path or source.name
            findings.append(Finding(path, place, code, found.message, fix, found.acronym))
    return sorted(set(findings), key=lambda one: one[:4])


def _safe_fix(document: LintDocument, code: str, found: Found) -> tuple[Edit, ...]:
    """The edits with the article before them, or none where it is not sure that they do no harm."""
    if not document.fixable or (code == "AC003" and found.offset in document.ambiguous_at):
        return ()
    written = code in _WRITING and document.facts.language == "en"
    edits = with_article(document.source.source, found.fix) if written else found.fix
    return edits if all(is_safe(document.source, edit) for edit in edits) else ()


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
