"""Give an acronym detector access to the spellings in a dictionary."""

from collections.abc import Collection
from dataclasses import dataclass
from functools import cache
from unicodedata import normalize

from ..files import DATA
from ..text.finder import Finder
from .dictionary import Dictionary

HEADLINE_COUNT = 100
"""Minimum count of a word that is treated as an acronym in a headline in capitals."""

PACKAGED_FINDER = DATA / "finder.safetensors"
"""Path from which finder weights are loaded. The package doesn't include them. The command
``train finder`` writes them."""


@dataclass(frozen=True)
class DictionarySpellings:
    """The spellings of a dictionary, as the protocol `text.detect.Spellings` defines them.

    Attributes:
        dictionary: The dictionary, including the user's entries.
        is_english: Whether the texts are English. If False, only the user's entries are used, and
            not the dictionary's spellings and the finder.
    """

    dictionary: Dictionary
    is_english: bool = True

    @property
    def abbreviations(self) -> Collection[str]:
        """The abbreviations that may not look like acronyms."""
        return self.dictionary.abbreviations if self.is_english else frozenset()

    @property
    def user_entries(self) -> frozenset[str]:
        """The acronyms of the user's entries, as the user spelled them."""
        return self.dictionary.user_acronyms

    @property
    def ignored(self) -> frozenset[str]:
        """The words that are marked as not being acronyms."""
        return self.dictionary.ignored

    @property
    def finder(self) -> Finder | None:
        """The model that finds abbreviations in English texts, or None to use rules only.

        The package doesn't include finder weights, so this is None unless ``train finder`` has
        written them to `PACKAGED_FINDER`. It is also None if the dictionary has no list of words.
        """
        if not self.is_english or not self.dictionary.words:
            return None
        return packaged_finder()

    def count(self, acronym: str) -> int:
        """Return how often the sources list an acronym in exactly this spelling.

        Args:
            acronym: The acronym as written in the text.
        """
        return self.dictionary.count(acronym)

    def has_meaning(self, acronym: str) -> bool:
        """Return whether the dictionary or the user's entries have an acronym in any spelling.

        Args:
            acronym: The acronym as written in the text.
        """
        return self.is_user_entry(acronym) or bool(self.dictionary.matches(acronym))

    def is_acronym_in_headline(self, word: str) -> bool:
        """Return whether a word of a headline in capitals is an acronym.

        The word must be frequent in the dictionary and must not be an English word.

        Args:
            word: A word of the headline.
        """
        words = self.dictionary.words
        if not self.is_english or not words:
            return False
        return word.lower() not in words and self.count(word) >= HEADLINE_COUNT

    def is_acronym(self, word: str) -> bool:
        """Return whether an English word in capitals may be an acronym.

        Args:
            word: An English word in capitals.
        """
        return self.dictionary.may_be_acronym(word)

    def is_user_entry(self, acronym: str) -> bool:
        """Return whether an acronym is among the user's entries.

        White space and the Unicode form of accents are normalised before the comparison.

        Args:
            acronym: The acronym as written in the text.
        """
        return " ".join(normalize("NFC", acronym).split()) in self.user_entries


@cache
def packaged_finder() -> Finder | None:
    """Load the finder from `PACKAGED_FINDER`, or return None if this file doesn't exist."""
    return Finder.load(PACKAGED_FINDER) if PACKAGED_FINDER.is_file() else None
