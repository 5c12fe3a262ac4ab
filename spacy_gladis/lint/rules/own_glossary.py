"""AC011: in the document's own glossary and unused; AC012: used or defined, and not in it."""

from collections.abc import Iterator

from ..document import LintDocument
from ..finding import Found


def unused_entry(document: LintDocument) -> Iterator[Found]:
    """AC011: a finding at each entry of the glossary that nothing uses."""
    used = {use.key for use in document.uses}
    used |= {one.key for one in document.definitions if not one.glossary}
    for key, entry in document.glossary.items():
        if key not in used:
            yield Found(entry.offset, f"'{entry.acronym}' is in the glossary and never used")


def missing_entry(document: LintDocument) -> Iterator[Found]:
    """AC012: a finding at the first use of each acronym that a document's glossary lacks."""
    if document.glossary:
        for key, use in document.first_uses.items():
            if key not in document.glossary:
                message = f"'{use.answer.acronym}' is not in the document's glossary"
                yield Found(document.offset(use), message)
