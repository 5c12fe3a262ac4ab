"""Every place where given acronyms stand in a text, in singular and plural."""

import re
from bisect import bisect_right
from collections.abc import Collection, Iterable
from typing import Final

from .english import word_rate
from .mention import Definition, Offsets
from .spelling import is_plural
from .tokens import CASELESS, FUNCTION_WORDS

_LETTER: Final = rf"[^\W{CASELESS}]"  # or a digit
_WORD: Final = re.compile(rf"(?<!{_LETTER}){_LETTER}+")
_GOES_ON: Final = re.compile(rf"{_LETTER}|-\d")  # IL in IL-6 is another acronym's part
_PRONOUNS: Final = frozenset("AI")


def find_occurrences(text: str, acronyms: Iterable[str]) -> list[tuple[int, int, str]]:
    """Find each acronym as whole words, also as its plural or, if given in plural, its singular.

    Returns `(start, end, acronym)` in order, none overlapping, the longest at a place; the case
    must agree, and a blank in it may be the end of a line; an acronym in small letters may have
    capitals. A possessive `'s` stays outside. What reads as a word (`age`, A, I) is not looked for.
    Time is linear in the text's length, whatever the number of acronyms.
    """
    forms: dict[str, str] = {}
    for acronym in filter(_is_distinct, acronyms):
        for form in _forms(acronym):
            forms.setdefault(_in_a_line(form), acronym)
        forms[_in_a_line(acronym)] = acronym
    # A look-up for each length that a form with this first word has: few, at any number of forms.
    lengths: dict[str, set[int]] = {}
    for form in forms:
        if first := _WORD.match(form):
            lengths.setdefault(first[0], set()).add(len(form))
    longest_first = {word: sorted(sizes, reverse=True) for word, sizes in lengths.items()}

    found = []
    free = 0
    for start, word in _places(text, lengths):
        if start < free:
            continue
        for length in longest_first[word]:
            form = _in_a_line(text[start : start + length])
            end = start + len(form)
            if form in forms and not (form[-1].isalnum() and _GOES_ON.match(text, end)):
                found.append((start, end, forms[form]))
                free = end
                break
    return found


def has_word(text: str, word: str) -> bool:
    """Whether a string stands in a text with no letter or digit beside it."""
    at = text.find(word)
    while at >= 0:
        end = at + len(word)
        if not text[max(0, at - 1) : at].isalnum() and not text[end : end + 1].isalnum():
            return True
        at = text.find(word, at + 1)
    return False


def _places(text: str, words: Collection[str]) -> list[tuple[int, str]]:
    """Where the words stand, as whole words, in order."""
    if not words:
        return []
    firsts = re.escape("".join(sorted({word[0] for word in words})))
    begun = re.compile(rf"[{firsts}](?<!{_LETTER}.){_LETTER}*").finditer(
        text
    )  # a class is searched for fast
    return [(one.start(), one[0]) for one in begun if one[0] in words]


def defined_mentions(text: str, definitions: list[Definition]) -> dict[Offsets, int]:
    """Where the acronyms of these definitions stand in the text, the definitions' own included.

    Returns, by offsets in order and none overlapping, the index of the mention's definition: of
    several for one acronym the last before the mention, else the first.
    """
    mentions: dict[Offsets, int] = {}
    places: dict[str, list[Offsets]] = {}
    for index, definition in sorted(enumerate(definitions), key=lambda pair: pair[1].acronym):
        start, end = definition.acronym
        mentions.setdefault((start, end), index)
        places.setdefault(_in_a_line(text[start:end]), []).append((start, index))
    for start, end, acronym in find_occurrences(text, places):
        before = bisect_right(places[acronym], (start, len(definitions)))
        mentions.setdefault((start, end), places[acronym][max(0, before - 1)][1])
    return _without_overlaps(mentions, {d.acronym for d in definitions})


def _without_overlaps(mentions: dict[Offsets, int], first: set[Offsets]) -> dict[Offsets, int]:
    """The mentions in order; of two that overlap the one in `first`, else the earlier one."""
    kept: list[Offsets] = []
    for offsets in sorted(mentions):
        if not kept or offsets[0] >= kept[-1][1]:
            kept.append(offsets)
        elif offsets in first and kept[-1] not in first:
            kept[-1] = offsets
    return {offsets: mentions[offsets] for offsets in kept}


def _in_a_line(text: str) -> str:
    return text.replace("\n", " ")


def _is_distinct(acronym: str) -> bool:
    """Whether an acronym reads as no word: it has a capital or a digit, or is none of English."""
    if any(c.isupper() or c.isdigit() for c in acronym):
        return acronym not in _PRONOUNS
    return len(acronym) > 1 and acronym not in FUNCTION_WORDS and not word_rate(acronym)


def _forms(acronym: str) -> list[str]:
    if not acronym[-1:].isalnum():
        return [acronym]
    if is_plural(acronym):
        return [acronym, acronym[:-1]]
    capitals = [acronym.capitalize(), acronym.upper()] if acronym.islower() else []
    return [acronym, *capitals, *(form + "s" for form in (acronym, *capitals))]
