"""Give an acronym detector access to the spellings that a dictionary contains."""

import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from typing import Final
from unicodedata import normalize

from ..files import DATA
from ..text import Offsets, merge_key
from ..text.finder import Finder
from ..text.shapes import part_compound
from ..text.spelling import plain_hyphens
from .dictionary import Dictionary

HEADLINE_COUNT = 100
"""Minimum count of a word that is treated as an acronym in a headline that is written in
capitals."""

PACKAGED_FINDER = DATA / "finder.safetensors"
"""Path of the weights of the finder, a model that finds abbreviations which rules miss. The command
``train finder`` writes them."""

_BEFORE_NUMBER: Final = re.compile(r"([A-Za-z]+)-?\d[\w.]*")
_WORD: Final = re.compile(r"[^\W_]+")
_MOST_WORDS: Final = 20
"""Number of a long form's words in which the long forms of parts are searched."""

_WHOLE_MEANINGS: Final = 3
"""Number of a compound's most frequent long forms in which the long forms of parts are searched."""


@dataclass(frozen=True)
class DictionarySpellings:
    """The spellings of a dictionary, in the form that an acronym detector reads.

    This class implements the protocol `text.detect.Spellings`.

    Attributes:
        dictionary: The dictionary, including the user's entries.
        is_english: Whether the texts are English. In other texts, only the user's entries are used,
            because the dictionary's spellings and the finder are English.
        has_finder: Whether to use the finder. If False, abbreviations are only found by rules.
    """

    dictionary: Dictionary
    is_english: bool = True
    has_finder: bool = True

    @property
    def abbreviations(self) -> Collection[str]:
        """Abbreviations that may not look like acronyms, such as `c/o`. Only for English texts."""
        return self.dictionary.abbreviations if self.is_english else frozenset()

    @property
    def user_entries(self) -> frozenset[str]:
        """The acronyms for which the user has added entries, as the user spelled them."""
        return self.dictionary.user_acronyms

    @property
    def ignored(self) -> frozenset[str]:
        """The words that the user marked as not being acronyms."""
        return self.dictionary.ignored

    @property
    def finder(self) -> Finder | None:
        """The model that finds abbreviations in English texts that rules miss.

        None if it is turned off or not installed, if the texts aren't English, or if the dictionary
        has no list of words.
        """
        if not (self.has_finder and self.is_english and self.dictionary.words):
            return None
        return packaged_finder()

    def count(self, acronym: str) -> int:
        """Return how often the dictionary's sources contain an acronym in exactly this spelling.

        Args:
            acronym: The acronym as written in the text.
        """
        return self.dictionary.count(acronym)

    def has_meaning(self, acronym: str) -> bool:
        """Return whether the dictionary or the user's entries have a long form for an acronym.

        Other spellings of the acronym count too, so "CNNs" has a meaning if "CNN" has one.

        Args:
            acronym: The acronym as written in the text.
        """
        return self.is_user_entry(acronym) or bool(self.dictionary.matches(acronym))

    def is_acronym_in_headline(self, word: str) -> bool:
        """Return whether a word in a headline of capitals, as in "MRI OF THE BRAIN", is an acronym.

        The word must not be in the dictionary's list of English words, and its count must be at
        least `HEADLINE_COUNT`. If the dictionary has no list of words, or the texts aren't English,
        no word is an acronym.

        Args:
            word: A word of the headline.
        """
        words = self.dictionary.words
        if not self.is_english or not words:
            return False
        return word.lower() not in words and self.count(word) >= HEADLINE_COUNT

    def is_acronym(self, word: str) -> bool:
        """Return whether an English word in capitals may be an acronym, such as `GRADE`, not `NEW`.

        Args:
            word: An English word in capitals.
        """
        return self.dictionary.may_be_acronym(word)

    def is_user_entry(self, acronym: str) -> bool:
        """Return whether the user has added an entry for an acronym.

        White space and the Unicode form of accents are normalised before the comparison, but not
        the case of letters.

        Args:
            acronym: The acronym as written in the text.
        """
        return " ".join(normalize("NFC", acronym).split()) in self.user_entries

    def find_parts(self, text: str, compounds: Iterable[Offsets]) -> Iterator[Offsets]:
        """Find the acronyms that are parts of a compound and of its meaning.

        For example, SDS-PAGE stands for "sodium dodecyl sulfate-polyacrylamide gel
        electrophoresis", which contains long forms of SDS and of PAGE. SHA is a part of SHA256.
        PD is no part of PD-1, because no long form of PD is in "programmed cell death protein 1".

        Args:
            text: Text of the document.
            compounds: Character offsets of the acronyms that may be compounds, in text order.

        Yields:
            Character offsets of the parts. Each is inside the compound that it belongs to.
        """
        text = plain_hyphens(text)
        for start, end in compounds:
            phrases: set[str] | None = None
            for part in _possible_parts(text, start, end):
                meanings = self._long_forms(text[slice(*part)])
                if meanings and phrases is None:
                    whole = self._long_forms(text[start:end])[:_WHOLE_MEANINGS]
                    phrases = {merge_key(phrase) for form in whole for phrase in _phrases_of(form)}
                if phrases and not phrases.isdisjoint(map(merge_key, meanings)):
                    yield part

    def _long_forms(self, acronym: str) -> list[str]:
        """Return the long forms of an acronym. In other languages, only those of the user."""
        sources = None if self.is_english else self.dictionary.user_sources
        return [candidate.long_form for candidate in self.dictionary.lookup(acronym, sources)]


@cache
def packaged_finder() -> Finder | None:
    """Load the finder, a model that detects abbreviations, from `PACKAGED_FINDER`.

    The finder is loaded once and then cached.

    Returns:
        The finder, or None if the file doesn't exist.
    """
    return Finder.load(PACKAGED_FINDER) if PACKAGED_FINDER.is_file() else None


def _phrases_of(long_form: str) -> Iterator[str]:
    """Yield all sequences of neighbouring words of a long form, except the whole long form."""
    words = _WORD.findall(long_form)[:_MOST_WORDS]
    for first, last in combinations(range(len(words) + 1), 2):
        if last - first < len(words):
            yield " ".join(words[first:last])


def _possible_parts(text: str, start: int, end: int) -> list[Offsets]:
    """Return the parts of a compound with two capitals, and the acronym before a final number."""
    parts = part_compound(text, start, end)
    if len(parts) < 2:
        number = _BEFORE_NUMBER.fullmatch(text, start, end)
        parts = [number.span(1)] if number else []
    elif text[slice(*parts[-1])].isdigit():
        parts.append((start, parts[-1][0] - 1))
    return sorted(
        part
        for part in set(parts)
        if part != (start, end) and sum(map(str.isupper, text[slice(*part)])) > 1
    )
