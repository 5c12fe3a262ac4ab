"""NOA, ADE and UAD: the rules that SciAI's paper compares with (section 4, Table 2).

All three are reimplemented from the descriptions there and in section 5.3.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from .....text import Definition, schwartz_hearst
from ....datasets.construction import is_acronym_candidate
from ..data import Prediction
from ..system import SYSTEMS, IdentificationSystem
from .rules import merge

_CAPITALS = re.compile(r"\b[A-Z][A-Z0-9]+\b")
_IN_BRACKETS = re.compile(r"\(\s*([A-Z]{2,10})\s*\)")
_SHORT = re.compile(r"\b[A-Za-z0-9][\w&/-]{0,8}[A-Za-z0-9]\b")
_BEFORE = re.compile(r"\w+")
_MINOR = frozenset({"a", "an", "and", "by", "for", "in", "of", "on", "or", "the", "to", "with"})


def initialisms(text: str, *, skip_minor: bool) -> Iterator[Definition]:
    """Find acronyms in brackets that are the initials of the words before them.

    Args:
        text: The sentence.
        skip_minor: Whether articles, prepositions and conjunctions may be left out of the acronym.

    Yields:
        The definitions.
    """
    for match in _IN_BRACKETS.finditer(text):
        words = list(_BEFORE.finditer(text, 0, match.start()))
        end = words[-1].end() if words else 0
        letters = list(match[1].lower())
        while letters and words:
            word = words.pop()
            if word[0][0].lower() == letters[-1]:
                letters.pop()
                if not letters and not text[end : match.start()].strip():
                    yield Definition(match.span(1), (word.start(), end))
            elif not skip_minor or word[0].lower() not in _MINOR:
                break


@SYSTEMS.register("noa", "An initial for each word before a bracket.", "SciAI/SciAD, section 4")
@dataclass
class NOA(IdentificationSystem):
    """Finds definitions in which each letter stands for a word (Charbonnier and Wartena 2018)."""

    def answer(self, question: str) -> Prediction:
        """Mark the acronyms and long forms of the definitions in a text.

        Args:
            question: Text to search.

        Returns:
            Character offsets of the acronyms and of the long forms.
        """
        return merge(list(initialisms(question, skip_minor=False)), [])


@SYSTEMS.register(
    "ade", "Initials before a bracket, and words in capitals.", "SciAI/SciAD, section 4"
)
@dataclass
class ADE(IdentificationSystem):
    """Finds initials, and acronyms of capitals and digits anywhere (Li et al. 2018).

    Letters from the middle or end of a word are not matched, as section 5.3 says.
    """

    def answer(self, question: str) -> Prediction:
        """Mark the acronyms of a text, defined or not, and the defined long forms.

        Args:
            question: Text to search.

        Returns:
            Character offsets of the acronyms and of the long forms.
        """
        acronyms = [match.span() for match in _CAPITALS.finditer(question)]
        return merge(list(initialisms(question, skip_minor=True)), acronyms)


@SYSTEMS.register(
    "uad", "Schwartz and Hearst's rules, and words with mostly capitals.", "SciAI/SciAD, section 4"
)
@dataclass
class UAD(IdentificationSystem):
    """Finds Schwartz and Hearst's definitions, and short forms anywhere (Ciosici et al. 2019).

    A word outside all definitions is an acronym if it has a short form's length and more than half
    of it is capitals.
    """

    def answer(self, question: str) -> Prediction:
        """Mark the acronyms of a text, defined or not, and the defined long forms.

        Args:
            question: Text to search.

        Returns:
            Character offsets of the acronyms and of the long forms.
        """
        acronyms = [
            match.span() for match in _SHORT.finditer(question) if is_acronym_candidate(match[0])
        ]
        return merge(schwartz_hearst(question), acronyms)
