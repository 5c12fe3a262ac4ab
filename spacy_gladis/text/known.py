"""Acronyms that only a dictionary can tell: `c/o`, `k8s`, `b.i.d.`, `Hx`, `abx`, `No. 5`."""

import re
from bisect import bisect_left
from collections.abc import Callable, Collection, Container, Iterable, Iterator
from functools import lru_cache
from typing import Final, NamedTuple
from unicodedata import normalize

from .mention import Offsets
from .shapes import ADDRESS, is_other
from .tokens import FUNCTION_WORDS, WORD_OR_SIGN

LONGEST: Final = 24  # characters of a spelling that is looked up
_MOST_WORDS: Final = 1 << 17  # remembered
NEAR: Final = 160  # characters within which one abbreviation makes another likely

_MARKS: Final = ".,;:!?()[]{}\"'“”‘’…*"
# A run of what may stand in an abbreviation; its end may be a full stop, or a slash as in w/.
_CHUNK: Final = re.compile(r"(?<![\w&+.'’/@:\\-])[^\W_](?:[\w&+.'’/;-]*[\w./])?(?![\w@\\])")
_ADDRESS: Final = re.compile(ADDRESS)
_JOINT: Final = re.compile("[/;+-]")
# What a hyphen makes a part of a word: sub-category, co-author, follow-ups.
_AFFIXES: Final = frozenset(("co-", "sub-", "-ups", "-ins", "-outs", "-offs"))
_PART: Final = re.compile(r"\Aw/(?=\w\w)|[^\W_][^/;+-]*")
# What does not stand in words: an inner full stop, a slash, a digit, a capital behind a letter.
_DISTINCT: Final = re.compile(r"\d|[&+/-]|[^\W\d_]['’.][^\W\d_]|(?<=\w)[^\W\d_a-zß-öø-ÿ]")
# Few letters with full stops (a.m., esp., et al.) stand in all prose: three letters do not.
_DOTTED: Final = re.compile(r"(?:[^\W\d_]+\.){1,2}")
_CLAUSE_START: Final = re.compile(r"(?:\A|[\n.!?:;(|•–—]\s{0,2})\Z")
_BLANK: Final = r"(?:[^\S\n]+(?:\n[^\S\n]*)?|\n[^\S\n]*)"  # within a paragraph
_ACCENTS: Final = "\u0300-\u036f"  # that stand behind their letters
_LINE_GOES_ON: Final = re.compile(r"[,;:]|[ \t]+[(\[\"“‘]?[^\W_A-ZÀ-ÖØ-Þ]")
_SENTENCE_GOES_ON: Final = re.compile(rf"[)\]]|{_LINE_GOES_ON.pattern}")
# What a word's letters or its place tell of it: no vowel; the stop of no sentence.
_NO_VOWEL: Final = re.compile(r"[^\W\d_aeiouyAEIOUY]{2,8}")
_STOPPED: Final = re.compile(r"[^\W\d_]{2,8}\.")
# What a number follows: "no. 4", "c. £400", "Regulation (EU) No 910"; and an acronym that a year or
# a longer number follows directly: FY2008, ISO8601.
_NAMES_NUMBER: Final = re.compile(r"[^\W\d_]{1,4}\.|Nos?")
_NUMBER: Final = re.compile(r"\s?(?:[$£€]|[A-Z]{3})?\d")
_NUMBERED: Final = re.compile(r"([A-Z]{3,6}|[FC]Y)\d{4,}[A-Z]?\d*")
_COMMON: Final = 1000  # times that sources give the acronym of such a number; others are codes
_MAY_END_PHRASE: Final = re.compile(r"[^\W\d_]{1,4}\.")  # "et al."
_WORD_BEFORE: Final = re.compile(r"(?<!\w)[^\W\d_]{2,}\.?\s\Z")
_NAME_GOES_ON: Final = re.compile(r"\.?\s[^\W\da-z_]|\set\b")
_AFTER_NUMBER: Final = re.compile(r"\d[\s-]?\Z")  # a unit, the half of a day
_MOST_OFTEN: Final = 400  # times, of a word in small letters

Attested = Callable[[str], int]
"""How often a dictionary's sources give an acronym in this very spelling."""


def _never(_word: str) -> int:
    return 0


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
    attested: Attested = _never,
) -> list[Offsets]:
    """Find the spellings that a dictionary marks as abbreviations in that very spelling.

    known: the spellings, without spaces; one in small letters is also found with a first capital
        at the beginning of a clause, and in capitals.
    acronyms: offsets of what is an acronym by its shape, for support.
    own: those of `known` that a person entered, which need no support.
    attested: asked about words that their letters or their place mark as abbreviations: one without
        a vowel, or with the stop of no sentence (`No. 5`).
    Returns `(start, end)` in order, none overlapping. A spelling with a digit, a slash or capitals
    is taken wherever it stands, and so is what its letters or its place mark. One that reads like a
    word (`op`) needs support: an acronym or another abbreviation within `NEAR` characters. An
    acronym by its shape with a full stop behind counts where the sentence goes on. Time is linear
    in the text's length.
    """
    found = list(_candidates(text, _Spellings(frozenset(known), attested)))
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
            and not is_other(text, one.start, one.end)
        )
    ]


def find_spelled(text: str, own: frozenset[str]) -> list[Offsets]:
    """Find own entries that `find_known` finds nowhere: those with a blank or a sign inside or at
    an end (`T Rex`, `C++`, `F@H`), with accents, or with many characters.

    They are found as they are spelled, be a blank the end of a line, or an accent a character of
    its own. Returns `(start, end)` in order, none overlapping.
    """
    by_first = _by_first(own)
    if not by_first:
        return []
    pieces = set(WORD_OR_SIGN.findall(text))
    forms = (form for piece in pieces & by_first.keys() for form in by_first[piece])
    longest = sorted(
        (one for one in forms if pieces.issuperset(WORD_OR_SIGN.findall(one))), key=_longest
    )
    if not longest:
        return []
    either = "|".join(re.escape(one).replace(r"\ ", _BLANK) for one in longest)
    pattern = re.compile(rf"(?<!\w)(?:{either})(?![\w{_ACCENTS}])")
    return [match.span() for match in pattern.finditer(text)]


def _longest(form: str) -> tuple[int, str]:
    return -len(form), form


@lru_cache(8)
def _by_first(own: frozenset[str]) -> dict[str, list[str]]:
    """Such entries by their first words or signs: of a million a text holds few."""
    found: dict[str, list[str]] = {}
    for one in own:
        if len(one) > LONGEST or not (one.isascii() and _CHUNK.fullmatch(one)):
            for form in {normalize("NFC", one), normalize("NFD", one)}:
                found.setdefault(WORD_OR_SIGN.findall(form)[0], []).append(form)
    return found


def _is_stopped(text: str, one: _Found, shaped: Container[Offsets]) -> bool:
    """Whether it is an acronym by its shape and the full stop of its sentence: "a PR. Every"."""
    return (
        text[one.end - 1] == "."
        and (one.start, one.end - 1) in shaped
        and not _LINE_GOES_ON.match(text, one.end)
    )


class _Spellings(NamedTuple):
    """What the dictionary says of spellings."""

    known: frozenset[str]
    attested: Attested


def _candidates(text: str, spellings: _Spellings) -> Iterator[_Found]:
    holders = _holders(spellings)
    if len(holders) > _MOST_WORDS:
        holders.clear()
    for place in _places(text, filter(holders.__getitem__, text.split())):
        yield from _found(text, *place, spellings)


def _found(text: str, start: int, end: int, spellings: _Spellings) -> Iterator[_Found]:
    """The known spellings in a run without whitespace."""
    if _ADDRESS.search(text, start, end):
        return
    for match in _CHUNK.finditer(text, start, end):
        chunk, at = match[0], match.start()
        if found := _look_up(text, at, chunk, spellings.known) or _by_form(
            text, at, chunk, spellings.attested
        ):
            yield found
        elif _JOINT.search(chunk):
            for part in _PART.finditer(chunk):
                before, after = chunk[: part.start()][-1:], chunk[part.end() :][:1]
                word = part[0].lower().rstrip(".")
                if not _AFFIXES.isdisjoint((word + after, before + word)):
                    continue
                place = at + part.start()
                if found := _look_up(text, place, part[0], spellings.known, False):
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

    def __init__(self, spellings: _Spellings) -> None:
        self.spellings = spellings

    def __missing__(self, word: str) -> bool:
        known, attested = self.spellings
        self[word] = found = (
            word in known
            or _may_be_by_form(word, attested)
            or (not (word.islower() and word.isalpha()) and _may_be(word, known))
        )
        return found


@lru_cache(8)
def _holders(spellings: _Spellings) -> _Holders:
    return _Holders(spellings)


def _may_be_by_form(word: str, attested: Attested) -> bool:
    """Whether a word may be an abbreviation by its letters or its place: a quick look."""
    bare = word.strip(_MARKS)
    return bool(
        (_NO_VOWEL.fullmatch(bare) and (attested(bare) or attested(bare.lower())))
        or ("." in word and (_MAY_END_PHRASE.match(bare + ".") or _STOPPED.match(bare + ".")))
        or _NAMES_NUMBER.fullmatch(bare)
        or ((numbered := _NUMBERED.fullmatch(bare)) and attested(numbered[1]) >= _COMMON)
        or (bare.islower() and attested(bare) >= _MOST_OFTEN)
    )


def _by_form(text: str, start: int, word: str, attested: Attested) -> _Found | None:
    """The word, if its letters or its place mark what the dictionary has in that spelling."""
    end = start + len(word)
    if (numbered := _NUMBERED.fullmatch(word)) and attested(numbered[1]) >= _COMMON:
        return _Found(start, start + len(numbered[1]), numbered[1], True)
    if (
        _NAMES_NUMBER.fullmatch(word)
        and _NUMBER.match(text, end)
        and not _CLAUSE_START.search(text, max(0, start - 3), start)
        and (word.rstrip(".") not in FUNCTION_WORDS or word == "no.")
        and attested(word)
    ):
        return _Found(start, end, word, True)
    if word[-1] == "." and _SENTENCE_GOES_ON.match(text, end):
        if _MAY_END_PHRASE.fullmatch(word):
            before = _WORD_BEFORE.search(text, max(0, start - LONGEST), start)
            if before and attested(" ".join((before[0] + word).split())):
                return _Found(before.start(), end, before[0] + word, True)
        if _STOPPED.fullmatch(word) and attested(word) and word[:-1] not in FUNCTION_WORDS:
            return _Found(start, end, word, not _follows_number(text, start))
    if end == len(text) and word[0].isupper() and word[-1] == "." and attested(word):
        return None  # "at St.": the name was cut off
    bare = word.rstrip(".")
    end = start + len(bare)
    if (
        _NO_VOWEL.fullmatch(bare)
        and not bare.isupper()
        and _is_free(text, start, bare)
        and (attested(bare) or (bare[1:].islower() and attested(bare.lower())))
    ):
        return _Found(start, end, bare, True)
    if bare.islower() and attested(bare) >= _MOST_OFTEN and _is_free(text, start, bare):
        return _Found(start, end, bare, True)
    return None


def _is_free(text: str, start: int, word: str) -> bool:
    """Whether a word is no unit behind a number and begins no name."""
    return not _follows_number(text, start) and not (
        word[0].isupper() and _NAME_GOES_ON.match(text, start + len(word))
    )


def _follows_number(text: str, start: int) -> bool:
    return bool(_AFTER_NUMBER.search(text, max(0, start - 2), start))


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
    return _Found(start, end, spelling, sure or _is_marked(text, start, word))


def _is_marked(text: str, start: int, word: str) -> bool:
    """Whether a known spelling is told from a word by its letters or its place."""
    if _follows_number(text, start):
        return False
    if word[-1] == ".":
        return bool(_SENTENCE_GOES_ON.match(text, start + len(word)))
    return bool(_NO_VOWEL.fullmatch(word)) and _is_free(text, start, word)


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
