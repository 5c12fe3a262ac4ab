"""Lint rule AC013, which reports acronyms that are not spelled as in their definition."""

import re
from collections.abc import Iterator

from ...text.spelling import singular, undotted
from ..document import Definition, LintDocument
from ..finding import Violation
from ..rule import Rule

_EDGES = re.compile(r"\A\W+|[^\w.]+\Z")


class InconsistentSpelling(Rule):
    """Lint rule AC013: a use of an acronym differs from its definition, as in "IOT" and "IoT"."""

    code = "AC013"
    name = "inconsistent-spelling"
    summary = "An acronym differs from its definition in capitals, dots or hyphens"
    why = "Readers may take the two spellings for two things, and a search finds only one of them."
    known_problems = "Two acronyms that differ only in capitals, dots or hyphens count as one."
    fix_safety = (
        "The fix uses the spelling of the definition. There is no fix if the acronym contains "
        "markup, or after `a` or `an`, which might no longer fit."
    )
    bad = (
        "The Internet of Things (IoT) grows. The IOT is large.",
        "The United Nations (UN) met. The U.N. voted.",
        "Transforming growth factor beta 1 (TGFB1) binds. TGF-B1 is high.",
    )
    good = (
        "The Internet of Things (IoT) grows. The IoT is large.",
        "Virtual machines (VMs) start. The VM runs.",
        "The IOT is large.",
    )

    def check(self, document: LintDocument) -> Iterator[Violation]:
        """Report each use of an acronym that isn't spelled as in the acronym's definition.

        If the definitions of an acronym differ in spelling, its uses are not checked.

        Args:
            document: Document to check.

        Yields:
            Violations in text order. Each message has the position of the definition.
        """
        spellings: dict[str, dict[str, Definition]] = {}
        for definition in document.definitions:
            written = _singular(definition.acronym)
            spellings.setdefault(undotted(written), {}).setdefault(written, definition)
        for use in document.uses:
            written = _singular(use.acronym)
            defined = spellings.get(undotted(written), {})
            if len(defined) != 1 or written in defined:
                continue
            [(right, definition)] = defined.items()
            if written == right[0].upper() + right[1:]:  # capitalized at the start of a sentence
                continue
            right += use.acronym[len(written) :]
            message = (
                f"'{use.acronym}' is spelled '{right}' in its definition at "
                f"{document.position(definition.offset)}"
            )
            fix = document.replacement(use.start, use.end, right)
            yield Violation(document.offset(use), use.acronym, message, fix)


def _singular(acronym: str) -> str:
    acronym = _EDGES.sub("", " ".join(acronym.split()))
    if acronym.find(".") == len(acronym) - 1:  # the full stop of the sentence
        acronym = acronym[:-1]
    return singular(acronym)
