"""The systems `noa`, `ade` and `uad`: rules with which the SciAI paper compares its own.

The paper says little about them. UAD uses the rules of Schwartz and Hearst (footnote 5), and
section 5.3 describes some failures of ADE and UAD. All other details were chosen here. They include
the rules by which ADE and UAD mark acronyms without a definition.
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
    """Find acronyms in brackets whose letters are the initials of the words before the bracket.

    Only acronyms of 2 to 10 capital letters are found, without digits or lower-case letters.

    Args:
        text: Text in which definitions are looked for.
        skip_minor: Whether the acronym may leave out words such as "of", "and" and "the". If so,
            "Department of Energy (DE)" is a definition.

    Yields:
        The definitions, in the order of the brackets.
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
    """Finds definitions in which every letter of the acronym is the initial of one word.

    This is a reimplementation of the rule of Charbonnier and Wartena (2018). Only acronyms of 2 to
    10 capital letters in brackets are found. Acronyms without a definition are not marked.
    """

    def answer(self, question: str) -> Prediction:
        """Mark the acronyms that a text defines, and their long forms.

        Args:
            question: Text in which definitions are looked for.

        Returns:
            The character offsets of the acronyms and of the long forms.
        """
        return merge(list(initialisms(question, skip_minor=False)), [])


@SYSTEMS.register(
    "ade", "Initials before a bracket, and words in capitals.", "SciAI/SciAD, section 4"
)
@dataclass
class ADE(IdentificationSystem):
    """Finds definitions by initials, and all words that consist of capitals and digits.

    Words such as "of" may be left out of the acronym. Letters from the middle or the end of a word
    are not matched, as in the rules of Li et al. (2018) (SciAI/SciAD, section 5.3). The other
    details were chosen here, such as marking all words in capitals.
    """

    def answer(self, question: str) -> Prediction:
        """Mark all acronyms of a text, and the long forms of those that the text defines.

        Args:
            question: Text in which acronyms and long forms are looked for.

        Returns:
            The character offsets of the acronyms and of the long forms.
        """
        acronyms = [match.span() for match in _CAPITALS.finditer(question)]
        return merge(list(initialisms(question, skip_minor=True)), acronyms)


@SYSTEMS.register(
    "uad", "Schwartz and Hearst's rules, and words with mostly capitals.", "SciAI/SciAD, section 4"
)
@dataclass
class UAD(IdentificationSystem):
    """Finds definitions by Schwartz and Hearst's rules, and other words that look like acronyms.

    Ciosici et al. (2019) use the rules of Schwartz and Hearst (SciAI/SciAD, footnote 5). The rule
    for other words was added here: a word outside all definitions is an acronym if it has 2 to 10
    characters, and more than half of them are capitals.

    Table 6 of the paper shows two wrong answers of UAD that this system does not give. It finds no
    long form of "FA2E" in "fast and factual exploration (FA2E)", and the right long form of "OMP"
    in "overloaded homogeneous preparation (OMP)".
    """

    def answer(self, question: str) -> Prediction:
        """Mark all acronyms of a text, and the long forms of those that the text defines.

        Args:
            question: Text in which acronyms and long forms are looked for.

        Returns:
            The character offsets of the acronyms and of the long forms.
        """
        acronyms = [
            match.span() for match in _SHORT.finditer(question) if is_acronym_candidate(match[0])
        ]
        return merge(schwartz_hearst(question), acronyms)
