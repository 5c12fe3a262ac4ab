"""Find abbreviations that only a dictionary can identify: `c/o`, `k8s`, `b.i.d.`, `Hx`, `No. 5`."""

import re
from bisect import bisect_left
from collections.abc import Callable, Collection, Container, Iterable, Iterator
from functools import lru_cache
from typing import Final, NamedTuple
from unicodedata import normalize

from .mention import Offsets
from .shapes import ADDRESS, is_other
from .tokens import FUNCTION_WORDS, WORD_OR_SIGN, is_initial

LONGEST: Final = 24
"""Maximum number of characters of a spelling that is looked up in the dictionary."""
_MOST_WORDS: Final = 1 << 17  # maximum size of the cache of words
NEAR: Final = 160
"""Distance in characters within which an abbreviation supports another one. A spelling that looks
like an ordinary word counts only if another abbreviation is this near."""

_MARKS: Final = ".,;:!?()[]{}\"'“”‘’…*"
# A run of characters that abbreviations contain. It may end with a full stop or a slash, as in w/.
_CHUNK: Final = re.compile(r"(?<![\w&+.'’/@:\\-])[^\W_](?:[\w&+.'’/;-]*[\w./])?(?![\w@\\])")
_ADDRESS: Final = re.compile(ADDRESS)
_JOINT: Final = re.compile("[/;+-]")
# Affixes, which are part of a word: sub-category, co-author, follow-ups.
_AFFIXES: Final = frozenset(("co-", "sub-", "-ups", "-ins", "-outs", "-offs"))
_PART: Final = re.compile(r"\Aw/(?=\w\w)|[^\W_][^/;+-]*")
# Signs that ordinary words lack: inner full stops, slashes, digits, capitals after a letter.
_DISTINCT: Final = re.compile(r"\d|[&+/-]|[^\W\d_]['’.][^\W\d_]|(?<=\w)[^\W\d_a-zß-öø-ÿ]")
# One or two dotted parts (a.m., esp.) are common in all prose; three are not.
_DOTTED: Final = re.compile(r"(?:[^\W\d_]+\.){1,2}")
_CLAUSE_START: Final = re.compile(r"(?:\A|[\n.!?:;(|•–—]\s{0,2})\Z")
_BLANK: Final = r"(?:[^\S\n]+(?:\n[^\S\n]*)?|\n[^\S\n]*)"  # white space within a paragraph
_ACCENTS: Final = "\u0300-\u036f"  # combining characters, which follow their letters
_LINE_GOES_ON: Final = re.compile(r"[,;:]|[ \t]+[(\[\"“‘]?[^\W_A-ZÀ-ÖØ-Þ]")
_SENTENCE_GOES_ON: Final = re.compile(rf"[)\]]|{_LINE_GOES_ON.pattern}")
# Signs of an abbreviation: no vowel, or a full stop within a sentence.
_NO_VOWEL: Final = re.compile(r"[^\W\d_aeiouyAEIOUY]{2,8}")
_STOPPED: Final = re.compile(r"[^\W\d_]{2,8}\.")
# Words before a number: "no. 4", "c. £400", "Regulation (EU) No 910". Then acronyms that a year or
# a longer number follows directly: FY2008, ISO8601.
_NAMES_NUMBER: Final = re.compile(r"[^\W\d_]{1,4}\.|Nos?")
_NUMBER: Final = re.compile(r"\s?(?:[$£€]|[A-Z]{3})?\d")
_NUMBERED: Final = re.compile(r"([A-Z]{3,6}|[FC]Y)\d{4,}[A-Z]?\d*")
_COMMON: Final = 1000  # minimum count of an acronym before such a number; rarer ones are codes
_MAY_END_PHRASE: Final = re.compile(r"[^\W\d_]{1,4}\.")  # "et al."
_WORD_BEFORE: Final = re.compile(r"(?<!\w)[^\W\d_]{2,}\.?\s\Z")
_NAME_GOES_ON: Final = re.compile(r"\.?\s[^\W\da-z_]|\set\b")
_AFTER_NUMBER: Final = re.compile(r"\d[\s-]?\Z")  # a unit, or a.m. and p.m.
_MOST_OFTEN: Final = 400  # minimum count of an abbreviation in lower case

Attested = Callable[[str], int]
"""A function that takes an acronym and returns how often a dictionary's sources list this
spelling."""


def _never(_word: str) -> int:
    return 0


class _Match(NamedTuple):
    start: int
    end: int
    spelling: str
    sure: bool  # whether no abbreviation nearby is needed to support the match


def find_known(
    text: str,
    spellings: Collection[str],
    acronyms: list[Offsets],
    user_spellings: Container[str] = (),
    attested: Attested = _never,
) -> list[Offsets]:
    """Find dictionary abbreviations that don't look like acronyms, such as ``c/o`` or ``k8s``.

    A spelling in lower case also matches in capitals, and with a capital first letter at the start
    of a clause. Spellings with a digit, a slash or capitals match anywhere. A spelling that looks
    like an ordinary word, such as ``op``, needs an acronym or another abbreviation within 160
    characters. An acronym with a full stop matches only if the sentence continues after it. Runs in
    linear time.

    Args:
        text: Text of the document.
        spellings: Spellings that the dictionary lists as abbreviations, without spaces.
        acronyms: Character offsets of the words that are spelled like acronyms.
        user_spellings: Those of the spellings that the user added. They match anywhere.
        attested: Function that returns how often the dictionary's sources list a word. It is called
            for words that may be abbreviations by their form or context, such as words without a
            vowel and words before a number. By default, it returns 0.

    Returns:
        Character offsets of the abbreviations, in text order and without overlaps.
    """
    matches = list(_candidates(text, _Spellings(frozenset(spellings), attested)))
    if not matches:
        return []
    support, shaped = _Support(acronyms, matches), frozenset(acronyms)
    return [
        (match.start, match.end)
        for match in matches
        if match.spelling in user_spellings
        or (
            (match.sure or support.has(match))
            and not _is_stopped(text, match, shaped)
            and not is_other(text, match.start, match.end)
        )
    ]


def find_spelled(text: str, user_spellings: frozenset[str]) -> list[Offsets]:
    """Find the user's entries with spaces or special characters, such as `T Rex`, `C++` and `F@H`.

    These are the entries that `find_known` can't find, including entries with accents and long
    entries. The text must contain an entry exactly as the user wrote it. However, a space may be a
    line break, and an accent may be a combining character.

    Args:
        text: Text of the document.
        user_spellings: All spellings that the user added.

    Returns:
        Character offsets of the entries, in text order and without overlaps.
    """
    by_first = _by_first(user_spellings)
    if not by_first:
        return []
    pieces = set(WORD_OR_SIGN.findall(text))
    forms = (form for piece in pieces & by_first.keys() for form in by_first[piece])
    longest = sorted(
        (form for form in forms if pieces.issuperset(WORD_OR_SIGN.findall(form))), key=_longest
    )
    if not longest:
        return []
    either = "|".join(re.escape(form).replace(r"\ ", _BLANK) for form in longest)
    pattern = re.compile(rf"(?<!\w)(?:{either})(?![\w{_ACCENTS}])")
    return [match.span() for match in pattern.finditer(text)]


def _longest(form: str) -> tuple[int, str]:
    return -len(form), form


@lru_cache(8)
def _by_first(user_spellings: frozenset[str]) -> dict[str, list[str]]:
    """Group the user's entries by their first word or sign.

    A text can contain only entries whose first word or sign it contains.
    """
    forms: dict[str, list[str]] = {}
    for spelling in user_spellings:
        if len(spelling) > LONGEST or not (spelling.isascii() and _CHUNK.fullmatch(spelling)):
            for form in {normalize("NFC", spelling), normalize("NFD", spelling)}:
                forms.setdefault(WORD_OR_SIGN.findall(form)[0], []).append(form)
    return forms


def _is_stopped(text: str, match: _Match, shaped: Container[Offsets]) -> bool:
    """Return whether a match is only a word spelled like an acronym, plus a full stop."""
    return (
        text[match.end - 1] == "."
        and (match.start, match.end - 1) in shaped
        and not _LINE_GOES_ON.match(text, match.end)
    )


class _Spellings(NamedTuple):
    """The spellings of a dictionary, and how often its sources list other words."""

    listed: frozenset[str]
    attested: Attested


def _candidates(text: str, spellings: _Spellings) -> Iterator[_Match]:
    holders = _holders(spellings)
    if len(holders) > _MOST_WORDS:
        holders.clear()
    for place in _places(text, filter(holders.__getitem__, text.split())):
        yield from _matches_in(text, *place, spellings)


def _matches_in(text: str, start: int, end: int, spellings: _Spellings) -> Iterator[_Match]:
    """Yield the dictionary abbreviations in a run of characters without white space."""
    if _ADDRESS.search(text, start, end):
        return
    for match in _CHUNK.finditer(text, start, end):
        chunk, at = match[0], match.start()
        if chunk_match := _look_up(text, at, chunk, spellings.listed) or _by_form(
            text, at, chunk, spellings.attested
        ):
            yield chunk_match
        elif _JOINT.search(chunk):
            for part in _PART.finditer(chunk):
                before, after = chunk[: part.start()][-1:], chunk[part.end() :][:1]
                word = part[0].lower().rstrip(".")
                if not _AFFIXES.isdisjoint((word + after, before + word)):
                    continue
                place = at + part.start()
                if part_match := _look_up(text, place, part[0], spellings.listed, False):
                    yield part_match


def _places(text: str, words: Iterable[str]) -> Iterator[Offsets]:
    """Yield the offsets of words that occur in the text in the given order."""
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
    """A cache of whether words may contain a listed spelling. Most words occur often."""

    def __init__(self, spellings: _Spellings) -> None:
        self.spellings = spellings

    def __missing__(self, word: str) -> bool:
        listed, attested = self.spellings
        self[word] = may_hold = (
            word in listed
            or _may_be_by_form(word, attested)
            or (not (word.islower() and word.isalpha()) and _may_be(word, listed))
        )
        return may_hold


@lru_cache(8)
def _holders(spellings: _Spellings) -> _Holders:
    return _Holders(spellings)


def _may_be_by_form(word: str, attested: Attested) -> bool:
    """Check quickly whether the form or context of a word may mark it as an abbreviation."""
    bare = word.strip(_MARKS)
    return bool(
        (_NO_VOWEL.fullmatch(bare) and (attested(bare) or attested(bare.lower())))
        or ("." in word and (_MAY_END_PHRASE.match(bare + ".") or _STOPPED.match(bare + ".")))
        or _NAMES_NUMBER.fullmatch(bare)
        or ((numbered := _NUMBERED.fullmatch(bare)) and attested(numbered[1]) >= _COMMON)
        or (bare.islower() and attested(bare) >= _MOST_OFTEN)
    )


def _by_form(text: str, start: int, word: str, attested: Attested) -> _Match | None:
    """Return a match if the form or context of a word marks it and the dictionary lists it."""
    end = start + len(word)
    if (numbered := _NUMBERED.fullmatch(word)) and attested(numbered[1]) >= _COMMON:
        return _Match(start, start + len(numbered[1]), numbered[1], True)
    if (
        _NAMES_NUMBER.fullmatch(word)
        and _NUMBER.match(text, end)
        and not _CLAUSE_START.search(text, max(0, start - 3), start)
        and (word.rstrip(".") not in FUNCTION_WORDS or word == "no.")
        and attested(word)
    ):
        return _Match(start, end, word, True)
    if word[-1] == "." and _SENTENCE_GOES_ON.match(text, end):
        if _MAY_END_PHRASE.fullmatch(word):
            before = _WORD_BEFORE.search(text, max(0, start - LONGEST), start)
            if before and attested(" ".join((before[0] + word).split())):
                return _Match(before.start(), end, before[0] + word, True)
        if _STOPPED.fullmatch(word) and attested(word) and word[:-1] not in FUNCTION_WORDS:
            return _Match(start, end, word, not _follows_number(text, start))
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
        return _Match(start, end, bare, True)
    if bare.islower() and attested(bare) >= _MOST_OFTEN and _is_free(text, start, bare):
        return _Match(start, end, bare, True)
    return None


def _is_free(text: str, start: int, word: str) -> bool:
    """Return whether a word is neither a unit after a number nor the beginning of a name."""
    return not _follows_number(text, start) and not (
        word[0].isupper() and _NAME_GOES_ON.match(text, start + len(word))
    )


def _follows_number(text: str, start: int) -> bool:
    return bool(_AFTER_NUMBER.search(text, max(0, start - 2), start))


def _may_be(word: str, spellings: frozenset[str]) -> bool:
    """Check quickly whether an unlisted word may contain a listed spelling."""
    plain = word.strip(_MARKS)
    if plain.isalpha():
        plural = plain[-1] == "s" and not plain[-2:-1].islower()
        return (
            plain in spellings
            or plain.lower() in spellings
            or (plural and plain[:-1] in spellings)
            or ("." in word and _is_form(plain + ".", spellings))
        )
    if len(plain) < 2 or plain.isdecimal():
        return False
    return any(
        _is_form(part, spellings)
        for chunk in _CHUNK.findall(word)
        for part in (chunk, *(_PART.findall(chunk) if _JOINT.search(chunk) else ()))
    )


def _is_form(word: str, spellings: Container[str]) -> bool:
    """Return whether a word is listed as written, in lower case or without its last character."""
    small = word.lower()
    return (
        word in spellings or small in spellings or word[:-1] in spellings or small[:-1] in spellings
    )


def _look_up(
    text: str, start: int, word: str, spellings: Container[str], whole: bool = True
) -> _Match | None:
    if is_initial(text, start, start + len(word)):
        return None
    if word in spellings:
        spelling = word
    elif word[-1] == "." and word[:-1] in spellings:
        word = spelling = word[:-1]
    elif word[0].isupper() and (folded := _uncapitalised(text, start, word, spellings)):
        word, spelling = word[: len(folded)], folded
    elif whole and word.isupper() and len(word) > 2 and word.lower() in spellings:
        return _Match(start, start + len(word), word, True)  # in a headline
    elif word[-1] == "s" and len(word) > 2 and not word[-2].islower() and word[:-1] in spellings:
        spelling = word
    else:
        return None
    end = start + len(word)
    if len(word) < 2 or len(word) > LONGEST or not any(map(str.isalpha, word)):
        return None
    sure = bool(_DISTINCT.search(spelling)) and not _DOTTED.fullmatch(spelling)
    return _Match(start, end, spelling, sure or _is_marked(text, start, word))


def _is_marked(text: str, start: int, word: str) -> bool:
    """Return whether the form or context of a listed spelling shows that it is not a word."""
    if _follows_number(text, start):
        return False
    if word[-1] == ".":
        return bool(_SENTENCE_GOES_ON.match(text, start + len(word)))
    return bool(_NO_VOWEL.fullmatch(word)) and _is_free(text, start, word)


def _uncapitalised(text: str, start: int, word: str, spellings: Container[str]) -> str:
    """Return the listed form in lower case of a word that begins a clause, or an empty string."""
    folded = word[0].lower() + word[1:]
    if not folded.islower() or not _CLAUSE_START.search(text, max(0, start - 3), start):
        return ""
    if folded in spellings:
        return folded
    return folded[:-1] if folded[-1] == "." and folded[:-1] in spellings else ""


class _Support:
    def __init__(self, acronyms: list[Offsets], matches: list[_Match]) -> None:
        places = [(start, "") for start, _ in acronyms]
        places += [(match.start, match.spelling) for match in matches]
        self.places = sorted(places)

    def has(self, match: _Match) -> bool:
        at = bisect_left(self.places, (match.start - NEAR, ""))
        while at < len(self.places) and self.places[at][0] <= match.end + NEAR:
            if self.places[at][1] != match.spelling:
                return True
            at += 1
        return False
