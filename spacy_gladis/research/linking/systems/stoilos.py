"""s.4: the similarity of Stoilos, Stamou and Kollias (2005), as in COMETA's appendix A.6."""

from difflib import SequenceMatcher

import numpy as np
from rapidfuzz.distance import Prefix

from ....arrays import Ints, Numbers
from .char_ngrams import CharNgrams

P = 0.6
"""The parameter of Hamacher's product, by which differences count less than what is common."""
SHORTEST = 3
"""Characters; shorter common substrings are chance."""


def stoilos(first: str, second: str) -> float:
    """Commonality - difference + Winkler's bonus for a common beginning, in -1..1.

    Commonality: twice the summed length of the common substrings, the longest taken out first, by
    the length of both. Difference: Hamacher's product of the shares left over, with P. Winkler:
    0.1 for each of the first four characters that agree, times 1 - commonality.
    """
    if not first or not second:
        return 1.0 if first == second else -1.0
    left, right = _left_over(first, second)
    common = (len(first) - len(left)) + (len(second) - len(right))
    commonality = common / (len(first) + len(second))
    a, b = len(left) / len(first), len(right) / len(second)
    difference = a * b / (P + (1 - P) * (a + b - a * b))
    prefix = min(4, Prefix.similarity(first, second))
    return commonality - difference + 0.1 * prefix * (1 - commonality)


def _left_over(first: str, second: str) -> tuple[str, str]:
    """Both strings without their common substrings."""
    while first and second:
        match = SequenceMatcher(None, first, second, autojunk=False).find_longest_match()
        if match.size < SHORTEST:
            break
        first = first[: match.a] + first[match.a + match.size :]
        second = second[: match.b] + second[match.b + match.size :]
    return first, second


def normalise(text: str) -> str:
    """Lower case, without the characters that the published program drops: `.`, `_` and blanks."""
    return text.lower().replace(".", "").replace("_", "").replace(" ", "")


class Stoilos(CharNgrams):
    """Ranks concepts by the similarity of their most similar name."""

    pool = 150  # a common substring of the least length has a common trigram

    def score(self, phrase: str, numbers: Ints, similarities: Numbers) -> Numbers:
        text = normalise(phrase)
        return np.array([stoilos(text, normalise(self.names[at])) for at in numbers])
