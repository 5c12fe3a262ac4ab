"""The common case, quickly: words that each give an acronym's letter, or are short."""

import re
from bisect import bisect_left
from collections.abc import Container, Iterable
from itertools import pairwise
from typing import Final, NamedTuple

from .acronym import Acronym
from .mention import Definition, Offsets
from .spelling import is_plural
from .tokens import JOINING_WORDS

_SHORT: Final = 3  # characters of a word that may give no letter, such as "of", in any language
_CHARACTERS: Final = 16  # a letter's word has so many at most, on average
_JOINTS: Final = ("-", "–", "‐", "/")
_REACH: Final = 300  # characters around an acronym in which its initials are looked for
_SURE: Final = 5  # letters
_QUICK: Final = 1000  # words: of a longer text each acronym would read too many
_LETTERS: Final = re.compile(r"[^\W\d_]+")
_PARAGRAPH: Final = re.compile(r"\n[^\S\n]*\n")
_HYBRID: Final = re.compile(r"([A-Z]{2,6})-([A-Z][a-z]{3,})")
_NAME: Final = 120  # characters of a long form
_BOUND: Final = re.compile(r"[^\w\s'’&-]")  # what stands in no such name: it ends the stretch
_NAME_WORD: Final = re.compile(r"[^\W\d_]+")
_OPENING: Final = "\"'“‘«("
_CLOSING: Final = ".,;:!?)]\"'”’»"


class Initials(NamedTuple):
    """A long form whose words begin with the acronym's letters."""

    start: int
    end: int
    steps: str  # as in alignment.COST


def initials_before(text: str, end: int, acronym: Acronym) -> Initials | None:
    """The long form that ends at `end`, when its words begin with the letters.

    A word such as "for" or "of" gives a letter where it must, as in "for your information (FYI)"
    and "quality of life (QOL)". It gives none where the other words alone have all letters, as in
    "Fund for Peace (FP)".
    """
    found = _before(text, end, acronym)
    if found is None or JOINING_WORDS.isdisjoint(text[found.start : found.end].lower().split()):
        return found
    nouns = _before(text, end, acronym, JOINING_WORDS)
    if nouns is None:
        return found
    first = text[found.start : found.end].split(None, 1)[0]
    words = text[nouns.start : nouns.end].split()
    is_name = all(one[0].isupper() for one in words if one not in JOINING_WORDS)
    return nouns if is_name or first.lower() in JOINING_WORDS else found


def _before(text: str, end: int, acronym: Acronym, silent: Container[str] = ()) -> Initials | None:
    """As `initials_before`. silent: words that give no letter."""
    letters = acronym.letters
    left = len(letters)
    steps = ""
    if acronym.plural:
        left -= 1
        steps = "-"
    begin = max(0, end - _CHARACTERS * (left + 1))
    window = text[begin:end]
    words = window.split()
    del words[: begin > 0]  # the edge may cut it
    at = len(window)
    for word in reversed(words):
        at = window.rfind(word, 0, at)
        if word.isalpha():
            if word[0].lower() == letters[left - 1] and word.lower() not in silent:
                left -= 1
                steps = "W" + steps
            elif steps and (len(word) <= _SHORT or word in JOINING_WORDS):
                steps = "s" + steps
            else:
                return None
        else:
            for part in reversed(word.split("-")):
                if not part.isalpha() or left == 0 or part[0].lower() != letters[left - 1]:
                    return None
                left -= 1
                steps = "P" + steps
            steps = "W" + steps[1:]
        if left == 0:
            joint = window[max(0, at - 2) : at].strip() in _JOINTS
            if joint and window[: max(0, at - 2)].rstrip(" \t")[-1:] not in ("", "\n"):
                return None  # "non - linear" in tokenised text
            if "\n" in window and _PARAGRAPH.search(window.rstrip(), at):
                return None
            return Initials(begin + at, begin + len(window.rstrip()), steps)
    return None


def initials_after(text: str, begin: int, acronym: Acronym) -> Initials | None:
    """The long form that begins at `begin`, or a short word later, likewise."""
    letters = acronym.letters[:-1] if acronym.plural else acronym.letters
    count = len(letters)
    window = text[begin : begin + _CHARACTERS * (count + 1)]
    start = -1
    at = read = 0
    steps = ""
    for word in window.split():
        at = window.find(word, at)
        bare = word.lstrip(_OPENING) if start < 0 else word
        place = at + len(word) - len(bare)
        at += len(word)
        whole = bare.rstrip(_CLOSING)
        kind = "W"
        for part in whole.split("-"):
            if not part.isalpha():
                return None
            if read < count and part[0].lower() == letters[read]:
                read += 1
                steps += kind
            elif kind == "W" and read < count and (len(part) <= _SHORT or part in JOINING_WORDS):
                steps += "s"
            else:
                return None
            kind = "P"
        if start < 0 and read:
            start = place
        if read == count:
            end = begin + place + len(whole)
            return Initials(begin + start, end, steps.lstrip("s"))
        if len(whole) < len(bare):
            return None  # the clause ends
    return None


def kept_word_before(text: str, end: int, short: str) -> Initials | None:
    """The long form that ends at `end` with the word that the acronym keeps, as `UN-Women` does.

    It begins with words in capitals, side by side, that have the acronym's other letters.
    """
    match = _HYBRID.fullmatch(short)
    if not match or not text.endswith(match[2], 0, end):
        return None
    letters, last = match[1], end - len(match[2])
    begin = max(0, end - _NAME)
    for bound in _BOUND.finditer(text, begin, end):
        begin = bound.end()
    words = [word.span() for word in _NAME_WORD.finditer(text, begin, last)]
    if not words or (begin and text[begin - 1].isalnum()):
        words = words[1:]  # the edge cut it
    initials = "".join(text[start] for start, _ in words)
    at = initials.rfind(letters)
    while at >= 0:
        run = words[at : at + len(letters)]
        if all(text[one[1] : other[0]].isspace() for one, other in pairwise(run)):
            return Initials(run[0][0], end, "W" * (len(letters) + 1))
        at = initials.rfind(letters, 0, at + len(letters) - 1)
    return None


def find_initials(text: str, acronyms: Iterable[Offsets]) -> list[Definition]:
    """Runs of words near an acronym whose initials are its letters, whatever stands between.

    `acronyms` are `(start, end)` offsets. Many are chance, the more so the fewer the letters: the
    confidence grows with their number. Time grows with the number of acronyms.
    """
    # Most often a quick look says that there is none: all but a run's first word begin so.
    begins = "".join([word[0] for word in text.lower().replace("-", " ").split()])
    words: list[Offsets] = []
    starts: list[int] = []
    initials = ""
    found = []
    for span in acronyms:
        letters = initials_of(text[slice(*span)])
        if len(letters) < 2 or (len(begins) <= _QUICK and letters[1:] not in begins):
            continue
        if not words:
            words = [match.span() for match in _LETTERS.finditer(text)]
            starts = [start for start, _ in words]
            initials = "".join([text[start].lower()[0] for start in starts])
        first, last = (bisect_left(starts, at) for at in (span[0] - _REACH, span[1] + _REACH))
        at = initials.find(letters, first, last)
        while at >= 0:
            run = words[at : at + len(letters)]
            if _is_run(text, run):
                place = (run[0][0], run[-1][1])
                confidence = min(1.0, len(letters) / _SURE)
                found.append(Definition(span, place, confidence))
            at = initials.find(letters, at + 1, last)
    return found


def initials_of(acronym: str) -> str:
    """The letters that words have to begin with, in lower case; none where it has other signs."""
    if is_plural(acronym):
        acronym = acronym[:-1]
    return acronym.lower() if acronym.isalpha() else ""


def _is_run(text: str, words: list[Offsets]) -> bool:
    """Whether words of two letters or more stand side by side, and no hyphen cuts the run out."""
    begin, end = words[0][0], words[-1][1]
    return (
        all(stop - start > 1 for start, stop in words)
        and all(text[one[1] : other[0]] in (" ", "-") for one, other in pairwise(words))
        and text[begin - 1 : begin] != "-"
        and text[end : end + 1] != "-"
    )
