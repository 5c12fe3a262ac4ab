"""Lint rule AC012, which reports acronyms that are missing from a document's glossary."""

from collections.abc import Iterator

from ..document import LintDocument
from ..finding import Violation
from ..rule import Rule


class MissingGlossaryEntry(Rule):
    """Lint rule AC012: the text defines an acronym that the document's glossary doesn't list."""

    code = "AC012"
    name = "missing-glossary-entry"
    summary = "An acronym is defined in the text but missing from the document's glossary"
    why = "Readers who look up the acronym in the glossary don't find it. Add an entry."
    bad = (
        "*[VM]: virtual machine\n\nThe VM has a quarterly business review (QBR).",
        "*[VM]: virtual machine\n\nA digital elevation model (DEM) of the VM.",
        "*[QBR]: quarterly business review\n\nThe QBR of the World Health Organization (WHO).",
    )
    good = (
        "*[QBR]: quarterly business review\n\nThe quarterly business review (QBR) is short.",
        "The quarterly business review (QBR) is short.",
        "*[VM]: virtual machine\n\nThe VM runs.",
    )

    def check(self, document: LintDocument) -> Iterator[Violation]:
        """Report the first definition of each acronym that is missing from the document's glossary.

        A document without a glossary has no violations.

        Args:
            document: Document to check.

        Yields:
            Violations in text order.
        """
        listed = {definition.key for definition in document.definitions if definition.glossary}
        if not listed:
            return
        seen: set[str] = set()
        for definition in document.running_definitions:
            if not definition.glossary and definition.key not in listed | seen:
                seen.add(definition.key)
                message = f"'{definition.acronym}' is missing from the glossary"
                yield Violation(definition.offset, definition.acronym, message)
