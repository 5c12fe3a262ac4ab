"""The baseline of the SDU shared tasks, and an even simpler one that marks words in capitals.

The shared tasks' baseline is reimplemented from the behaviour of the published program.
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
    """Baseline that marks words in capitals as acronyms, and no long forms.

    Such a word has at least two letters or digits, at least one capital and no lower-case letter.
    """

    def answer(self, question: str) -> Prediction:
        """Mark the words in capitals of a text as acronyms.

        Args:
            question: Text in which acronyms are looked for.

        Returns:
            The character offsets of the acronyms, and no long forms.
        """
        return Prediction(
            {match.span() for match in _WORD.finditer(question) if match[0].isupper()}, set()
        )


@SYSTEMS.register(
    "character match", "The shared task's baseline, which matches characters in order.", "SDU-21"
)
@dataclass
class CharacterMatch(IdentificationSystem):
    """Baseline of the SDU shared tasks, which matches long forms by the characters of the acronym.

    It marks words that consist mostly of capitals as acronyms. Their long forms contain the
    characters of the acronym in the same order.
    """

    def answer(self, question: str) -> Prediction:
        """Mark the acronyms and long forms in a text.

        Args:
            question: Text in which acronyms and long forms are looked for.

        Returns:
            The character offsets of the acronyms and of the long forms.
        """
        return character_match(question)


_CAPITALS = 0.6  # an acronym has a larger share of capitals
_MIN, _MAX = 2, 10  # minimum and maximum number of characters of an acronym


def character_match(text: str) -> Prediction:
    """Find acronyms and their long forms by the rules of the SDU shared tasks' baseline.

    An acronym begins with a capital and has 2 to 10 characters, of which more than 60 % are
    capitals. If it is in brackets, its long form is looked for in the tokens before the bracket. If
    a bracket follows it, the long form is looked for in this bracket. For an acronym of n
    characters, at most min(n + 5, 2n) tokens are considered.

    The long form contains all letters and digits of the acronym in the same order. The first of
    them begins a word of the long form.

    Args:
        text: Text in which acronyms and long forms are looked for.

    Returns:
        The character offsets of the acronyms and of the long forms.
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
            # As in the published program, the first token is never part of a long form.
            long_form = _backwards(text, word, tokens[max(1, index - 1 - size) : index - 1])
        else:
            long_form = None
        if long_form:
            long.add(long_form)
    return apart(short, long)


def is_short_form(word: str) -> bool:
    """Return whether the baseline of the SDU shared tasks takes a word for an acronym.

    Args:
        word: A word of at least one character.

    Returns:
        True if the word begins with a capital and has 2 to 10 characters, of which more than 60 %
        are capitals.
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
