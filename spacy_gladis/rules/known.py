"""Acronyms that only a dictionary can tell: `c/o`, `k8s`, `b.i.d.`, `Hx`, `abx`."""

import re
from bisect import bisect_left
from collections.abc import Collection, Container, Iterable, Iterator
from functools import lru_cache
from typing import Final, NamedTuple

from .mention import Offsets
from .shapes import is_emphasis

LONGEST: Final = 24  # characters of a spelling that is looked up
_MOST_WORDS: Final = 1 << 17  # remembered
NEAR: Final = 160  # characters within which one abbreviation makes another likely

_MARKS: Final = ".,;:!?()[]{}\"'“”‘’…*"
# A run of what may stand in an abbreviation; its end may be a full stop, or a slash as in w/.
_CHUNK: Final = re.compile(r"(?<![\w&+.'’/@:\\-])[^\W_](?:[\w&+.'’/;-]*[\w./])?(?![\w@\\])")
_JOINT: Final = re.compile("[/;-]")
_PART: Final = re.compile(r"[^\W_][^/;-]*")
# What does not stand in words: an inner full stop, a slash, a digit, a capital behind a letter.
_DISTINCT: Final = re.compile(r"\d|[&+/-]|[^\W\d_]['’.][^\W\d_]|(?<=\w)[^\W\d_a-zß-öø-ÿ]")
# Few letters with full stops (a.m., esp., et al.) stand in all prose: three letters do not.
_DOTTED: Final = re.compile(r"(?:[^\W\d_]+\.){1,2}")
_CLAUSE_START: Final = re.compile(r"(?:\A|[\n.!?:;(|•–—]\s{0,2})\Z")
_LINE_GOES_ON: Final = re.compile(r"[,;:]|[ \t]+[^\W_A-ZÀ-ÖØ-Þ]")


class _Found(NamedTuple):
    start: int
    end: int
    spelling: str
    sure: bool  # whatever stands around it


def find_known(
    text: str,
    known: Collection[str],
    acronyms: list[Offsets],
    own: Container[str] = (),
) -> list[Offsets]:
    """Find the spellings that a dictionary marks as abbreviations in that very spelling.

    known: the spellings, without spaces; one in small letters is also found with a first capital
        at the beginning of a clause, and in capitals.
    acronyms: offsets of what is an acronym by its shape, for support.
    own: those of `known` that a person entered, which need no support.
    Returns `(start, end)` in order, none overlapping. A spelling with a digit, a slash or capitals
    is taken wherever it stands. One that reads like a word (`pt`, `esp.`) needs support: an
    acronym or another abbreviation within `NEAR` characters. An acronym by its shape with a full
    stop behind counts where the sentence goes on. Time is linear in the text's length.
    """
    found = list(_candidates(text, frozenset(known)))
    if not found:
        return []
    support, shaped = _Support(acronyms, found), frozenset(acronyms)
    return [
        (one.start, one.end)
        for one in found
        if one.spelling in own
        or (
            (one.sure or support.has(one))
            and not _is_stopped(text, one, shaped)
            and not is_emphasis(text, one.start, one.end)
        )
    ]


def _is_stopped(text: str, one: _Found, shaped: Container[Offsets]) -> bool:
    """Whether it is an acronym by its shape and the full stop of its sentence: "a PR. Every"."""
    return (
        text[one.end - 1] == "."
        and (one.start, one.end - 1) in shaped
        and not _LINE_GOES_ON.match(text, one.end)
    )


def _candidates(text: str, known: frozenset[str]) -> Iterator[_Found]:
    holders = _holders(known)
    if len(holders) > _MOST_WORDS:
        holders.clear()
    for place in _places(text, filter(holders.__getitem__, text.split())):
        yield from _found(text, *place, known)


def _found(text: str, start: int, end: int, known: frozenset[str]) -> Iterator[_Found]:
    """The known spellings in a run without whitespace."""
    for match in _CHUNK.finditer(text, start, end):
        chunk, at = match[0], match.start()
        if found := _look_up(text, at, chunk, known):
            yield found
        elif _JOINT.search(chunk):
            for part in _PART.finditer(chunk):
                if found := _look_up(text, at + part.start(), part[0], known, False):
                    yield found


def _places(text: str, words: Iterable[str]) -> Iterator[Offsets]:
    """Where words of a text stand, in order; none is left out between two equal ones."""
    at = 0
    for word in words:
        size = len(word)
        at = text.find(word, at)
        while (at and not text[at - 1].isspace()) or not (
            text[at + size : at + size + 1] or " "
        ).isspace():
            at = text.find(word, at + 1)
        yield at, at + size
        at += size


class _Holders(dict[str, bool]):
    """Whether a word may hold a known spelling: most do not, and are met again and again."""

    def __init__(self, known: frozenset[str]) -> None:
        self.known = known

    def __missing__(self, word: str) -> bool:
        self[word] = found = word in self.known or (
            not (word.islower() and word.isalpha())
            and _may_be(word, self.known)
            and any(
                # Where a clause begins and where none does, each in a sentence that goes on.
                next(_found(text, at, at + len(word), self.known), None)
                for at, text in ((0, word + " a"), (1, " " + word + " a"))
            )
        )
        return found


@lru_cache(8)
def _holders(known: frozenset[str]) -> _Holders:
    return _Holders(known)


def _may_be(word: str, known: frozenset[str]) -> bool:
    """Whether a word that is none itself may hold a known spelling: a quick look."""
    plain = word.strip(_MARKS)
    if plain.isalpha():
        plural = plain[-1] == "s" and not plain[-2:-1].islower()
        return (
            plain in known
            or plain.lower() in known
            or (plural and plain[:-1] in known)
            or ("." in word and _is_form(plain + ".", known))
        )
    if len(plain) < 2 or plain.isdecimal():
        return False
    return any(
        _is_form(part, known)
        for chunk in _CHUNK.findall(word)
        for part in (chunk, *(_PART.findall(chunk) if _JOINT.search(chunk) else ()))
    )


def _is_form(word: str, known: Container[str]) -> bool:
    """Whether a word, in any case, as a plural or with a full stop behind, is a known spelling."""
    small = word.lower()
    return word in known or small in known or word[:-1] in known or small[:-1] in known


def _look_up(
    text: str, start: int, word: str, known: Container[str], whole: bool = True
) -> _Found | None:
    if word in known:
        spelling = word
    elif word[-1] == "." and word[:-1] in known:
        word = spelling = word[:-1]
    elif word[0].isupper() and (folded := _uncapitalised(text, start, word, known)):
        word, spelling = word[: len(folded)], folded
    elif whole and word.isupper() and len(word) > 2 and word.lower() in known:
        return _Found(start, start + len(word), word, True)  # in a headline
    elif word[-1] == "s" and len(word) > 2 and not word[-2].islower() and word[:-1] in known:
        spelling = word
    else:
        return None
    end = start + len(word)
    if len(word) < 2 or len(word) > LONGEST or not any(map(str.isalpha, word)):
        return None
    sure = bool(_DISTINCT.search(spelling)) and not _DOTTED.fullmatch(spelling)
    return _Found(start, end, spelling, sure)


def _uncapitalised(text: str, start: int, word: str, known: Container[str]) -> str:
    """A known spelling in small letters that has a capital because it begins a clause."""
    folded = word[0].lower() + word[1:]
    if not folded.islower() or not _CLAUSE_START.search(text, max(0, start - 3), start):
        return ""
    if folded in known:
        return folded
    return folded[:-1] if folded[-1] == "." and folded[:-1] in known else ""


class _Support:
    def __init__(self, acronyms: list[Offsets], found: list[_Found]) -> None:
        places = [(start, "") for start, _ in acronyms]
        places += [(one.start, one.spelling) for one in found]
        self.places = sorted(places)

    def has(self, one: _Found) -> bool:
        at = bisect_left(self.places, (one.start - NEAR, ""))
        while at < len(self.places) and self.places[at][0] <= one.end + NEAR:
            if self.places[at][1] != one.spelling:
                return True
            at += 1
        return False
