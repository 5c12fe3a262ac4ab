"""AC013: an acronym in two spellings."""

import re
from collections.abc import Iterator

from ...text.spelling import singular, undotted
from ..document import Defined, LintDocument
from ..finding import Found
from ..rule import Rule

_EDGES = re.compile(r"\A\W+|[^\w.]+\Z")


class InconsistentSpelling(Rule):
    code = "AC013"
    name = "inconsistent-spelling"
    summary = "An acronym has other capitals, dots or hyphens than where it is defined"
    why = "A reader may take the two spellings for two things, and a search finds only one of them."
    known_problems = "Two acronyms that differ in capitals or hyphens alone count as one."
    fix_safety = (
        "The spelling of the definition takes the place of the other one. No fix is made where "
        "markup lies inside, or behind `a` or `an`, which might no longer fit."
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

    def check(self, document: LintDocument) -> Iterator[Found]:
        """Report each use in another spelling, if the document defines one spelling alone."""
        spellings: dict[str, dict[str, Defined]] = {}
        for definition in document.definitions:
            written = _singular(definition.acronym)
            spellings.setdefault(undotted(written), {}).setdefault(written, definition)
        for use in document.uses:
            written = _singular(use.acronym)
            defined = spellings.get(undotted(written), {})
            if len(defined) != 1 or written in defined:
                continue
            [(right, definition)] = defined.items()
            if written == right[0].upper() + right[1:]:  # a sentence may begin with it
                continue
            right += use.acronym[len(written) :]
            message = f"'{use.acronym}' is '{right}' at {document.place(definition.offset)}"
            fix = document.replacement(use.start, use.end, right)
            yield Found(document.offset(use), use.acronym, message, fix)


def _singular(acronym: str) -> str:
    acronym = _EDGES.sub("", " ".join(acronym.split()))
    if acronym.find(".") == len(acronym) - 1:  # a sentence's full stop
        acronym = acronym[:-1]
    return singular(acronym)
