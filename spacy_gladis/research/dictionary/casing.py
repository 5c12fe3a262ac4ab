"""Capitals throughout, brought to the spelling that texts have."""

import re
from collections import Counter
from collections.abc import Mapping

from ...dictionary.same_key import same_key

_WORD = re.compile(r"[^\W\d_]+")
_LOWER = 0.05  # share of a word's occurrences in small letters that makes it no proper name


class Casing:
    """Knows how texts spell long forms and their words."""

    def __init__(self, long_forms: Mapping[str, int]) -> None:
        """Learn from long forms and how often each was seen."""
        self._words: dict[str, Counter[str]] = {}
        self._whole: dict[str, tuple[int, str]] = {}
        for form, count in long_forms.items():
            if form.isupper():
                continue
            for word in _WORD.findall(form):
                self._words.setdefault(word.lower(), Counter())[word] += count
            key = same_key(form)
            self._whole[key] = max(self._whole.get(key, (0, "")), (count, form))

    def __call__(self, long_form: str) -> str:
        """The long form, unless it has capitals throughout: then as texts have it, or small."""
        words = _WORD.findall(long_form)
        if not long_form.isupper() or sum(map(len, words)) < 6:
            return long_form
        _, known = self._whole.get(same_key(long_form), (0, ""))
        return known or _WORD.sub(lambda word: self._word(word[0]), long_form)

    def _word(self, word: str) -> str:
        seen = self._words.get(word.lower())
        if seen is None:
            return word.lower() if len(word) > 4 else word
        if seen[word.lower()] >= _LOWER * seen.total():
            return word.lower()
        return seen.most_common(1)[0][0]
