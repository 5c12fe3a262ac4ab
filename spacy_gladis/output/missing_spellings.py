"""The spellings of acronyms and long forms that a text or a query lacks."""

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from ..text import base_form, is_common_word, merge_key
from ..text.long_form_finder import LongFormFinder

METADATA = "acronyms"
"""Default metadata key of a text's acronyms."""

WORD = re.compile(r"\w(?:[\w.&/+-]*[\w+])?")
"""Pattern of a word that can be an acronym, such as "R&D" or "c/o"."""


class Expansion(NamedTuple):
    """An acronym and its long form, of which a text has only one.

    Attributes:
        acronym: The acronym.
        long_form: The long form.
        added: The one that the text lacks.
    """

    acronym: str
    long_form: str
    added: str

    def __str__(self) -> str:
        """Return the pair as it is added to texts."""
        return f"{self.acronym} = {self.long_form}"


class SpellingIndex:
    """The meanings of a collection by acronym and by long form."""

    def __init__(self, pairs: Iterable[tuple[str, str, int]]) -> None:
        """Index the pairs.

        Args:
            pairs: Acronyms, long forms and numbers of mentions.
        """
        self._meanings: defaultdict[str, list[str]] = defaultdict(list)
        self._acronyms: defaultdict[str, list[str]] = defaultdict(list)
        self._folded: defaultdict[str, list[str]] = defaultdict(list)
        for acronym, long_form, _ in sorted(pairs, key=lambda pair: -pair[2]):
            key = base_form(acronym)
            if key not in self._meanings:
                self._folded[key.casefold()].append(key)
            self._meanings[key].append(long_form)
            self._acronyms[merge_key(long_form)].append(acronym)
        self._finder = LongFormFinder(name for names in self._meanings.values() for name in names)

    def meanings(self, acronym: str) -> tuple[str, ...]:
        """Return the long forms of an acronym, most frequent first.

        An acronym in another case counts if no other acronym is spelled like it.

        Args:
            acronym: The acronym, in any spelling.

        Returns:
            The long forms; empty if the acronym is unknown.
        """
        key = base_form(acronym)
        if key in self._meanings:
            return tuple(self._meanings[key])
        others = self._folded.get(key.casefold(), [])
        return tuple(long_form for other in others for long_form in self._meanings[other])

    def is_acronym(self, word: str) -> bool:
        """Return whether a word of a query is an acronym of the collection.

        A word in lower case is one, too, if it isn't an English word.

        Args:
            word: The word.

        Returns:
            Whether it is an acronym.
        """
        key = base_form(word)
        if key in self._meanings:
            return True
        return len(key) > 1 and key.casefold() in self._folded and not is_common_word(word)

    def missing_acronyms(self, text: str, acronyms: Iterable[str]) -> list[Expansion]:
        """Return the acronyms of long forms in a text that has only other acronyms.

        Args:
            text: The text.
            acronyms: Acronyms that were found in the text.

        Returns:
            The expansions.
        """
        present = {base_form(acronym).casefold() for acronym in acronyms}
        present |= {base_form(word).casefold() for word in WORD.findall(text)}
        long_forms = dict.fromkeys(long_form for _, long_form in self._finder.find(text))
        return [
            Expansion(acronym, long_form, acronym)
            for long_form in long_forms
            for acronym in self._acronyms.get(merge_key(long_form), ())
            if base_form(acronym).casefold() not in present
        ]


def missing_long_forms(text: str, acronym: str, long_forms: Iterable[str]) -> list[Expansion]:
    """Return the expansions with long forms that a text lacks.

    Args:
        text: The text.
        acronym: An acronym in it.
        long_forms: Long forms of the acronym.

    Returns:
        The expansions.
    """
    return [
        Expansion(acronym, long_form, long_form)
        for long_form in long_forms
        if not LongFormFinder([long_form]).find(text)
    ]


def format_expansions(expansions: Iterable[Expansion]) -> str:
    """Return expansions as metadata, such as "CT = computed tomography; ML = machine learning".

    Args:
        expansions: The expansions.

    Returns:
        The text; empty without expansions.
    """
    return "; ".join(dict.fromkeys(map(str, expansions)))


def with_expansions(text: str, expansions: Sequence[Expansion]) -> str:
    """Return a text followed by its expansions.

    Args:
        text: The text.
        expansions: The expansions.

    Returns:
        The text, with a paragraph such as "Acronyms: ML = machine learning".
    """
    return f"{text}\n\nAcronyms: {format_expansions(expansions)}" if expansions else text
