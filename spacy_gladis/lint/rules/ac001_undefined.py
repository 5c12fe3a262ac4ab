"""A word in capital letters is used and nowhere defined.

Reports:
    The QBR is on Monday.
    Send it to the DPO. ¶ The DPO reads it.
    The WHO told those who asked.

Does not report:
    The quarterly business review (QBR) is on Monday. The QBR is short.
    A client MAY answer. ¶ The X99 of OpenXYZ is new.
    A review of the quarter (QBR) is short. The QBR is on Monday.
"""

import re
from collections.abc import Iterator, Sequence, Set

from ...text.spelling import letters_of
from ...text.tokens import FUNCTION_WORDS
from ..document import LintDocument, Use
from ..finding import Found
from ..settings import Settings

_WORDS = FUNCTION_WORDS - {"who"}  # the World Health Organization
_JOINT = re.compile(r"[-/]")
_NAME = re.compile(r"[\d.]|[^\W\d_A-Z]{3}")
"""What letters in capitals have not: digits, full stops, three small letters or more in a run."""
_SMALL = re.compile(r"[^\W\d_A-Z]")


def check_all(documents: Sequence[LintDocument]) -> Iterator[tuple[LintDocument, Found]]:
    """A finding at the first use of each acronym in a document, or in each of its sections."""
    everywhere = {one.key for document in documents for one in document.definitions}
    for document in documents:
        whole_project = document.settings.scope == "project"
        listed = {one.key for one in document.definitions if one.glossary}
        listed |= document.defined_in_parts
        for start, end in document.sections():
            inside = (
                one.key
                for one in document.definitions
                if one.acronym_at and start <= one.acronym_at[0] < end
            )
            told = (use.key for use in document.explained if start <= use.start < end)
            defined = everywhere if whole_project else listed.union(inside, told)
            spelled = {letters_of(part) for one in defined for part in (one, *_JOINT.split(one))}
            for use in document.uses:
                if not start <= use.start < end or _is_told(use, spelled, document.settings):
                    continue
                spelled.add(letters_of(use.key))
                if _is_in_capitals(use.acronym) and use.key.lower() not in _WORDS:
                    message = _message(document, use)
                    yield document, Found(document.offset(use), use.acronym, message)


def _is_in_capitals(acronym: str) -> bool:
    """Whether most letters are capitals, and what a name has is missing."""
    return not _NAME.search(acronym) and 2 * len(_SMALL.findall(acronym)) < len(acronym)


def _is_told(use: Use, spelled: Set[str], settings: Settings) -> bool:
    """Whether an acronym, or every part of it, is defined, if in other capitals, or known."""
    if letters_of(use.key) in spelled or settings.knows(use.key, use.acronym):
        return True
    parts = [part for part in _JOINT.split(use.key) if len(part) > 1]
    return all(letters_of(part) in spelled or settings.knows(part) for part in parts)


def _message(document: LintDocument, use: Use) -> str:
    said = f"'{use.acronym}' is used and never defined"
    if use.start not in document.proposals:
        return said
    long_form, probability = document.proposals[use.start]
    return f"{said}; perhaps '{long_form}' ({probability:.2f})"
