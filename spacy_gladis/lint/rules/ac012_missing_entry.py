"""An acronym is defined in the text and missing in the document's glossary.

Reports:
    *[VM]: virtual machine ¶ The VM has a quarterly business review (QBR).
    *[VM]: virtual machine ¶ A digital elevation model (DEM) of the VM.
    *[QBR]: quarterly business review ¶ The QBR of the World Health Organization (WHO).

Does not report:
    *[QBR]: quarterly business review ¶ The quarterly business review (QBR) is short.
    The quarterly business review (QBR) is short.
    *[VM]: virtual machine ¶ The VM runs.
"""

from collections.abc import Iterator

from ..document import LintDocument
from ..finding import Found


def check(document: LintDocument) -> Iterator[Found]:
    """A finding at the first definition of each such acronym."""
    listed = {one.key for one in document.definitions if one.glossary}
    seen: set[str] = set()
    for one in document.running_definitions:
        if listed and not one.glossary and one.key not in listed and one.key not in seen:
            seen.add(one.key)
            yield Found(one.offset, one.acronym, f"'{one.acronym}' is not in the glossary")
