"""AC002: an acronym is used before its definition."""

from collections.abc import Iterator

from ..document import LintDocument
from ..finding import Found


def used_before(document: LintDocument) -> Iterator[Found]:
    """One finding an acronym, at its first use; entries of a glossary hold from the start."""
    for key, use in document.first_uses.items():
        definitions = document.by_acronym.get(key)
        if definitions and not any(one.glossary for one in definitions):
            first = definitions[0].offset
            if document.offset(use) < first:
                place = document.source.position_of_original(first)
                message = f"'{use.answer.acronym}' is used before its definition at {place}"
                yield Found(document.offset(use), message)
