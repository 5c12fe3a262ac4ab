"""Find all occurrences of given acronyms in a text, in the singular and in the plural."""

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
_GOES_ON: Final = re.compile(rf"{_LETTER}|-\d")  # IL in IL-6 is part of another acronym
_PRONOUNS: Final = frozenset("AI")


def find_occurrences(text: str, acronyms: Iterable[str]) -> list[tuple[int, int, str]]:
    """Find all occurrences of acronyms as whole words, in the singular or the plural.

    The case must match, but an acronym in lower case also matches in capitals. A space may be a
    line break in the text. A possessive ``'s`` is not included. Acronyms that look like ordinary
    words (``age``, ``A``, ``I``) are skipped. The running time is linear in the length of the text
    and doesn't depend on the number of acronyms.

    Args:
        text: Text of the document.
        acronyms: The acronyms to find.

    Returns:
        ``(start, end, acronym)`` triples, in text order and without overlaps. Longer acronyms are
        preferred.
    """
    forms: dict[str, str] = {}
    for acronym in filter(_is_distinct, acronyms):
        for form in _forms(acronym):
            forms.setdefault(_in_a_line(form), acronym)
        forms[_in_a_line(acronym)] = acronym
    # Each length of the forms with the same first word is looked up once. There are few lengths.
    lengths: dict[str, set[int]] = {}
    for form in forms:
        if first := _WORD.match(form):
            lengths.setdefault(first[0], set()).add(len(form))
    longest_first = {word: sorted(sizes, reverse=True) for word, sizes in lengths.items()}

    occurrences = []
    next_start = 0
    for start, word in _places(text, lengths):
        if start < next_start:
            continue
        for length in longest_first[word]:
            form = _in_a_line(text[start : start + length])
            end = start + len(form)
            if form in forms and not (form[-1].isalnum() and _GOES_ON.match(text, end)):
                occurrences.append((start, end, forms[form]))
                next_start = end
                break
    return occurrences


def has_word(text: str, word: str) -> bool:
    """Return whether a text contains a string as a whole word.

    No letter or digit may be next to the string.

    Args:
        text: The text to search.
        word: The string to find.
    """
    at = text.find(word)
    while at >= 0:
        end = at + len(word)
        if not text[max(0, at - 1) : at].isalnum() and not text[end : end + 1].isalnum():
            return True
        at = text.find(word, at + 1)
    return False


def _places(text: str, words: Collection[str]) -> list[tuple[int, str]]:
    """Return the offset of each whole word of a text that is one of `words`, in text order."""
    if not words:
        return []
    firsts = re.escape("".join(sorted({word[0] for word in words})))
    # A pattern that begins with a character class is searched fast.
    pattern = re.compile(rf"[{firsts}](?<!{_LETTER}.){_LETTER}*")
    return [(match.start(), match[0]) for match in pattern.finditer(text) if match[0] in words]


def defined_mentions(text: str, definitions: list[Definition]) -> dict[Offsets, int]:
    """Find all mentions of the acronyms that a text defines, including those in the definitions.

    If an acronym has several definitions, the last definition before a mention applies to it. If
    there is none before the mention, the first definition applies.

    Args:
        text: Text of the document.
        definitions: The definitions that the text gives.

    Returns:
        A mapping from the character offsets of each mention to the index of its definition, in text
        order and without overlaps.
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
    """Remove overlaps between mentions by preferring those in `first`, then earlier mentions."""
    chosen: list[Offsets] = []
    for offsets in sorted(mentions):
        if not chosen or offsets[0] >= chosen[-1][1]:
            chosen.append(offsets)
        elif offsets in first and chosen[-1] not in first:
            chosen[-1] = offsets
    return {offsets: mentions[offsets] for offsets in chosen}


def _in_a_line(text: str) -> str:
    return text.replace("\n", " ")


def _is_distinct(acronym: str) -> bool:
    """Return whether an acronym has a capital or digit, or is not an English word."""
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
