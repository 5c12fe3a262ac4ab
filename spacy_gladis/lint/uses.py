"""Rules on how a document uses its acronyms."""

import re
from collections.abc import Iterator, Sequence, Set
from functools import cache
from importlib.resources import files

from ..dictionary import same_key
from ..rules.tokens import FUNCTION_WORDS
from .document import Defined, LintDocument, Use, letters
from .finding import Checked, Found, replacement, rule, rule_of_all
from .settings import Settings

_WORDS = FUNCTION_WORDS - {"who"}  # the World Health Organization
_JOINT = re.compile(r"[-/]")
_NAME = re.compile(r"[\d.]|[^\W\d_A-Z]{3}")
"""What letters in capitals have not: digits, full stops, three small letters or more in a run."""
_SMALL = re.compile(r"[^\W\d_A-Z]")


@rule_of_all
def ac001_undefined(documents: Sequence[LintDocument]) -> Checked:
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
    # At the first use of each acronym in a document, or in each of its sections.
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
                if _is_in_capitals(use.acronym) and use.key.lower() not in _WORDS:
                    message = f"'{use.acronym}' is used and never defined"
                    if use.start in document.proposals:
                        long_form, probability = document.proposals[use.start]
                        message += f"; perhaps '{long_form}' ({probability:.2f})"
                    yield document, Found(document.offset(use), use.acronym, message)


def _is_in_capitals(acronym: str) -> bool:
    """Whether most letters are capitals, and what a name has is missing."""
    return not _NAME.search(acronym) and 2 * len(_SMALL.findall(acronym)) < len(acronym)


def _is_told(use: Use, spelled: Set[str], settings: Settings) -> bool:
    """Whether an acronym, or every part of it, is defined, if in other capitals, or known."""
    if letters(use.key) in spelled or settings.knows(use.key, use.acronym):
        return True
    parts = [part for part in _JOINT.split(use.key) if len(part) > 1]
    return all(letters(part) in spelled or settings.knows(part) for part in parts)


@rule
def ac002_used_before(document: LintDocument) -> Iterator[Found]:
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
            first, place = uses[0], document.offset(uses[0])
            if place < inside[0].offset and explained.get(key, first.start) >= first.start:
                defined = document.place(inside[0].offset)
                message = f"'{first.acronym}' is used here and defined at {defined}"
                yield Found(place, first.acronym, message)


_ARTICLE = re.compile(r"(?<![\w.'/-])(an?|An?)\s\Z")
_GOES_ON = re.compile(r"[^\s.!?:\"'“(]\s?\Z")  # before a capital "A" that is a letter: Vitamin A


@rule
def ac009_article(document: LintDocument) -> Iterator[Found]:
    """An acronym has another article before it than its first sound wants.

    Reports:
        It is a HTML page.
        She wrote an UN report.
        He has a MRI today.

    Does not report:
        It is an HTML page.
        She works at a UN office.
        Vitamin A NMR was done.
    """
    # Acronyms that readers say in two ways have none.
    text = document.text
    for use in document.uses:
        near = max(0, use.start - 5)
        found = _ARTICLE.search(text, near, use.start)
        if not found or (found[1] == "A" and _GOES_ON.search(text, near, found.start(1))):
            continue
        right = article_of(use.acronym)
        if right and right != found[1].lower():
            message = f"'{found[1]} {use.acronym}' is '{right} {use.acronym}'"
            written = right.capitalize() if found[1][0] == "A" else right
            fix = replacement(document, *found.span(1), written)
            offset = document.source.original_offset(found.start(1))
            yield Found(offset, use.acronym, message, fix)


_VOWEL_NAMES = "AEFHILMNORSX"
_EITHER = re.compile(r"[FHLMNRSXU][AEIOUY].")  # an FIR, a fir


def article_of(acronym: str) -> str | None:
    """`a` or `an` before an acronym; None where readers differ.

    What is read as a word by some has an answer in the packaged list alone: three letters whose
    second is a vowel, where the first one's name begins otherwise than its sound, and longer ones
    with any vowel.
    """
    letters = acronym.removesuffix("s")
    listed = _listed()
    if letters in listed:
        return listed[letters] or None
    if not (letters.isascii() and letters.isalpha() and letters.isupper()):
        return None
    if _EITHER.fullmatch(letters) or (
        len(letters) > 3 and any(letter in "AEIOUY" for letter in letters)
    ):
        return None
    return "an" if letters[0] in _VOWEL_NAMES else "a"


@cache
def _listed() -> dict[str, str]:
    """Acronyms with their articles; an empty one where readers differ."""
    text = files("spacy_gladis.lint").joinpath("pronunciation.txt").read_text("utf8")
    found: dict[str, str] = {}
    for line in text.splitlines():
        article, colon, names = line.partition(":")
        if colon and not line.startswith("#"):
            found |= dict.fromkeys(names.split(), "" if article == "either" else article)
    return found


_NEXT = re.compile(r"[ \t]+([^\W\d_]+)(?![\w(-])")


@rule
def ac010_redundant(document: LintDocument) -> Iterator[Found]:
    """The word after an acronym repeats the word that its last letter stands for.

    Reports:
        Insert your card at the ATM machine.
        Type the PIN number.
        A digital elevation model (DEM) is a grid. The DEM model is old.

    Does not report:
        Insert your card at the ATM.
        Type the PIN. The number is long.
        A digital elevation model (DEM) is a grid. The DEM is old.
    """
    # Long forms are the document's own, else those of the list of known acronyms.
    for use in document.uses:
        after = _NEXT.match(document.text, use.end)
        if not after:
            continue
        definitions = document.by_key.get(use.key)
        known = document.settings.long_forms.get(use.key, "")
        long_form = definitions[0].long_form if definitions else known
        words = long_form.lower().split()
        if len(words) < 2 or words[-1] != after[1].lower():
            continue
        if use.key[-1].lower() == words[-1][0] or same_key(long_form) == same_key(known):
            message = f"'{use.acronym} {after[1]}' says '{words[-1]}' twice: it is '{long_form}'"
            fix = replacement(document, use.end, after.end(), "")
            yield Found(document.offset(use), use.acronym, message, fix)


_EDGES = re.compile(r"\A\W+|[^\w.]+\Z")
_DOTS = re.compile(r"[.\u2010\u2011-]")


@rule
def ac013_spelled_otherwise(document: LintDocument) -> Iterator[Found]:
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
    spelled: dict[str, dict[str, Defined]] = {}
    for one in document.definitions:
        written = _singular(one.acronym)
        spelled.setdefault(_letters(written), {}).setdefault(written, one)
    for use in document.uses:
        written = _singular(use.acronym)
        known = spelled.get(_letters(written), {})
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
    return acronym[:-1] if acronym.endswith("s") and acronym[-2:-1].isupper() else acronym


def _letters(acronym: str) -> str:
    """A key that is equal for an acronym's capitals, dots and hyphens, and for nothing else."""
    return _DOTS.sub("", acronym).casefold()
