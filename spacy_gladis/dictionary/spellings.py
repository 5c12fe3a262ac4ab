"""What a dictionary tells a detector of spellings: which are acronyms, which words are none."""

from collections.abc import Collection
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from unicodedata import normalize

from ..text.finder import Finder
from .dictionary import Dictionary

HEADLINE_COUNT = 100
"""Times that the sources give what is an acronym even in a headline."""

PACKAGED_FINDER = Path(__file__).parents[1] / "data" / "finder.safetensors"


@dataclass(frozen=True)
class DictionarySpellings:
    """The spellings of a dictionary, as `text.detect` asks about them.

    Attributes:
        dictionary: The dictionary, with the user's entries.
        is_english: Whether its English spellings count, and so does the packaged finder; the user's
            own entries always do.
    """

    dictionary: Dictionary
    is_english: bool = True

    @property
    def known(self) -> Collection[str]:
        """Spellings that are abbreviations whatever their shape."""
        return self.dictionary.known if self.is_english else frozenset()

    @property
    def user_entries(self) -> frozenset[str]:
        """Spellings that a user entered."""
        return self.dictionary.own

    @property
    def ignored(self) -> frozenset[str]:
        """Words that are no acronyms."""
        return self.dictionary.ignored

    @property
    def finder(self) -> Finder | None:
        """The packaged finder for English texts; None where the dictionary knows no words."""
        if not self.is_english or not self.dictionary.words:
            return None
        return packaged_finder()

    def count(self, acronym: str) -> int:
        """Return how often the sources give an acronym in this very spelling."""
        return self.dictionary.count(acronym)

    def has_meaning(self, acronym: str) -> bool:
        """Whether an acronym has a meaning, in any of its spellings."""
        return self.is_user_entry(acronym) or bool(self.dictionary.matches(acronym))

    def is_acronym_in_headline(self, word: str) -> bool:
        """Whether the sources know a word in capitals well, and no text writes it as a word."""
        words = self.dictionary.words
        if not self.is_english or not words:
            return False
        return word.lower() not in words and self.count(word) >= HEADLINE_COUNT

    def is_acronym(self, word: str) -> bool:
        """Whether an English word in capitals is an acronym all the same."""
        return self.dictionary.lists(word)

    def is_user_entry(self, acronym: str) -> bool:
        """Whether a user entered an acronym, be it with other blanks or accents."""
        return " ".join(normalize("NFC", acronym).split()) in self.user_entries


@cache
def packaged_finder() -> Finder | None:
    """Read the packaged finder; None in a package that has none."""
    return Finder.load(PACKAGED_FINDER) if PACKAGED_FINDER.is_file() else None
