"""Find given long forms in a text, regardless of inflection, case and punctuation."""

import re
from collections.abc import Iterable
from typing import Final

from .mention import Offsets
from .spelling import merge_key

_WORD: Final = re.compile(r"[^\W_]+")


class LongFormFinder:
    """Finder of given long forms in texts, which compares the stems of their words.

    The long form "neural network" is therefore also found where a text has "Neural-Networks". One
    finder can search any number of texts.
    """

    def __init__(self, long_forms: Iterable[str]) -> None:
        """Create a finder for a collection of long forms.

        Args:
            long_forms: The long forms to find, such as ``"neural network"``. Long forms without a
                letter or digit are ignored.
        """
        self._by_first: dict[str, list[tuple[tuple[str, ...], str]]] = {}
        for long_form in dict.fromkeys(long_forms):
            keys = tuple(merge_key(word) for word in _WORD.findall(long_form))
            if keys:
                self._by_first.setdefault(keys[0], []).append((keys, long_form))
        for choices in self._by_first.values():
            choices.sort(key=lambda choice: -len(choice[0]))

    def find(self, text: str) -> list[tuple[Offsets, str]]:
        """Find all occurrences of the long forms in a text.

        Occurrences that overlap an earlier occurrence are left out. If several long forms begin at
        the same word, only the one with the most words is returned.

        Args:
            text: The text to search.

        Returns:
            Pairs in text order. Each pair has the ``(start, end)`` character offsets of an
            occurrence, and the long form as passed to the constructor.
        """
        words = list(_WORD.finditer(text))
        keys = [merge_key(word[0]) for word in words]
        places: list[tuple[Offsets, str]] = []
        index = 0
        while index < len(words):
            for wanted, long_form in self._by_first.get(keys[index], ()):
                end = index + len(wanted)
                if tuple(keys[index:end]) == wanted:
                    places.append(((words[index].start(), words[end - 1].end()), long_form))
                    index = end
                    break
            else:
                index += 1
        return places
