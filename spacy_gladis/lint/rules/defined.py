"""Acronyms that are not defined, too late, again, or for nothing."""

import re
from collections.abc import Iterator, Sequence, Set

from ...dictionary import same_key
from ...output.markup import Edit
from ...rules.tokens import FUNCTION_WORDS
from ..document import Defined, Found, LintDocument, Use, letters, replacement
from ..settings import Settings

_FUNCTION = FUNCTION_WORDS - {"who"}  # the World Health Organization
_JOINT = re.compile(r"[-/]")
_OF_NAMES = re.compile(r"[\d.]|[^\W\d_A-Z]{3}")
"""What letters in capitals have not: digits, full stops, three small letters or more in a run."""
_SMALL = re.compile(r"[^\W\d_A-Z]")


def ac001(documents: Sequence[LintDocument]) -> Iterator[tuple[LintDocument, Found]]:
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
    # A finding at the first use of each acronym in a document, or in each of its sections.
    everywhere = {one.key for document in documents for one in document.definitions}
    for document in documents:
        whole_project = document.settings.scope == "project"
        listed = {one.key for one in document.definitions if one.glossary}
        for start, end in document.sections():
            inside = (
                one.key
                for one in document.definitions
                if one.acronym_at and start <= one.acronym_at[0] < end
            )
            told = (use.key for use in document.explained if start <= use.start < end)
            defined = everywhere if whole_project else listed.union(inside, told)
            spelled = {letters(part) for one in defined for part in (one, *_JOINT.split(one))}
            for use in document.uses:
                if not start <= use.start < end or _is_told(use, spelled, document.settings):
                    continue
                spelled.add(letters(use.key))
                if _is_in_capitals(use.acronym) and use.key.lower() not in _FUNCTION:
                    message = _undefined(document, use)
                    yield document, Found(document.offset(use), use.acronym, message)


def _is_in_capitals(acronym: str) -> bool:
    """Whether most letters are capitals, and what a name has is missing."""
    return not _OF_NAMES.search(acronym) and 2 * len(_SMALL.findall(acronym)) < len(acronym)


def _is_told(use: Use, spelled: Set[str], settings: Settings) -> bool:
    """Whether an acronym, or every part of it, is defined, if in other capitals, or known."""
    if letters(use.key) in spelled or settings.knows(use.key, use.acronym):
        return True
    parts = [part for part in _JOINT.split(use.key) if len(part) > 1]
    return all(letters(part) in spelled or settings.knows(part) for part in parts)


def _undefined(document: LintDocument, use: Use) -> str:
    said = f"'{use.acronym}' is used and never defined"
    if use.start not in document.proposals:
        return said
    long_form, probability = document.proposals[use.start]
    return f"{said}; perhaps '{long_form}' ({probability:.2f})"


def ac002(document: LintDocument) -> Iterator[Found]:
    """An acronym is used before its definition.

    Reports:
        The WHO met in May. The World Health Organization (WHO) has offices.
        We measured NDVI. ¶ The normalized difference vegetation index (NDVI) is a ratio of bands.
        The DEM is new. ¶ It is good. ¶ We made a digital elevation model (DEM).

    Does not report:
        The World Health Organization (WHO) met in May. The WHO has offices.
        The PDF is long. A portable document format (PDF) file is a file.
        We reviewed the quarter (QBR). A quarterly business review (QBR) is short.
    """
    # A finding at the first use of each acronym whose definition comes later.
    explained = {one.key: one.start for one in reversed(document.explained)}
    for key, definitions in document.by_key.items():
        if any(one.glossary for one in definitions):
            continue
        for start, end in document.sections():
            inside = [
                one for one in definitions if one.acronym_at and start <= one.acronym_at[0] < end
            ]
            uses = [use for use in document.by_use.get(key, ()) if start <= use.start < end]
            if not inside or not uses or document.settings.knows(key, uses[0].acronym):
                continue
            place = document.offset(uses[0])
            if place < inside[0].offset and explained.get(key, uses[0].start) >= uses[0].start:
                message = (
                    f"'{uses[0].acronym}' is used here and defined at "
                    f"{document.place(inside[0].offset)}"
                )
                yield Found(place, uses[0].acronym, message)


def ac003(document: LintDocument) -> Iterator[Found]:
    """An acronym is defined again with the same meaning.

    Reports:
        The World Health Organization (WHO) met. ¶ The World Health Organization (WHO) voted.
        A virtual machine (VM) starts. Each virtual machine (VM) has a disk.
        The hidden Markov model (HMM) is old. Hidden Markov models (HMMs) are used.

    Does not report:
        The World Health Organization (WHO) met. The WHO voted.
        Artificial intelligence (AI) helps. The adequate intake (AI) is 4.7 grams.
        A virtual machine (VM) starts. The virtual machine has a disk.
    """
    # A finding at each definition that says what an earlier one in running text has said.
    first: dict[tuple[str, str], Defined] = {}
    for one in document.running_definitions:
        before = first.setdefault((one.key, same_key(one.long_form)), one)
        if before is not one:
            message = f"'{one.acronym}' was defined at {document.place(before.offset)}"
            yield Found(one.offset, one.acronym, message, _alone(document, one))


def _alone(document: LintDocument, one: Defined) -> tuple[Edit, ...]:
    """The acronym alone, in the place of its long form with the acronym in brackets."""
    if not one.acronym_at or not one.long_form_at:
        return ()
    (start, end), (begin, stop) = one.acronym_at, one.long_form_at
    brackets = document.text[stop:start].strip(), document.text[end : end + 1]
    if brackets not in (("(", ")"), ("[", "]")):
        return ()
    return replacement(document, begin, end + 1, one.acronym)


def ac005(document: LintDocument) -> Iterator[Found]:
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
