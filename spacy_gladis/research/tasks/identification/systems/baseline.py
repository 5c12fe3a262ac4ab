"""The SDU shared tasks' own rules: words of capitals, and in brackets a match of characters.

Reimplemented from the behaviour of the program published with the task.
"""

import re
from dataclasses import dataclass

from .....text import Offsets
from .....text.tokens import WORD_OR_SIGN
from ..data import Found
from ..system import SYSTEMS, IdentificationSystem, apart

_WORD = re.compile(r"[^\W_]{2,}")


@SYSTEMS.register("all capitals", "Words of capitals alone.", "SDU-21")
@dataclass
class AllCapitals(IdentificationSystem):
    """Words of two characters or more that hold a capital and no small letter."""

    def answer(self, question: str) -> Found:
        """Mark the words."""
        return Found(
            {match.span() for match in _WORD.finditer(question) if match[0].isupper()}, set()
        )


@SYSTEMS.register("character match", "The shared task's baseline: characters in order.", "SDU-21")
@dataclass
class CharacterMatch(IdentificationSystem):
    """Words mostly of capitals; in brackets, a match of characters."""

    def answer(self, question: str) -> Found:
        """Mark acronyms and long forms."""
        return character_match(question)


_CAPITALS = 0.6  # of an acronym's characters, at least
_MIN, _MAX = 2, 10  # characters of an acronym


def character_match(text: str) -> Found:
    """Offsets of acronyms and of long forms.

    An acronym begins with a capital, is of 2 to 10 characters and has more than 60 % capitals. Its
    long form is read from min(n + 5, 2n) tokens before its bracket, or in the bracket behind it:
    each of its letters and digits in order, the first at the beginning of a word.
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
            found = _forwards(text, word, inner[: closed.index(")") if ")" in closed else size])
        elif index > 1 and words[index - 1] == "(" and words[index + 1 : index + 2] == [")"]:
            # As published: the sentence's first token is never part of a long form.
            found = _backwards(text, word, tokens[max(1, index - 1 - size) : index - 1])
        else:
            found = None
        if found:
            long.add(found)
    return apart(short, long)


def is_short_form(word: str) -> bool:
    """Whether a word is taken for an acronym."""
    capitals = sum(map(str.isupper, word))
    return word[0].isupper() and _MIN <= len(word) <= _MAX and capitals / len(word) > _CAPITALS


def _backwards(text: str, acronym: str, tokens: list[Offsets]) -> Offsets | None:
    if not tokens:
        return None
    begin, end = tokens[0][0], tokens[-1][1]
    at = end
    for number in range(len(acronym) - 1, -1, -1):
        letter = acronym[number].lower()
        if not letter.isalnum():
            continue
        at = text.lower().rfind(letter, begin, at)
        while number == 0 and at > begin and text[at - 1].isalnum():
            at = text.lower().rfind(letter, begin, at)
        if at < 0:
            return None
    return max(start for start, _ in tokens if start <= at), end


def _forwards(text: str, acronym: str, tokens: list[Offsets]) -> Offsets | None:
    if not tokens or text[tokens[0][0]].lower() != acronym[0].lower():
        return None
    at, end = tokens[0][0], tokens[-1][1]
    for letter in filter(str.isalnum, acronym.lower()):
        at = text.lower().find(letter, at, end) + 1
        if at == 0:
            return None
    return tokens[0][0], min(stop for _, stop in tokens if stop >= at)
