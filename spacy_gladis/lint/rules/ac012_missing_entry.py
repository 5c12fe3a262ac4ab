"""AC012: an acronym that the glossary lacks."""

from collections.abc import Iterator

from ..document import LintDocument
from ..finding import Found
from ..rule import Rule


class MissingGlossaryEntry(Rule):
    code = "AC012"
    name = "missing-glossary-entry"
    summary = "An acronym is defined in the text and missing in the document's glossary"
    why = "A reader who looks the acronym up in the glossary doesn't find it."
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

    def check(self, document: LintDocument) -> Iterator[Found]:
        """Report the first definition of each missing acronym, if the document has a glossary."""
        listed = {definition.key for definition in document.definitions if definition.glossary}
        if not listed:
            return
        seen: set[str] = set()
        for definition in document.running_definitions:
            if not definition.glossary and definition.key not in listed | seen:
                seen.add(definition.key)
                message = f"'{definition.acronym}' is not in the glossary"
                yield Found(definition.offset, definition.acronym, message)
