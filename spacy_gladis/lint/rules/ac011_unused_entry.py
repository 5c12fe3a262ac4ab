"""Lint rule AC011, which reports glossary entries that are never used."""

from collections.abc import Iterator, Sequence

from ..document import LintDocument
from ..finding import Violation
from ..rule import Rule


class UnusedGlossaryEntry(Rule):
    """Lint rule AC011: no document uses the acronym of a glossary entry."""

    code = "AC011"
    name = "unused-glossary-entry"
    summary = "An entry of a document's glossary is never used"
    why = "Unused entries make a glossary harder to search. Remove them."
    known_problems = "Documents that are not checked in the same run may use the entry."
    bad = (
        "*[QBR]: quarterly business review\n\nThe review is short.",
        "*[VM]: virtual machine\n\n*[QBR]: quarterly business review\n\nThe VM runs.",
        "*[DPO]: data protection officer\n\nAn officer reads it.",
    )
    good = (
        "*[QBR]: quarterly business review\n\nThe QBR is short.",
        ("*[QBR]: quarterly business review", "The QBR is short."),
        "The review is short.",
    )

    def check_all(
        self, documents: Sequence[LintDocument]
    ) -> Iterator[tuple[LintDocument, Violation]]:
        """Report each glossary entry whose acronym no document uses.

        Args:
            documents: All documents that the linter checks together.

        Yields:
            Pairs of the document that contains the glossary and a violation.
        """
        used = {use.key for document in documents for use in document.uses}
        for document in documents:
            for definition in document.definitions:
                if definition.glossary and definition.key not in used:
                    message = f"Glossary entry '{definition.acronym}' is never used"
                    yield document, Violation(definition.offset, definition.acronym, message)
