"""An acronym is defined and used fewer times afterwards than `least-uses` asks.

Reports:
    We started a virtual machine (VM) on the host. That is all.
    The World Health Organization (WHO) met. ¶ It voted.
    A digital elevation model (DEM) is a grid.

Does not report:
    We started a virtual machine (VM). The VM runs.
    The World Health Organization (WHO) met. ¶ The WHO voted.
    The host runs.
"""

from collections.abc import Iterator

from ..document import LintDocument
from ..finding import Found


def check(document: LintDocument) -> Iterator[Found]:
    """A finding at the definition of each such acronym."""
    least = document.settings.least_uses
    seen: set[str] = set()
    for one in document.running_definitions:
        if one.key in seen:
            continue
        seen.add(one.key)
        uses = document.by_use.get(one.key, ())
        after = sum(document.offset(use) > one.offset for use in uses)
        if after < least:
            times = f"used {after} times" if after else "never used"
            yield Found(
                one.offset, one.acronym, f"'{one.acronym}' is defined and {times} afterwards"
            )
