"""Lint rule AC002, which reports acronyms that are used before their definition."""

from collections.abc import Iterator

from ..document import LintDocument
from ..finding import Violation
from ..rule import Rule


class UsedBeforeDefinition(Rule):
    """Lint rule AC002: an acronym is used before the text defines it."""

    code = "AC002"
    name = "used-before-definition"
    summary = "An acronym is used before its definition"
    why = (
        "Readers meet the acronym before the text explains it. Move the definition to the first "
        "use."
    )
    known_problems = (
        "Titles are not checked, so a long form in a title doesn't count as a definition. About "
        "one finding in ten is wrong. This is why the rule is not checked by default. Acronyms of "
        "a glossary are never reported, wherever the glossary stands in the document."
    )
    bad = (
        "The WHO met in May. The World Health Organization (WHO) has offices.",
        "We measured NDVI.\n\n"
        "The normalized difference vegetation index (NDVI) is a ratio of bands.",
        "The DEM is new.\n\nIt is good.\n\nWe made a digital elevation model (DEM).",
    )
    good = (
        "The World Health Organization (WHO) met in May. The WHO has offices.",
        "The PDF is long. A portable document format (PDF) file is a file.",
        "We reviewed the quarter (QBR). A quarterly business review (QBR) is short.",
    )

    def check(self, document: LintDocument) -> Iterator[Violation]:
        """Report the first use of each acronym that is defined later.

        Args:
            document: Document to check.

        Yields:
            One violation for each such acronym, or for each section if the scope is "section".
        """
        explained = {use.key: use.start for use in reversed(document.explained)}
        for key, definitions in document.by_key.items():
            if key in document.defined_in_parts or any(
                definition.glossary for definition in definitions
            ):
                continue
            for start, end in document.sections():
                within = [
                    definition
                    for definition in definitions
                    if definition.acronym_at and start <= definition.acronym_at[0] < end
                ]
                uses = [use for use in document.by_use.get(key, ()) if start <= use.start < end]
                if not within or not uses or document.settings.is_known(key, uses[0].acronym):
                    continue
                first, offset = within[0], document.offset(uses[0])
                is_unexplained = explained.get(key, uses[0].start) >= uses[0].start
                if offset < first.offset and is_unexplained:
                    message = (
                        f"'{uses[0].acronym}' is used before its definition at "
                        f"{document.position(first.offset)}"
                    )
                    yield Violation(offset, uses[0].acronym, message)
