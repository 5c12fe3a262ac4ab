"""An acronym is used and nowhere defined.

Reports:
    The QBR is on Monday.
    Send it to the DPO. ¶ The DPO reads it.
    A convolutional neural network (CNN) beats an SVM.

Does not report:
    The quarterly business review (QBR) is on Monday. The QBR is short.
    A client MAY answer. ¶ It may wait.
    We reviewed the quarter (QBR). The QBR is short.
"""

from collections.abc import Iterator, Sequence

from ..document import LintDocument, Use, letters
from ..finding import Found


def check_all(documents: Sequence[LintDocument]) -> Iterator[tuple[LintDocument, Found]]:
    """A finding at the first use of each acronym in a document, or in each of its sections."""
    everywhere = {one.key for document in documents for one in document.definitions}
    for document in documents:
        whole_project = document.settings.scope == "project"
        listed = {one.key for one in document.definitions if one.glossary}
        listed.update(use.key for use in document.uses if document.is_bracketed(use))
        for start, end in document.sections():
            inside = (
                one.key
                for one in document.definitions
                if one.acronym_at and start <= one.acronym_at[0] < end
            )
            defined = everywhere if whole_project else listed.union(inside)
            spelled = set(map(letters, defined))  # AC013 tells of other capitals
            seen: set[str] = set()
            for use in document.uses:
                if not start <= use.start < end or use.key in seen or letters(use.key) in spelled:
                    continue
                seen.add(use.key)
                shouted = use.acronym.isupper() and use.acronym.lower() in document.small_words
                if not shouted and not document.settings.knows(use.key, use.acronym):
                    yield document, Found(document.offset(use), _message(document, use))


def _message(document: LintDocument, use: Use) -> str:
    said = f"'{use.acronym}' is used but never defined"
    if use.start not in document.proposals:
        return said
    long_form, probability = document.proposals[use.start]
    return f"{said}; perhaps '{long_form}' ({probability:.2f})"
