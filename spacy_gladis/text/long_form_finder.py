"""Find given long forms in a text, in any inflection, case and punctuation."""

import re
from collections.abc import Iterable
from typing import Final

from .mention import Offsets
from .spelling import merge_key

_WORD: Final = re.compile(r"[^\W_]+")


class LongFormFinder:
    """Finds long forms by the stems of their words, so that "Neural-Networks" matches too."""

    def __init__(self, long_forms: Iterable[str]) -> None:
        """Create a finder, with an index of the long forms by their first word.

        Args:
            long_forms: The long forms to find. Long forms without a letter or digit are ignored.
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

        If occurrences overlap, only the first is returned, and the longest if several begin at the
        same place.

        Args:
            text: The text to search.

        Returns:
            Pairs of the character offsets of an occurrence and the long form, in text order.
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
