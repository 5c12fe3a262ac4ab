"""Give an acronym detector access to the spellings that a dictionary contains."""

from collections.abc import Collection
from dataclasses import dataclass
from functools import cache
from unicodedata import normalize

from ..files import DATA
from ..text.finder import Finder
from .dictionary import Dictionary

HEADLINE_COUNT = 100
"""Minimum count of a word that is treated as an acronym in a headline that is written in
capitals."""

PACKAGED_FINDER = DATA / "finder.safetensors"
"""Path of the weights of the finder, a model that detects abbreviations. The package doesn't
include them. The command ``train finder`` writes them."""


@dataclass(frozen=True)
class DictionarySpellings:
    """The spellings of a dictionary, in the form that an acronym detector reads.

    This class implements the protocol `text.detect.Spellings`.

    Attributes:
        dictionary: The dictionary, including the user's entries.
        is_english: Whether the texts are English. In other texts, only the user's entries are used,
            because the dictionary's spellings and the finder are English.
    """

    dictionary: Dictionary
    is_english: bool = True

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
        """The model that finds abbreviations in English texts. None if only rules are used.

        The package doesn't include finder weights, so this is None unless the command ``train
        finder`` has written them to `PACKAGED_FINDER`. It is also None if the texts aren't English,
        or if the dictionary has no list of words.
        """
        if not self.is_english or not self.dictionary.words:
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


@cache
def packaged_finder() -> Finder | None:
    """Load the finder, a model that detects abbreviations, from `PACKAGED_FINDER`.

    The finder is loaded once and then cached.

    Returns:
        The finder, or None if the file doesn't exist.
    """
    return Finder.load(PACKAGED_FINDER) if PACKAGED_FINDER.is_file() else None
