"""The phrases of a document that may spell out its undefined acronyms: `COD` here, `chemical oxygen
demand` there, and nothing that joins the two."""

import re
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from .mention import Offsets
from .spelling import is_plural
from .tokens import FUNCTION_WORDS, JOINING_WORDS, fold

_WORD: Final = re.compile(r"[^\W\d_]+(?:['’](?!s\b)[^\W\d_]+)?")
_JOINED: Final = re.compile(
    r"[ \t]{0,2}\r?\n?[ \t]{0,2}|\s?[-–]\s?"
)  # what may stand between two words
# Words written as one: OpenStreetMap.
_HUMPS: Final = re.compile(r"(?<![\w-])(?:[A-Z][a-z]{2,}){2,}[A-Z]*(?![\w-])")
_LETTERS: Final = re.compile(r"[^\W\d_]{2,9}")
_FEWEST_HUMPS: Final = 3
_LAST: Final = 3  # letters of the last word at least
# How likely a phrase is meant: with small words that give no letter or without, capitalised
# throughout or not; for two, three, and more letters. Measured on documents with a glossary.
_SURE: Final = {
    (False, True): (0.5, 0.85, 0.9),
    (True, True): (0.5, 0.85, 0.9),
    (False, False): (0.2, 0.4, 0.6),
    (True, False): (0.0, 0.0, 0.5),
}
# In small letters, words with one of these are part of a sentence; by whether small words are left.
_CLAUSE: Final = {False: {"a", "an", "the"}, True: {"a", "an", "the", "to"}}


class Phrase(NamedTuple):
    """A phrase that has an acronym's letters: `text[start:end]`, at its first occurrence."""

    start: int
    end: int
    occurrences: int  # in the text
    confidence: float  # 0 to 1


def document_phrases(text: str, acronyms: Iterable[str]) -> dict[str, list[Phrase]]:
    """For each acronym the phrases of the text whose words begin with its letters, likeliest first.

    `acronyms` are those that the text does not define, as they are written; a plural's "s" may be
    theirs. Each word gives one letter, or is an article or a preposition inside the phrase; words
    written as one give their capitals. An acronym without such a phrase has no entry. Time grows
    with the length of the text, not with the number of acronyms.
    """
    wanted: dict[str, list[str]] = {}
    for acronym in dict.fromkeys(acronyms):
        letters = acronym[:-1] if is_plural(acronym) else acronym
        letters = letters.replace(".", "")
        if _LETTERS.fullmatch(letters) and letters[0].isupper():
            wanted.setdefault(fold(letters), []).append(acronym)
    found: dict[str, dict[str, list[Offsets]]] = {}
    for letters, start, end in sorted(set(_occurrences(text, wanted)), key=lambda one: one[1:]):
        words = " ".join(re.split(r"[\s–-]+", text[start:end]))
        found.setdefault(letters, {}).setdefault(words.lower(), []).append((start, end))
    ranked = {letters: _ranked(text, letters, phrases) for letters, phrases in found.items()}
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
        joined = len(words[0]) > len(letters)
        capital = any(all(map(_is_capitalised, one)) for one in words)
        sure = _SURE[joined, capital][min(len(letters), 4) - 2]
        if sure and (capital or _CLAUSE[joined].isdisjoint(words[0])):
            ranked.append(Phrase(*spans[0], len(spans), sure))
    return sorted(ranked, key=lambda one: (-one.confidence, -one.occurrences, one.start))


def _is_capitalised(word: str) -> bool:
    return word[0].isupper() or word in FUNCTION_WORDS


def _occurrences(text: str, wanted: Iterable[str]) -> Iterator[tuple[str, int, int]]:
    """The letters and offsets of runs of words that begin with wanted letters."""
    lengths = sorted({len(letters) for letters in wanted})
    keys = set(wanted)
    for run in _runs(text):
        for words in ([one for one in run if not one[2]], run):
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
    """Runs of words with nothing but blanks and hyphens between: offsets, and whether they join."""
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
