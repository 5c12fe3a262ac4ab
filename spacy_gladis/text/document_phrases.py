"""Find phrases of a document that may spell out acronyms which the document doesn't define.

A document may contain `COD` in one place and `chemical oxygen demand` in another, although no
bracket or other mark connects the acronym with the phrase.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from .mention import Offsets
from .spelling import is_plural
from .tokens import FUNCTION_WORDS, JOINING_WORDS, fold

_WORD: Final = re.compile(r"[^\W\d_]+(?:['’](?!s\b)[^\W\d_]+)?")
# Between two words of a phrase.
_JOINED: Final = re.compile(r"[ \t]{0,2}\r?\n?[ \t]{0,2}|\s?[-–]\s?")
# Several words joined in capitals: OpenStreetMap.
_HUMPS: Final = re.compile(r"(?<![\w-])(?:[A-Z][a-z]{2,}){2,}[A-Z]*(?![\w-])")
_LETTERS: Final = re.compile(r"[^\W\d_]{2,9}")
_FEWEST_HUMPS: Final = 3
_LAST: Final = 3  # minimum letters of the last word of a phrase
# Confidence of a phrase. The keys say whether function words are skipped, and whether all words
# are capitalized. The values are for two, three and more letters, measured on documents with a
# glossary.
_CONFIDENCE: Final = {
    (False, True): (0.5, 0.85, 0.9),
    (True, True): (0.5, 0.85, 0.9),
    (False, False): (0.2, 0.4, 0.6),
    (True, False): (0.0, 0.0, 0.5),
}
# A phrase in lower case with one of these words is part of a sentence. The keys say whether
# function words are skipped.
_CLAUSE: Final = {False: {"a", "an", "the"}, True: {"a", "an", "the", "to"}}


class Phrase(NamedTuple):
    """A phrase in a document that an acronym of the same document may stand for.

    The words of the phrase begin with the acronym's letters, as in `chemical oxygen demand` for
    `COD`.

    Attributes:
        start: Character offset in the document at which the phrase occurs first.
        end: End of this first occurrence (exclusive).
        occurrences: Number of times that the phrase occurs in the document, in any case.
        confidence: Probability that the acronym stands for the phrase, 0 to 1. It was measured on
            documents with a glossary. It is higher for long acronyms and for phrases with
            capitalized words.
    """

    start: int
    end: int
    occurrences: int
    confidence: float


def document_phrases(text: str, acronyms: Iterable[str]) -> dict[str, list[Phrase]]:
    """Find phrases in a document that may be the long forms of its undefined acronyms.

    The words of a phrase begin with the acronym's letters. Words such as "of" and "the" may be
    skipped inside a phrase. A word with inner capitals, such as ``OpenStreetMap``, gives all of its
    capitals and can match an acronym alone. The running time depends on the length of the text, not
    on the number of acronyms.

    Args:
        text: Text of the document.
        acronyms: Acronyms that the text doesn't define, as written. They may be plurals. Acronyms
            are ignored if they have fewer than two or more than nine letters, contain digits or
            signs other than full stops, or begin with a small letter.

    Returns:
        A dictionary with the acronyms, as passed in, as keys. The values are lists of phrases,
        sorted by descending confidence and then by descending number of occurrences. Acronyms
        without any phrase are left out.
    """
    wanted: dict[str, list[str]] = {}
    for acronym in dict.fromkeys(acronyms):
        letters = acronym[:-1] if is_plural(acronym) else acronym
        letters = letters.replace(".", "")
        if _LETTERS.fullmatch(letters) and letters[0].isupper():
            wanted.setdefault(fold(letters), []).append(acronym)
    spans_by_words: dict[str, dict[str, list[Offsets]]] = {}
    for letters, start, end in sorted(set(_occurrences(text, wanted)), key=lambda match: match[1:]):
        words = " ".join(re.split(r"[\s–-]+", text[start:end]))
        spans_by_words.setdefault(letters, {}).setdefault(words.lower(), []).append((start, end))
    ranked = {
        letters: _ranked(text, letters, phrases) for letters, phrases in spans_by_words.items()
    }
    return {
        acronym: phrases
        for letters, phrases in ranked.items()
        if phrases
        for acronym in wanted[letters]
    }


def _ranked(text: str, letters: str, phrases: dict[str, list[Offsets]]) -> list[Phrase]:
    ranked = []
    for spans in phrases.values():
        words = [_WORD.findall(text, *span) for span in spans]
        has_skipped = len(words[0]) > len(letters)
        is_capitalised = any(all(map(_is_capitalised, occurrence)) for occurrence in words)
        confidence = _CONFIDENCE[has_skipped, is_capitalised][min(len(letters), 4) - 2]
        if confidence and (is_capitalised or _CLAUSE[has_skipped].isdisjoint(words[0])):
            ranked.append(Phrase(*spans[0], len(spans), confidence))
    return sorted(
        ranked, key=lambda phrase: (-phrase.confidence, -phrase.occurrences, phrase.start)
    )


def _is_capitalised(word: str) -> bool:
    return word[0].isupper() or word in FUNCTION_WORDS


def _occurrences(text: str, wanted: Iterable[str]) -> Iterator[tuple[str, int, int]]:
    """Yield each phrase whose initials are in `wanted`, as its initials, start and end."""
    lengths = sorted({len(letters) for letters in wanted})
    keys = set(wanted)
    for run in _runs(text):
        for words in ([word for word in run if not word[2]], run):
            initials = "".join(text[start] for start, _, _ in words)
            initials = fold(initials)
            for length in lengths:
                for at in range(len(words) - length + 1):
                    letters = initials[at : at + length]
                    if letters in keys:
                        first, last = words[at], words[at + length - 1]
                        if _is_phrase(text, first, last):
                            yield letters, first[0], last[1]
    for word in _HUMPS.finditer(text):
        letters = "".join(filter(str.isupper, word[0])).lower()
        if len(letters) >= _FEWEST_HUMPS and letters in keys:
            yield letters, *word.span()


def _is_phrase(text: str, first: tuple[int, int, bool], last: tuple[int, int, bool]) -> bool:
    return (
        text[slice(*first[:2])].lower() not in FUNCTION_WORDS
        and text[slice(*last[:2])].lower() not in FUNCTION_WORDS
        and first[1] - first[0] > 1
        and last[1] - last[0] >= _LAST
        and text[max(0, first[0] - 1) : first[0]] not in ("-", "'", "’")
        and text[last[1] : last[1] + 1] != "-"
    )


def _runs(text: str) -> Iterator[list[tuple[int, int, bool]]]:
    """Yield sequences of at least two adjacent words, which acronyms and punctuation separate.

    Each word is given by its start, its end, and whether it is a joining word such as "of".
    """
    run: list[tuple[int, int, bool]] = []
    before = 0
    for match in _WORD.finditer(text):
        start, end = match.span()
        acronym = end - start > 1 and match[0][1:] != match[0][1:].lower()
        if run and (acronym or not _JOINED.fullmatch(text, before, start)):
            if len(run) > 1:
                yield run
            run = []
        before = end
        if not acronym:
            run.append((start, end, match[0] in JOINING_WORDS))
    if len(run) > 1:
        yield run
