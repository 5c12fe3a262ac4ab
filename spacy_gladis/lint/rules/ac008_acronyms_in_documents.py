"""A meaning has two acronyms.

Reports:
    The World Health Organization (WHO) met. ¦ The World Health Organization (WHOrg) voted.
    A virtual machine (VM) starts. ¶ Each virtual machine (VMA) has a disk.
    A digital elevation model (DEM) is a grid. ¦ The digital elevation model (DEMO) is old.

Does not report:
    The World Health Organization (WHO) met. ¦ The World Health Organization (WHO) voted.
    A virtual machine (VM) starts. ¦ Virtual machines (VMs) start.
    A virtual machine (VM) starts. ¦ A vector machine (VM) learns.
"""

from collections.abc import Iterator, Sequence

from ...text.spelling import same_key
from ..document import Defined, LintDocument
from ..finding import Found


def check_all(documents: Sequence[LintDocument]) -> Iterator[tuple[LintDocument, Found]]:
    """A finding at the first definition that gives a meaning each further acronym."""
    first: dict[str, tuple[LintDocument, Defined]] = {}
    told: set[tuple[str, str]] = set()
    for document in documents:
        for one in document.definitions:
            sense = same_key(one.long_form)
            there, other = first.setdefault(sense, (document, one))
            spelled = one.key.casefold()
            if spelled != other.key.casefold() and (sense, spelled) not in told:
                told.add((sense, spelled))
                message = (
                    f"'{one.long_form}' is '{one.acronym}' here and '{other.acronym}' in "
                    f"{there.source.name}:{there.place(other.offset)}"
                )
                yield document, Found(one.offset, one.acronym, message)
