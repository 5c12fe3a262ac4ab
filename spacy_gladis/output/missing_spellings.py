"""Spellings of acronyms and long forms that a text or a search query lacks.

A text that contains only an acronym lacks its long form, and a text that contains only the long
form lacks the acronym.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from ..text import base_form, is_common_word, merge_key
from ..text.long_form_finder import LongFormFinder

METADATA = "acronyms"
"""Default name of the metadata field that receives the missing spellings of a text."""

WORD = re.compile(r"\w(?:[\w.&/+-]*[\w+])?")
"""Pattern of a word that can be an acronym, such as "R&D" or "c/o"."""


class Expansion(NamedTuple):
    """An acronym and its long form, only one of which occurs in a text.

    Attributes:
        acronym: The acronym.
        long_form: The long form.
        added: The spelling that the text lacks. It is equal to `acronym` or to `long_form`.
    """

    acronym: str
    long_form: str
    added: str

    def __str__(self) -> str:
        """Return the acronym and its long form as added to texts: "ML = machine learning"."""
        return f"{self.acronym} = {self.long_form}"


class SpellingIndex:
    """An index that finds long forms by their acronym, and acronyms by their long form."""

    def __init__(self, pairs: Iterable[tuple[str, str, int]]) -> None:
        """Index acronyms and their long forms.

        Args:
            pairs: Tuples of an acronym, a long form and the number of mentions of the acronym with
                this long form.
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

        If the index lacks the acronym, upper and lower case are ignored. For example, "ml" finds
        "ML" if there is no acronym "ml".

        Args:
            acronym: Acronym in any spelling, such as the plural "CNNs".

        Returns:
            The long forms. Empty if the acronym is unknown.
        """
        key = base_form(acronym)
        if key in self._meanings:
            return tuple(self._meanings[key])
        others = self._folded.get(key.casefold(), [])
        return tuple(long_form for other in others for long_form in self._meanings[other])

    def is_acronym(self, word: str) -> bool:
        """Return whether a word of a search query is an acronym in the index.

        People often type queries in lower case. A word that differs from an acronym in case also
        counts as the acronym, unless it is an ordinary English word, such as "it".

        Args:
            word: Word as it is written in the query.

        Returns:
            True if the word is an acronym in the index.
        """
        key = base_form(word)
        if key in self._meanings:
            return True
        return len(key) > 1 and key.casefold() in self._folded and not is_common_word(word)

    def missing_acronyms(self, text: str, acronyms: Iterable[str]) -> list[Expansion]:
        """Return the acronyms of the long forms in a text, except those that the text contains.

        Args:
            text: Text or search query that may contain long forms.
            acronyms: Acronyms that were found in the text.

        Returns:
            An expansion for each missing acronym. Empty if the text lacks none.
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
    """Return the long forms of an acronym that a text doesn't contain, as expansions.

    Args:
        text: Text or search query that contains the acronym.
        acronym: The acronym.
        long_forms: Possible long forms of the acronym.

    Returns:
        An expansion for each missing long form, in the order of `long_forms`. Empty if the text
        contains all of them.
    """
    return [
        Expansion(acronym, long_form, long_form)
        for long_form in long_forms
        if not LongFormFinder([long_form]).find(text)
    ]


def format_expansions(expansions: Iterable[Expansion]) -> str:
    """Return acronyms with their long forms as one line, to store it in the metadata of a text.

    Args:
        expansions: Acronyms with their long forms. Each pair is shown only once.

    Returns:
        A line such as "CT = computed tomography; ML = machine learning". Empty if there are no
        expansions.
    """
    return "; ".join(dict.fromkeys(map(str, expansions)))


def with_expansions(text: str, expansions: Sequence[Expansion]) -> str:
    """Add the spellings that a text lacks to its end, so that a search finds the text by them.

    Args:
        text: Text to index for a search.
        expansions: Acronyms and long forms that the text should be found by.

    Returns:
        The text with an additional paragraph such as "Acronyms: ML = machine learning". Without
        expansions, the text stays unchanged.
    """
    return f"{text}\n\nAcronyms: {format_expansions(expansions)}" if expansions else text
