"""An acronym has other capitals, dots or hyphens than where it is defined.

Reports:
    The Internet of Things (IoT) grows. The IOT is large.
    The United Nations (UN) met. The U.N. voted.
    Transforming growth factor beta 1 (TGFB1) binds. TGF-B1 is high.

Does not report:
    The Internet of Things (IoT) grows. The IoT is large.
    Virtual machines (VMs) start. The VM runs.
    The IOT is large.
"""

import re
from collections.abc import Iterator

from ...text.spelling import singular, undotted
from ..document import Defined, LintDocument
from ..finding import Found, replacement

_EDGES = re.compile(r"\A\W+|[^\w.]+\Z")


def check(document: LintDocument) -> Iterator[Found]:
    """A finding at each such use of an acronym that the document defines in one spelling."""
    spelled: dict[str, dict[str, Defined]] = {}
    for one in document.definitions:
        written = _singular(one.acronym)
        spelled.setdefault(undotted(written), {}).setdefault(written, one)
    for use in document.uses:
        written = _singular(use.acronym)
        known = spelled.get(undotted(written), {})
        if len(known) == 1 and written not in known:
            [(right, one)] = known.items()
            if written == right[0].upper() + right[1:]:  # a sentence may begin with it
                continue
            right += use.acronym[len(written) :]
            message = f"'{use.acronym}' is '{right}' at {document.place(one.offset)}"
            fix = replacement(document, use.start, use.end, right)
            yield Found(document.offset(use), use.acronym, message, fix)


def _singular(acronym: str) -> str:
    acronym = _EDGES.sub("", " ".join(acronym.split()))
    if acronym.find(".") == len(acronym) - 1:  # a sentence's full stop
        acronym = acronym[:-1]
    return singular(acronym)
