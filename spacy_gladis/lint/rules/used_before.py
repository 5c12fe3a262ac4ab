"""AC002: an acronym is used before its definition."""

from collections.abc import Iterator

from ..document import LintDocument
from ..finding import Found


def used_before(document: LintDocument) -> Iterator[Found]:
    """One finding an acronym, at its first use in a sentence: a title has no place for a
    definition. Entries of a glossary hold from the start."""
    found: set[str] = set()
    for use in document.uses:
        definitions = document.by_acronym.get(use.key)
        if not definitions or use.key in found or document.allows(use):
            continue
        if any(one.glossary for one in definitions) or document.in_title(use.start):
            continue
        found.add(use.key)
        first = definitions[0].offset
        if document.offset(use) < first:
            place = document.source.position_of_original(first)
            message = f"'{use.answer.acronym}' is used before its definition at {place}"
            yield Found(document.offset(use), message)
