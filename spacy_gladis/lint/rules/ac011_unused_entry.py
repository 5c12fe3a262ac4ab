"""AC011: an entry of a glossary that nothing uses."""

from collections.abc import Iterator, Sequence

from ..document import LintDocument
from ..finding import Found
from ..rule import Rule


class UnusedGlossaryEntry(Rule):
    code = "AC011"
    name = "unused-glossary-entry"
    summary = "An entry of a document's glossary is used in none of the documents"
    why = "A glossary with entries that nobody needs is harder to search."
    known_problems = "Documents that the run does not read may use the entry."
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

    def check_all(self, documents: Sequence[LintDocument]) -> Iterator[tuple[LintDocument, Found]]:
        """Report each unused entry."""
        used = {use.key for document in documents for use in document.uses}
        for document in documents:
            for definition in document.definitions:
                if definition.glossary and definition.key not in used:
                    message = f"'{definition.acronym}' of the glossary is not used"
                    yield document, Found(definition.offset, definition.acronym, message)
