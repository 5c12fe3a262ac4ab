"""AC005: an acronym that the document hardly uses."""

from collections.abc import Iterator

from ..document import LintDocument
from ..finding import Found
from ..rule import Rule


class RarelyUsedAcronym(Rule):
    code = "AC005"
    name = "rarely-used-acronym"
    summary = "An acronym is defined and used fewer times afterwards than `least-uses` asks"
    why = (
        "Each acronym costs a reader the effort to remember it. One that is hardly used is better "
        "written out."
    )
    bad = (
        "We started a virtual machine (VM) on the host. That is all.",
        "The World Health Organization (WHO) met.\n\nIt voted.",
        "A digital elevation model (DEM) is a grid.",
    )
    good = (
        "We started a virtual machine (VM). The VM runs.",
        "The World Health Organization (WHO) met.\n\nThe WHO voted.",
        "The host runs.",
    )

    def check(self, document: LintDocument) -> Iterator[Found]:
        """Report the first definition of each such acronym."""
        seen: set[str] = set()
        for definition in document.running_definitions:
            if definition.key in seen:
                continue
            seen.add(definition.key)
            uses = document.by_use.get(definition.key, ())
            later_uses = sum(document.offset(use) > definition.offset for use in uses)
            if later_uses < document.settings.least_uses:
                times = f"used {later_uses} times" if later_uses else "never used"
                message = f"'{definition.acronym}' is defined and {times} afterwards"
                yield Found(definition.offset, definition.acronym, message)
