"""AC001: an acronym that nothing defines."""

import re
from collections.abc import Iterator, Sequence, Set

from ...text.spelling import letters_of
from ...text.tokens import FUNCTION_WORDS
from ..document import LintDocument, Use
from ..finding import Found
from ..rule import Rule
from ..settings import Settings

_WORDS = FUNCTION_WORDS - {"who"}  # the World Health Organization
_JOINT = re.compile(r"[-/]")
_NAME = re.compile(r"[\d.]|[^\W\d_A-Z]{3}")
"""What a name in capitals may have: digits, full stops, or a run of three small letters."""
_SMALL = re.compile(r"[^\W\d_A-Z]")


class UndefinedAcronym(Rule):
    code = "AC001"
    name = "undefined-acronym"
    summary = "A word in capital letters is used and nowhere defined"
    why = (
        "A reader who doesn't know the acronym can't understand the sentence, and the document "
        "gives no help. Write the long form out at the first use, or add the acronym to `known` "
        "if your readers know it."
    )
    known_problems = (
        "A keyword or a product's name in capital letters looks like an acronym. An acronym with "
        "digits, full stops or three small letters in a row is not checked, because most of these "
        "are names."
    )
    is_default = True
    bad = (
        "The QBR is on Monday.",
        "Send it to the DPO.\n\nThe DPO reads it.",
        "The WHO told those who asked.",
    )
    good = (
        "The quarterly business review (QBR) is on Monday. The QBR is short.",
        "A client MAY answer.\n\nThe X99 of OpenXYZ is new.",
        "A review of the quarter (QBR) is short. The QBR is on Monday.",
    )

    def check_all(self, documents: Sequence[LintDocument]) -> Iterator[tuple[LintDocument, Found]]:
        """Report the first use of each acronym in a document, or in each of its sections."""
        everywhere = {
            definition.key for document in documents for definition in document.definitions
        }
        for document in documents:
            for section in document.sections():
                is_project = document.settings.scope == "project"
                defined = everywhere if is_project else _keys_defined(document, section)
                for use in _undefined_uses(document, section, defined):
                    message = _message(document, use)
                    yield document, Found(document.offset(use), use.acronym, message)


def _keys_defined(document: LintDocument, section: tuple[int, int]) -> set[str]:
    """The keys of acronyms that a glossary, a part of the document or the section defines."""
    start, end = section
    glossary = {definition.key for definition in document.definitions if definition.glossary}
    within = {
        definition.key
        for definition in document.definitions
        if definition.acronym_at and start <= definition.acronym_at[0] < end
    }
    explained = {use.key for use in document.explained if start <= use.start < end}
    return glossary | document.defined_in_parts | within | explained


def _undefined_uses(
    document: LintDocument, section: tuple[int, int], defined: Set[str]
) -> Iterator[Use]:
    """Yield the first use of each acronym in a section that nothing defines."""
    start, end = section
    spelled = {letters_of(part) for key in defined for part in (key, *_JOINT.split(key))}
    for use in document.uses:
        if not start <= use.start < end or _is_defined(use, spelled, document.settings):
            continue
        spelled.add(letters_of(use.key))
        if _is_in_capitals(use.acronym) and use.key.lower() not in _WORDS:
            yield use


def _is_in_capitals(acronym: str) -> bool:
    """Whether most letters are capitals, and nothing suggests a name."""
    return not _NAME.search(acronym) and 2 * len(_SMALL.findall(acronym)) < len(acronym)


def _is_defined(use: Use, spelled: Set[str], settings: Settings) -> bool:
    """Whether an acronym, or every part of it, is defined, in any capitals, or known."""
    if letters_of(use.key) in spelled or settings.knows(use.key, use.acronym):
        return True
    parts = [part for part in _JOINT.split(use.key) if len(part) > 1]
    return all(letters_of(part) in spelled or settings.knows(part) for part in parts)


def _message(document: LintDocument, use: Use) -> str:
    message = f"'{use.acronym}' is used and never defined"
    if use.start not in document.proposals:
        return message
    long_form, probability = document.proposals[use.start]
    return f"{message}; perhaps '{long_form}' ({probability:.2f})"
