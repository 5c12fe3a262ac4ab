"""s.1 to s.6: concepts by their names' strings (COMETA, section 4)."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

import numpy as np
from rapidfuzz.distance import Prefix

from .....arrays import Ints, Numbers
from .....concepts.trigrams import TrigramIndex
from .....text import merge_key
from ..data import Training
from ..system import NAMES_A_CONCEPT, SYSTEMS, LinkingSystem, Ranking, by_concept


@SYSTEMS.register("s.5 scispacy", "Cosine of trigrams.", "COMETA, section 4")
@dataclass
class CharNgrams(LinkingSystem):
    """Ranks concepts by the score of their best name, among the names nearest by trigrams.

    The score is the cosine of trigrams; subclasses have others.

    Attributes:
        pool: Names compared for a phrase, those with most trigrams in common; None: so many for
            each concept wanted.
        binary: Whether trigrams count once a name.
    """

    pool: int | None = None
    binary: bool = False

    def fit(self, training: Training) -> None:
        """Index the names; nothing is learnt."""
        self.names, self._owners = training.inventory.names, training.inventory.owners
        self.index = TrigramIndex(self.names, binary=self.binary)

    def rank_phrases(self, phrases: Sequence[str], k: int) -> Iterator[Ranking]:
        """None for a phrase that shares no trigram with a name."""
        found = self.index.nearest(phrases, self.pool or NAMES_A_CONCEPT * k)
        for phrase, (numbers, similarities) in zip(phrases, found, strict=True):
            scores = self.score(phrase, numbers, similarities)
            likely = scores > -np.inf
            yield by_concept(numbers[likely], scores[likely], self._owners, k)

    def score(self, phrase: str, numbers: Ints, similarities: Numbers) -> Numbers:
        """The scores of names (by number) for a phrase; -inf for those that are not candidates."""
        return similarities


@SYSTEMS.register("s.1 dictionary", "What training linked a phrase to.", "COMETA, section 4")
@dataclass
class TrainingDictionary(LinkingSystem):
    """Ranks the concepts that a phrase had in training, the most frequent first.

    Phrases are compared without case, punctuation and plural; the score is the concept's share.
    """

    def fit(self, training: Training) -> None:
        """Count the phrases' concepts; ids that the inventory does not have are left out.

        There is nothing to choose, so `dev` is counted, too.
        """
        self.counts: defaultdict[str, Counter[int]] = defaultdict(Counter)
        for one in (*training.train, *training.dev):
            for id in one.concepts:
                if (concept := training.inventory.find(id)) is not None:
                    self.counts[merge_key(one.phrase)][concept] += 1

    def rank_phrases(self, phrases: Sequence[str], k: int) -> Iterator[Ranking]:
        """Concepts of exactly this phrase, none for one that was not seen."""
        for phrase in phrases:
            counts = self.counts.get(merge_key(phrase), Counter())
            yield [(concept, count / counts.total()) for concept, count in counts.most_common(k)]


@SYSTEMS.register("s.2 exact", "Exactly this name.", "COMETA, section 4")
@dataclass
class ExactMatch(LinkingSystem):
    """Ranks the concepts with exactly this name; case, punctuation and plural do not count.

    Concepts of which it is the preferred name come first.
    """

    def fit(self, training: Training) -> None:
        """Keep the inventory, which has an index of its names."""
        self._inventory = training.inventory

    def rank_phrases(self, phrases: Sequence[str], k: int) -> Iterator[Ranking]:
        """The concepts of each phrase, all with the score 1."""
        for phrase in phrases:
            found = sorted(
                self._inventory.lookup(phrase),
                key=lambda one: self._inventory.preferred_name(one).casefold() != phrase.casefold(),
            )
            yield [(concept, 1.0) for concept in found[:k]]


TOGETHER = 64
"""Phrases compared with all names at once: one byte a pair."""


@SYSTEMS.register("s.3 levenshtein", "Ratio of edits.", "COMETA, section 4")
@dataclass
class LevenshteinRatio(LinkingSystem):
    """Ranks concepts by the ratio of their most similar name: 1 - edits / length of the longer.

    A substitution is one edit; scores are in steps of 0.01, which is all that 8 bits hold.
    """

    def fit(self, training: Training) -> None:
        """Fold the names; nothing is learnt."""
        self._owners = training.inventory.owners
        self._names = [name.casefold() for name in training.inventory.names]

    def rank_phrases(self, phrases: Sequence[str], k: int) -> Iterator[Ranking]:
        """Exact: every name is compared."""
        from rapidfuzz import fuzz, process
        from rapidfuzz.distance import Levenshtein

        wanted = min(NAMES_A_CONCEPT * k, len(self._names))
        for first in range(0, len(phrases), TOGETHER):
            some = [phrase.casefold() for phrase in phrases[first : first + TOGETHER]]
            ratios = process.cdist(
                some,
                self._names,
                scorer=Levenshtein.normalized_similarity,
                score_multiplier=100,
                dtype=np.uint8,
            )
            for phrase, row in zip(some, ratios, strict=True):
                near = np.argpartition(-row.astype(np.int16), wanted - 1)[:wanted]
                # Full ratios among the nearest names only, to order those of one step.
                scores = [
                    Levenshtein.normalized_similarity(phrase, self._names[at])
                    + fuzz.token_sort_ratio(phrase, self._names[at]) * 1e-6
                    for at in near
                ]
                yield by_concept(near, np.array(scores), self._owners, k)


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


@SYSTEMS.register("s.4 stoilos", "Stoilos's similarity of strings.", "COMETA, section 4")
@dataclass
class Stoilos(CharNgrams):
    """Ranks concepts by the similarity of their most similar name."""

    pool: int | None = 150  # a common substring of the least length has a common trigram

    def score(self, phrase: str, numbers: Ints, similarities: Numbers) -> Numbers:
        text = normalise(phrase)
        return np.array([stoilos(text, normalise(self.names[at])) for at in numbers])


@SYSTEMS.register("s.6 quickumls", "Jaccard similarity of trigrams.", "COMETA, section 4")
@dataclass
class ApproximateMatch(CharNgrams):
    """Ranks concepts by the Jaccard similarity of trigram sets.

    Attributes:
        threshold: None below it; QuickUMLS's own default.
    """

    pool: int | None = 200
    binary: bool = True
    threshold: float = 0.7

    def score(self, phrase: str, numbers: Ints, similarities: Numbers) -> Numbers:
        """`similarities` are the numbers of common trigrams."""
        sizes = self.index.vectors.indptr[numbers + 1] - self.index.vectors.indptr[numbers]
        jaccard = similarities / (len(self.index.trigrams(phrase)) + sizes - similarities)
        return np.where(jaccard >= self.threshold, jaccard, -np.inf)
