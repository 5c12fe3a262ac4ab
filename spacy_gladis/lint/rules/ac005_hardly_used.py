"""AC005: an acronym that is rarely used after its definition."""

from collections.abc import Iterator

from ..document import LintDocument
from ..finding import Violation
from ..rule import Rule

_TIMES = {0: "never used", 1: "used only once"}


class RarelyUsedAcronym(Rule):
    """Rule that reports an acronym that is rarely used after its definition."""

    code = "AC005"
    name = "rarely-used-acronym"
    summary = "An acronym is used fewer than `least-uses` times after its definition"
    why = "Readers have to remember each acronym. Write out the long form if you rarely need it."
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

    def check(self, document: LintDocument) -> Iterator[Violation]:
        """Report the first definition of each rarely used acronym.

        Args:
            document: The document.

        Yields:
            The violations in text order.
        """
        seen: set[str] = set()
        for definition in document.running_definitions:
            if definition.key in seen:
                continue
            seen.add(definition.key)
            uses = document.by_use.get(definition.key, ())
            later_uses = sum(document.offset(use) > definition.offset for use in uses)
            if later_uses < document.settings.least_uses:
                times = _TIMES.get(later_uses, f"used only {later_uses} times")
                message = f"'{definition.acronym}' is defined but {times} afterwards"
                yield Violation(definition.offset, definition.acronym, message)
