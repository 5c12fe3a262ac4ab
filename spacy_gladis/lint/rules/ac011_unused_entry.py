"""An entry of a document's glossary is used in none of the documents.

Reports:
    *[QBR]: quarterly business review ¶ The review is short.
    *[VM]: virtual machine ¶ *[QBR]: quarterly business review ¶ The VM runs.
    *[DPO]: data protection officer ¶ An officer reads it.

Does not report:
    *[QBR]: quarterly business review ¶ The QBR is short.
    *[QBR]: quarterly business review ¦ The QBR is short.
    The review is short.
"""

from collections.abc import Iterator, Sequence

from ..document import LintDocument
from ..finding import Found


def check_all(documents: Sequence[LintDocument]) -> Iterator[tuple[LintDocument, Found]]:
    """A finding at each such entry."""
    used = {use.key for document in documents for use in document.uses}
    for document in documents:
        for one in document.definitions:
            if one.glossary and one.key not in used:
                yield (
                    document,
                    Found(one.offset, one.acronym, f"'{one.acronym}' of the glossary is not used"),
                )
