"""Find long forms whose words begin with an acronym's letters, without a full alignment.

Most long forms have this form, as in `natural language processing (NLP)`. Each word gives one
letter, except short words such as "of", which may be skipped.
"""

import re
from bisect import bisect_left
from collections.abc import Container, Iterable
from itertools import pairwise
from typing import Final, NamedTuple

from .acronym import Acronym
from .mention import Definition, Offsets
from .spelling import is_plural
from .tokens import JOINING_WORDS

_SHORT: Final = 3  # maximum characters of a word that may be skipped, such as "of"
_CHARACTERS: Final = 16  # maximum average length of the words
_JOINTS: Final = ("-", "–", "‐", "/")
_REACH: Final = 300  # number of characters around an acronym that are searched
_SURE: Final = 5  # minimum letters of an acronym for full confidence
_QUICK: Final = 1000  # maximum number of initials for which a quick check saves time
_LETTERS: Final = re.compile(r"[^\W\d_]+")
_PARAGRAPH: Final = re.compile(r"\n[^\S\n]*\n")
_HYBRID: Final = re.compile(r"([A-Z]{2,6})-([A-Z][a-z]{3,})")
_NAME: Final = 120  # maximum characters of a long form
_BOUND: Final = re.compile(r"[^\w\s'’&-]")  # a sign that no such name contains
_NAME_WORD: Final = re.compile(r"[^\W\d_]+")
_OPENING: Final = "\"'“‘«("
_CLOSING: Final = ".,;:!?)]\"'”’»"


class Initials(NamedTuple):
    """A long form whose words begin with the letters of an acronym.

    Attributes:
        start: Character offset in the text at which the long form starts.
        end: Character offset at which it ends (exclusive).
        steps: A string with one character per word or letter, which tells how it was matched. For
            example, ``W`` is a letter that begins a word, and ``s`` is a skipped short word. All
            characters are listed in `alignment.COST`.
    """

    start: int
    end: int
    steps: str


def initials_before(text: str, end: int, acronym: Acronym) -> Initials | None:
    """Return the long form that ends at an offset, if its words begin with the acronym's letters.

    A word such as "for" gives a letter only if the other words don't give all letters. It gives a
    letter in "for your information (FYI)", but not in "Fund for Peace (FP)".

    Args:
        text: Text of the document.
        end: Character offset at which the long form must end.
        acronym: The acronym, as returned by `read_acronym`.

    Returns:
        The long form, or None if the words before `end` don't match the letters.
    """
    initials = _before(text, end, acronym)
    if initials is None or JOINING_WORDS.isdisjoint(
        text[initials.start : initials.end].lower().split()
    ):
        return initials
    nouns = _before(text, end, acronym, JOINING_WORDS)
    if nouns is None:
        return initials
    first = text[initials.start : initials.end].split(None, 1)[0]
    words = text[nouns.start : nouns.end].split()
    is_name = all(word[0].isupper() for word in words if word not in JOINING_WORDS)
    return nouns if is_name or first.lower() in JOINING_WORDS else initials


def _before(text: str, end: int, acronym: Acronym, silent: Container[str] = ()) -> Initials | None:
    """Find a long form as `initials_before` does. Words in `silent` never give a letter."""
    letters = acronym.letters
    left = len(letters)
    steps = ""
    if acronym.plural:
        left -= 1
        steps = "-"
    begin = max(0, end - _CHARACTERS * (left + 1))
    window = text[begin:end]
    words = window.split()
    del words[: begin > 0]  # the edge may cut the first word
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
                return None  # "non - linear" in tokenized text
            if "\n" in window and _PARAGRAPH.search(window.rstrip(), at):
                return None
            return Initials(begin + at, begin + len(window.rstrip()), steps)
    return None


def initials_after(text: str, begin: int, acronym: Acronym) -> Initials | None:
    """Return the long form that follows an offset, if its words begin with the acronym's letters.

    A few short words such as "the" may come first. They are not part of the long form.

    Args:
        text: Text of the document.
        begin: Character offset at which the search begins.
        acronym: The acronym, as returned by `read_acronym`.

    Returns:
        The long form, or None if the words don't match the letters before the clause ends.
    """
    letters = acronym.letters[:-1] if acronym.plural else acronym.letters
    count = len(letters)
    window = text[begin : begin + _CHARACTERS * (count + 1)]
    start = -1
    at = read = 0
    steps = ""
    for word in window.split():
        at = window.find(word, at)
        bare = word.lstrip(_OPENING) if start < 0 else word
        word_start = at + len(word) - len(bare)
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
            start = word_start
        if read == count:
            end = begin + word_start + len(whole)
            return Initials(begin + start, end, steps.lstrip("s"))
        if len(whole) < len(bare):
            return None  # the clause ends
    return None


def kept_word_before(text: str, end: int, short: str) -> Initials | None:
    """Return the long form before an offset, for an acronym such as `UN-Women` that keeps a word.

    The long form ends with the word that the acronym keeps. Consecutive capitalized words in the
    same clause give the other letters, as in "United Nations Entity for Women".

    Args:
        text: Text of the document.
        end: Character offset at which the long form must end.
        short: The acronym as written.

    Returns:
        The long form, or None if the acronym doesn't have this form or no words match.
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
        words = words[1:]  # the edge cut the first word
    initials = "".join(text[start] for start, _ in words)
    at = initials.rfind(letters)
    while at >= 0:
        run = words[at : at + len(letters)]
        if all(text[left[1] : right[0]].isspace() for left, right in pairwise(run)):
            return Initials(run[0][0], end, "W" * (len(letters) + 1))
        at = initials.rfind(letters, 0, at + len(letters) - 1)
    return None


def find_initials(text: str, acronyms: Iterable[Offsets]) -> list[Definition]:
    """Find words near an acronym that begin with its letters, with any text in between.

    Many matches are due to chance, especially for short acronyms. The confidence is therefore the
    number of letters divided by 5, and at most 1. The running time is proportional to the number of
    acronyms.

    Args:
        text: Text of the document.
        acronyms: Character offsets of the acronyms in the text.

    Returns:
        The possible definitions, in the order of `acronyms`. An acronym may have none or several.
    """
    # A quick check rules out most acronyms: the words of a run after the first begin like this.
    begins = "".join([word[0] for word in text.lower().replace("-", " ").split()])
    words: list[Offsets] = []
    starts: list[int] = []
    initials = ""
    definitions = []
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
                long_form = (run[0][0], run[-1][1])
                confidence = min(1.0, len(letters) / _SURE)
                definitions.append(Definition(span, long_form, confidence))
            at = initials.find(letters, at + 1, last)
    return definitions


def initials_of(acronym: str) -> str:
    """Return the letters with which the words of an acronym's long form begin, in lower case.

    For example, the letters of ``CNNs`` are ``cnn``.

    Args:
        acronym: The acronym as written, in the singular or plural.

    Returns:
        The letters, or an empty string if the acronym contains digits or signs.
    """
    if is_plural(acronym):
        acronym = acronym[:-1]
    return acronym.lower() if acronym.isalpha() else ""


def _is_run(text: str, words: list[Offsets]) -> bool:
    """Return whether words are adjacent, have at least two letters, and no hyphen around them."""
    begin, end = words[0][0], words[-1][1]
    return (
        all(stop - start > 1 for start, stop in words)
        and all(text[left[1] : right[0]] in (" ", "-") for left, right in pairwise(words))
        and text[begin - 1 : begin] != "-"
        and text[end : end + 1] != "-"
    )
