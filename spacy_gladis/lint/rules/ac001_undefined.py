"""Lint rule AC001, which reports acronyms that are used but never defined."""

import re
from collections.abc import Iterator, Sequence, Set

from ...text.spelling import letters_of
from ...text.tokens import FUNCTION_WORDS
from ..document import LintDocument, Use
from ..finding import Violation
from ..rule import Rule
from ..settings import Settings

_WORDS = FUNCTION_WORDS - {"who"}  # the World Health Organization
_JOINT = re.compile(r"[-/]")
_NAME = re.compile(r"[\d.]|[^\W\d_A-Z]{3}")
"""Characters that suggest a name, such as digits or three lower-case letters in a row."""
_LOWER_CASE = re.compile(r"[^\W\d_A-Z]")


class UndefinedAcronym(Rule):
    """Lint rule AC001: an acronym is used but never defined in the document.

    The setting `scope` extends the search to all documents or restricts it to a section.
    """

    code = "AC001"
    name = "undefined-acronym"
    summary = "An acronym is used but never defined"
    why = (
        "Readers who don't know the acronym can't understand the sentence. Write out the long form "
        "at the first use. If your readers know the acronym, add it to `known`."
    )
    known_problems = (
        "Names of software, labels, identifiers, shelfmarks and units in capital letters look like "
        "acronyms and are reported. This is why the rule is not checked by default. Acronyms with "
        "digits, full stops or three lower-case letters in a row are not checked, because most of "
        "them are names."
    )
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

    def check_all(
        self, documents: Sequence[LintDocument]
    ) -> Iterator[tuple[LintDocument, Violation]]:
        """Report the first use of each undefined acronym in a document or section.

        Args:
            documents: All documents that the linter checks together.

        Yields:
            Pairs of a document and a violation, in text order. If the document has a proposed long
            form for the acronym, the message contains it.
        """
        project_keys = {
            definition.key for document in documents for definition in document.definitions
        }
        for document in documents:
            for section in document.sections():
                is_project = document.settings.scope == "project"
                defined = project_keys if is_project else _defined_keys(document, section)
                for use in _undefined_uses(document, section, defined):
                    message = _message(document, use)
                    yield document, Violation(document.offset(use), use.acronym, message)


def _defined_keys(document: LintDocument, section: tuple[int, int]) -> set[str]:
    """Return the acronyms that a glossary, an included file or the section defines or explains."""
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
    """Yield the first use of each acronym in a section that is neither defined nor known."""
    start, end = section
    spelled = {letters_of(part) for key in defined for part in (key, *_JOINT.split(key))}
    for use in document.uses:
        if not start <= use.start < end or _is_defined(use, spelled, document.settings):
            continue
        spelled.add(letters_of(use.key))
        if _is_in_capitals(use.acronym) and use.key.lower() not in _WORDS:
            yield use


def _is_in_capitals(acronym: str) -> bool:
    """Return whether most letters of an acronym are capitals and nothing suggests a name."""
    return not _NAME.search(acronym) and 2 * len(_LOWER_CASE.findall(acronym)) < len(acronym)


def _is_defined(use: Use, spelled: Set[str], settings: Settings) -> bool:
    """Return whether an acronym, or each part of a compound, is defined or known in any case."""
    if letters_of(use.key) in spelled or settings.is_known(use.key, use.acronym):
        return True
    parts = [part for part in _JOINT.split(use.key) if len(part) > 1]
    return all(letters_of(part) in spelled or settings.is_known(part) for part in parts)


def _message(document: LintDocument, use: Use) -> str:
    message = f"'{use.acronym}' is used but never defined"
    if use.start not in document.proposals:
        return message
    long_form, probability = document.proposals[use.start]
    return f"{message}; possibly '{long_form}' (probability {probability:.2f})"
