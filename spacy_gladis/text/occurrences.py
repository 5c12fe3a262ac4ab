"""Find all occurrences of given acronyms in a text, including singular and plural forms."""

import re
from bisect import bisect_right
from collections.abc import Collection, Iterable
from typing import Final

from .mention import Definition, Offsets
from .spelling import is_plural
from .tokens import CASELESS, FUNCTION_WORDS, word_rate

_LETTER: Final = rf"[^\W{CASELESS}]"  # or a digit
_WORD: Final = re.compile(rf"(?<!{_LETTER}){_LETTER}+")
_GOES_ON: Final = re.compile(rf"{_LETTER}|-\d")  # IL in IL-6 is part of another acronym
_PRONOUNS: Final = frozenset("AI")


def find_occurrences(text: str, acronyms: Iterable[str]) -> list[tuple[int, int, str]]:
    """Find all occurrences of acronyms as whole words, in the singular or the plural.

    An acronym matches only in the same case, except that an acronym in lower case also matches in
    capitals or with a capital first letter. A space in an acronym also matches a line break. A
    possessive ``'s`` is not part of an occurrence. Acronyms that look like ordinary words, such as
    ``age``, ``A`` and ``I``, are skipped. The running time is linear in the length of the text and
    doesn't depend on the number of acronyms.

    Args:
        text: Text of the document.
        acronyms: The acronyms to find, as strings.

    Returns:
        ``(start, end, acronym)`` triples with the character offsets of an occurrence and the
        acronym as passed in. They are in text order and don't overlap. Where acronyms overlap, the
        earlier occurrence counts, and the longer of two that start at the same offset.
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

    The string must not follow or precede a letter or digit. For example, ``"IP protocol"`` contains
    the word ``"IP"``, but ``"VoIP"`` does not.

    Args:
        text: The text to search.
        word: The string to find, in the same case as in the text.
    """
    at = text.find(word)
    while at >= 0:
        end = at + len(word)
        if not text[max(0, at - 1) : at].isalnum() and not text[end : end + 1].isalnum():
            return True
        at = text.find(word, at + 1)
    return False


def _places(text: str, words: Collection[str]) -> list[tuple[int, str]]:
    """Return the start offset of each whole word of a text that is in `words`, with the word."""
    if not words:
        return []
    firsts = re.escape("".join(sorted({word[0] for word in words})))
    # A pattern that begins with a character class is searched fast.
    pattern = re.compile(rf"[{firsts}](?<!{_LETTER}.){_LETTER}*")
    return [(match.start(), match[0]) for match in pattern.finditer(text) if match[0] in words]


def defined_mentions(text: str, definitions: list[Definition]) -> dict[Offsets, int]:
    """Find all mentions of the acronyms that a text defines, and the definition of each mention.

    The acronyms inside the definitions count as mentions, too. If an acronym has several
    definitions, a mention belongs to the last definition before it. A mention before all
    definitions belongs to the first.

    Args:
        text: Text of the document.
        definitions: All definitions that the text contains.

    Returns:
        A dictionary whose keys are the ``(start, end)`` character offsets of the mentions, in text
        order and without overlaps. The values are indices in `definitions`.
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
    """Remove mentions that overlap another mention.

    Mentions in `first` are kept before others. Otherwise the earlier of two mentions is kept.
    """
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
    """Return whether an acronym can't be confused with an ordinary English word."""
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
