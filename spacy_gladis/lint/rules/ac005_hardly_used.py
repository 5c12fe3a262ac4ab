"""Lint rule AC005, which reports acronyms that are rarely used after their definition."""

from collections.abc import Iterator

from ..document import LintDocument
from ..finding import Violation
from ..rule import Rule

_TIMES = {0: "never used", 1: "used only once"}


class RarelyUsedAcronym(Rule):
    """Lint rule AC005: an acronym is defined, but used fewer than `least-uses` times afterwards."""

    code = "AC005"
    name = "rarely-used-acronym"
    summary = "An acronym is used fewer than `least-uses` times after its definition"
    why = "Readers have to remember each acronym. Write out the long form of a rare acronym."
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
            document: Document to check.

        Yields:
            Violations in text order. Each message says how often the acronym is used afterwards.
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
