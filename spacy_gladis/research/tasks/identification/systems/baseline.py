"""The SDU shared tasks' baseline: words of capitals, with long forms matched by their characters.

Reimplemented from the behaviour of the program published with the task.
"""

import re
from dataclasses import dataclass

from .....text import Offsets
from .....text.tokens import WORD_OR_SIGN
from ..data import Prediction
from ..system import SYSTEMS, IdentificationSystem, apart

_WORD = re.compile(r"[^\W_]{2,}")


@SYSTEMS.register("all capitals", "Words in capitals.", "SDU-21")
@dataclass
class AllCapitals(IdentificationSystem):
    """Marks words of two or more characters that have a capital and no lower-case letter."""

    def answer(self, question: str) -> Prediction:
        """Mark the words in capitals as acronyms.

        Args:
            question: Text to search.

        Returns:
            Character offsets of the acronyms and of the long forms.
        """
        return Prediction(
            {match.span() for match in _WORD.finditer(question) if match[0].isupper()}, set()
        )


@SYSTEMS.register(
    "character match", "The shared task's baseline, which matches characters in order.", "SDU-21"
)
@dataclass
class CharacterMatch(IdentificationSystem):
    """Marks words mostly of capitals, and long forms that match by their characters."""

    def answer(self, question: str) -> Prediction:
        """Mark the acronyms and long forms in a text.

        Args:
            question: Text to search.

        Returns:
            Character offsets of the acronyms and of the long forms.
        """
        return character_match(question)


_CAPITALS = 0.6  # least share of capitals in an acronym
_MIN, _MAX = 2, 10  # least and most characters of an acronym


def character_match(text: str) -> Prediction:
    """Find acronyms and their long forms by the shared tasks' rules.

    An acronym begins with a capital, has 2 to 10 characters and more than 60 % capitals. Its long
    form is searched in min(n + 5, 2n) tokens before its bracket, or in the bracket after it. It
    contains all letters and digits of the acronym in order, and the first one begins a word.

    Args:
        text: The text.

    Returns:
        Character offsets of the acronyms and of the long forms.
    """
    tokens = [match.span() for match in WORD_OR_SIGN.finditer(text)]
    words = [text[slice(*span)] for span in tokens]
    short, long = set(), set()
    for index, word in enumerate(words):
        if not is_short_form(word):
            continue
        short.add(tokens[index])
        size = min(len(word) + 5, 2 * len(word))
        if index < len(words) - 3 and words[index + 1] == "(":
            inner = tokens[index + 2 : index + 2 + size]
            closed = words[index + 2 : index + 2 + size]
            long_form = _forwards(text, word, inner[: closed.index(")") if ")" in closed else size])
        elif index > 1 and words[index - 1] == "(" and words[index + 1 : index + 2] == [")"]:
            # As published: the sentence's first token is never part of a long form.
            long_form = _backwards(text, word, tokens[max(1, index - 1 - size) : index - 1])
        else:
            long_form = None
        if long_form:
            long.add(long_form)
    return apart(short, long)


def is_short_form(word: str) -> bool:
    """Return whether a word has the shape of an acronym.

    Args:
        word: The word, not empty.

    Returns:
        True if the word begins with a capital and has the required length and share of capitals.
    """
    capitals = sum(map(str.isupper, word))
    return word[0].isupper() and _MIN <= len(word) <= _MAX and capitals / len(word) > _CAPITALS


def _backwards(text: str, acronym: str, tokens: list[Offsets]) -> Offsets | None:
    if not tokens:
        return None
    begin, end = tokens[0][0], tokens[-1][1]
    position = end
    for number in range(len(acronym) - 1, -1, -1):
        letter = acronym[number].lower()
        if not letter.isalnum():
            continue
        position = text.lower().rfind(letter, begin, position)
        while number == 0 and position > begin and text[position - 1].isalnum():
            position = text.lower().rfind(letter, begin, position)
        if position < 0:
            return None
    return max(start for start, _ in tokens if start <= position), end


def _forwards(text: str, acronym: str, tokens: list[Offsets]) -> Offsets | None:
    if not tokens or text[tokens[0][0]].lower() != acronym[0].lower():
        return None
    position, end = tokens[0][0], tokens[-1][1]
    for letter in filter(str.isalnum, acronym.lower()):
        position = text.lower().find(letter, position, end) + 1
        if position == 0:
            return None
    return tokens[0][0], min(stop for _, stop in tokens if stop >= position)
