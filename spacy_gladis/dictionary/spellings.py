"""The spellings of a dictionary, as an acronym detector uses them."""

from collections.abc import Collection
from dataclasses import dataclass
from functools import cache
from unicodedata import normalize

from ..files import DATA
from ..text.finder import Finder
from .dictionary import Dictionary

HEADLINE_COUNT = 100
"""Minimum count of a word that is an acronym in a headline."""

PACKAGED_FINDER = DATA / "finder.safetensors"
"""Where finder weights are looked for. The package ships none; ``train finder`` makes them."""


@dataclass(frozen=True)
class DictionarySpellings:
    """The spellings of a dictionary for `text.detect`; implements `text.detect.Spellings`.

    Attributes:
        dictionary: The dictionary with the user's entries.
        is_english: Whether texts are English, so that the dictionary's spellings and the packaged
            finder are used. The user's entries are used in all languages.
    """

    dictionary: Dictionary
    is_english: bool = True

    @property
    def abbreviations(self) -> Collection[str]:
        """Abbreviations that need not look like acronyms."""
        return self.dictionary.abbreviations if self.is_english else frozenset()

    @property
    def user_entries(self) -> frozenset[str]:
        """Spellings of the user's entries."""
        return self.dictionary.user_acronyms

    @property
    def ignored(self) -> frozenset[str]:
        """Words that are not acronyms."""
        return self.dictionary.ignored

    @property
    def finder(self) -> Finder | None:
        """The finder for English texts; None for the rules alone, which the package uses.

        The package ships no finder weights, so this is None unless ``train finder`` has written
        them to `PACKAGED_FINDER`. It is also None if the dictionary has no list of words.
        """
        if not self.is_english or not self.dictionary.words:
            return None
        return packaged_finder()

    def count(self, acronym: str) -> int:
        """Return the count of an acronym in exactly this spelling.

        Args:
            acronym: The acronym.
        """
        return self.dictionary.count(acronym)

    def has_meaning(self, acronym: str) -> bool:
        """Return whether an acronym is the user's or in the dictionary, in any spelling.

        Args:
            acronym: The acronym.
        """
        return self.is_user_entry(acronym) or bool(self.dictionary.matches(acronym))

    def is_acronym_in_headline(self, word: str) -> bool:
        """Return whether a word of a headline in capitals is an acronym.

        It must be frequent in the dictionary and must not be an English word.

        Args:
            word: The word.
        """
        words = self.dictionary.words
        if not self.is_english or not words:
            return False
        return word.lower() not in words and self.count(word) >= HEADLINE_COUNT

    def is_acronym(self, word: str) -> bool:
        """Return whether an English word in capitals may be an acronym.

        Args:
            word: The word.
        """
        return self.dictionary.may_be_acronym(word)

    def is_user_entry(self, acronym: str) -> bool:
        """Return whether an acronym is among the user's entries.

        White space and the Unicode form of accents are normalised.

        Args:
            acronym: The acronym.
        """
        return " ".join(normalize("NFC", acronym).split()) in self.user_entries


@cache
def packaged_finder() -> Finder | None:
    """Load the finder from `PACKAGED_FINDER`; None if there are no weights, as in a release."""
    return Finder.load(PACKAGED_FINDER) if PACKAGED_FINDER.is_file() else None
