"""The systems `s.1` to `s.6`: ranking of concepts by the similarity of strings.

COMETA, section 4.1, describes these systems. The paper's s.5, cTAKES, is a separate program and is
not included. It is replaced by `trigrams`, which is scispaCy's candidate generator.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from typing import ClassVar

import numpy as np
from rapidfuzz import process
from rapidfuzz.distance import JaroWinkler, Levenshtein
from sklearn.feature_extraction.text import CountVectorizer

from .....arrays import Ints, Numbers
from .....concepts.trigrams import TrigramIndex
from ..data import Training
from ..system import NAMES_A_CONCEPT, SYSTEMS, LinkingSystem, Ranking, by_concept


@SYSTEMS.register("trigrams", "Cosine of trigrams, as in scispaCy.", "scispaCy")
@dataclass
class CharNgrams(LinkingSystem):
    """Links phrases by the character trigrams that they have in common with names of concepts.

    A concept is ranked by its most similar name. The similarity is the cosine of trigrams. A
    subclass can override `score` to use another similarity.

    Attributes:
        pool: Number of names that are compared with a phrase. These are the names that the trigram
            index finds to be most similar. None for `NAMES_A_CONCEPT` names for each concept to
            return.
        binary: Whether a trigram counts only once if a name contains it several times.
    """

    pool: int | None = None
    binary: bool = False

    def fit(self, training: Training) -> None:
        """Index the trigrams of all names in the inventory. Nothing is trained.

        Args:
            training: Training data, of which only the inventory is used.
        """
        self.names, self._owners = training.inventory.names, training.inventory.owners
        self.index = TrigramIndex(self.names, binary=self.binary)

    def rank_phrases(self, phrases: Sequence[str], k: int) -> Iterator[Ranking]:
        """Rank concepts by the similarity between each phrase and the concept's best name.

        Args:
            phrases: Phrases to link, without duplicates.
            k: Maximum number of concepts to return for a phrase.

        Yields:
            For each phrase, pairs of a concept's index in the inventory and its score. The best
            concept comes first. The list is empty if no name has a trigram in common with the
            phrase.
        """
        nearest = self.index.nearest(phrases, self.pool or NAMES_A_CONCEPT * k)
        for phrase, (numbers, similarities) in zip(phrases, nearest, strict=True):
            scores = self.score(phrase, numbers, similarities)
            likely = scores > -np.inf
            yield by_concept(numbers[likely], scores[likely], self._owners, k)

    def score(self, phrase: str, numbers: Ints, similarities: Numbers) -> Numbers:
        """Compute the scores of names of concepts for a phrase.

        Args:
            phrase: Phrase to link.
            numbers: Indices of the names to score, int [names].
            similarities: Similarities of these names to the phrase, as the trigram index computes
                them, [names].

        Returns:
            The scores, [names]. A name with the score -inf is rejected.
        """
        return similarities


@SYSTEMS.register(
    "s.1 dictionary", "The concept that the training part links the term to.", "COMETA, section 4.1"
)
@dataclass
class TrainingDictionary(LinkingSystem):
    """Links a phrase to the concepts that it is linked to in the training part.

    The score of a concept is its share of the phrase's training mentions. Upper and lower case are
    not distinguished.
    """

    def fit(self, training: Training) -> None:
        """Count how often each training phrase is linked to each concept of the inventory.

        Args:
            training: Inventory of concepts, and the linked training phrases.
        """
        self.counts: defaultdict[str, Counter[int]] = defaultdict(Counter)
        for mention in training.train:
            self.counts[mention.phrase.lower()].update(
                sorted(training.inventory.find_all(mention.concepts))
            )

    def rank_phrases(self, phrases: Sequence[str], k: int) -> Iterator[Ranking]:
        """Rank concepts by how often each phrase is linked to them in the training part.

        Args:
            phrases: Phrases to link, without duplicates.
            k: Maximum number of concepts to return for a phrase.

        Yields:
            For each phrase, pairs of a concept's index in the inventory and its score, 0..1. The
            most frequent concept comes first. The list is empty for phrases that do not occur in
            the training part.
        """
        for phrase in phrases:
            counts = self.counts.get(phrase.lower(), Counter())
            yield [(concept, count / counts.total()) for concept, count in counts.most_common(k)]


@SYSTEMS.register("s.2 exact", "The concept with exactly this label.", "COMETA, section 4.1")
@dataclass
class ExactMatch(LinkingSystem):
    """Links a phrase to the concepts that have it as a name, except for differences in case.

    If several concepts have the same name, they are ranked in the order of the inventory. The paper
    does not say which of them it chooses.
    """

    def fit(self, training: Training) -> None:
        """Index the names of all concepts in lower case. Nothing is trained.

        Args:
            training: Training data, of which only the inventory is used.
        """
        self.concepts: defaultdict[str, dict[int, float]] = defaultdict(dict)
        names, owners = training.inventory.names, training.inventory.owners.tolist()
        for name, concept in zip(names, owners, strict=True):
            self.concepts[name.lower()][concept] = 1.0

    def rank_phrases(self, phrases: Sequence[str], k: int) -> Iterator[Ranking]:
        """Find the concepts that have each phrase as a name.

        Args:
            phrases: Phrases to link, without duplicates.
            k: Maximum number of concepts to return for a phrase.

        Yields:
            For each phrase, pairs of a concept's index in the inventory and the score 1. The list
            is empty if no concept has this name.
        """
        for phrase in phrases:
            yield list(self.concepts.get(phrase.lower(), {}).items())[:k]


@dataclass
class EditDistance(LinkingSystem):
    """Base class of systems that compare a phrase with all names of concepts, in lower case.

    These systems have an answer for every phrase. The paper tunes both distances on the development
    part (section 4.1). Here, only chains of systems use a threshold (`BackOff`).
    """

    tuned: ClassVar[bool] = True

    def fit(self, training: Training) -> None:
        """Store the names of all concepts in lower case. Nothing is trained.

        Args:
            training: Training data, of which only the inventory is used.
        """
        self._owners = training.inventory.owners
        self._names = [name.lower() for name in training.inventory.names]


TOGETHER = 64
"""Number of phrases that are compared with all names in one batch."""


@SYSTEMS.register("s.3 levenshtein", "Levenshtein similarity of names.", "COMETA, section 4.1")
@dataclass
class LevenshteinRatio(EditDistance):
    """Links phrases by the Levenshtein similarity of each concept's most similar name.

    The similarity is 1 minus the number of edits divided by the length of the longer string. If
    several concepts are equally similar, their order is arbitrary.
    """

    def rank_phrases(self, phrases: Sequence[str], k: int) -> Iterator[Ranking]:
        """Rank concepts by the Levenshtein similarity of each phrase to all of their names.

        Args:
            phrases: Phrases to link, without duplicates.
            k: Maximum number of concepts to return for a phrase.

        Yields:
            For each phrase, pairs of a concept's index in the inventory and its similarity, 0..1.
            The best concept comes first.
        """
        similarity = Levenshtein.normalized_similarity
        wanted = min(NAMES_A_CONCEPT * k, len(self._names))
        for first in range(0, len(phrases), TOGETHER):
            terms = [phrase.lower() for phrase in phrases[first : first + TOGETHER]]
            for row in process.cdist(terms, self._names, scorer=similarity, dtype=np.float32):
                near = np.argpartition(-row, wanted - 1)[:wanted]
                yield by_concept(near, row[near], self._owners, k)


P = 0.6
"""Parameter of the Hamacher product in the Stoilos similarity."""
SHORTEST = 3
"""Minimum number of characters of a common substring. Shorter substrings are ignored."""


def stoilos(first: str, second: str) -> float:
    """Compute the Stoilos similarity of two strings, comm - diff + winkler (COMETA, appendix A.6).

    - comm measures what the strings have in common. Common substrings are removed one after
      another, starting with the longest. Twice their total length is divided by the mean length of
      the two strings, as the appendix prints it. Equal strings therefore have a comm of 2.
    - diff measures the differences. It is the Hamacher product of the shares of both strings that
      were not removed.
    - winkler is the Jaro-Winkler similarity of the two strings.

    Args:
        first: First string to compare.
        second: Second string to compare.

    Returns:
        The similarity, which is 3 for equal strings of at least `SHORTEST` characters and never
        larger.
    """
    parts = (np.array([part]) for part in (_matched(first, second), len(first), len(second)))
    return float(_common_less_different(*parts)[0]) + JaroWinkler.similarity(first, second)


def _common_less_different(matched: Numbers, first: Numbers, second: Numbers) -> Numbers:
    """Return comm - diff of pairs of strings, from their numbers of matched and all characters."""
    a, b = 1 - matched / np.maximum(first, 1), 1 - matched / np.maximum(second, 1)
    different = a * b / (P + (1 - P) * (a + b - a * b))
    common: Numbers = 2 * matched / np.maximum((first + second) / 2, 1) - different
    return common


def _matched(first: str, second: str) -> int:
    """Return the total length of the common substrings, removed from the longest downwards."""
    length = 0
    while first and second:
        match = SequenceMatcher(None, first, second, autojunk=False).find_longest_match()
        if match.size < SHORTEST:
            break
        length += match.size
        first = first[: match.a] + first[match.a + match.size :]
        second = second[: match.b] + second[match.b + match.size :]
    return length


@SYSTEMS.register("s.4 stoilos", "Stoilos similarity of names.", "COMETA, section 4.1")
@dataclass
class Stoilos(EditDistance):
    """Links phrases by the Stoilos similarity of each concept's most similar name.

    The similarity (`stoilos`) is slow to compute. Names are therefore compared in the order of an
    upper bound, which counts all shared characters as matched. The comparison stops when no other
    name can be among the best. The ranking is the same as if all names were compared.
    """

    _ranked: dict[str, Ranking] = field(default_factory=dict, init=False, repr=False)

    def fit(self, training: Training) -> None:
        """Count how often each character occurs in each name of a concept. Nothing is trained.

        The upper bounds of the similarities are computed from these counts.

        Args:
            training: Training data, of which only the inventory is used.
        """
        super().fit(training)
        self._characters = CountVectorizer(analyzer="char", dtype=np.uint8)
        self._counts = self._characters.fit_transform(self._names).toarray()
        self._lengths = np.array(list(map(len, self._names)))
        self._ranked = {}

    def rank_phrases(self, phrases: Sequence[str], k: int) -> Iterator[Ranking]:
        """Rank concepts by the Stoilos similarity of each phrase to their best name.

        Args:
            phrases: Phrases to link, without duplicates.
            k: Maximum number of concepts to return for a phrase.

        Yields:
            For each phrase, pairs of a concept's index in the inventory and its similarity. The
            best concept comes first.
        """
        for phrase in phrases:
            if len(self._ranked.get(phrase, ())) < k:
                self._ranked[phrase] = self._rank(phrase.lower(), k)
            yield self._ranked[phrase][:k]

    def _rank(self, term: str, k: int) -> Ranking:
        (winkler,) = process.cdist(
            [term], self._names, scorer=JaroWinkler.similarity, dtype=np.float32
        )
        shared = np.minimum(self._counts, self._characters.transform([term]).toarray()).sum(
            1, dtype=np.int64
        )
        shared[shared < SHORTEST] = 0
        length = np.array(len(term))
        bounds = _common_less_different(shared, length, self._lengths) + winkler
        best: dict[int, float] = {}
        least = -np.inf
        for name in np.argsort(-bounds, kind="stable"):
            if bounds[name] <= least:
                break
            concept, score = int(self._owners[name]), stoilos(term, self._names[name])
            if score > best.get(concept, least):
                best[concept] = score
                if len(best) >= k:
                    least = sorted(best.values())[-k]
        return sorted(best.items(), key=lambda pair: -pair[1])[:k]


@SYSTEMS.register("s.6 quickumls", "Jaccard similarity of trigrams.", "COMETA, section 4.1")
@dataclass
class ApproximateMatch(CharNgrams):
    """Links phrases by the Jaccard similarity between the trigrams of the phrase and of names.

    This is a reimplementation of QuickUMLS with its default settings. It reads only the phrase. The
    paper lets QuickUMLS read the full text, which is slightly better (COMETA, section 4.1, footnote
    9).

    Attributes:
        pool: Number of names that are compared with a phrase.
        binary: Whether a trigram counts only once if a name contains it several times.
        threshold: Minimum similarity of a name, 0..1. Less similar names are rejected.
    """

    pool: int | None = 200
    binary: bool = True
    threshold: float = 0.7

    def score(self, phrase: str, numbers: Ints, similarities: Numbers) -> Numbers:
        """Compute the Jaccard similarities between a phrase and names of concepts.

        Args:
            phrase: Phrase to link.
            numbers: Indices of the names to score, int [names].
            similarities: Number of trigrams that each name has in common with the phrase, [names].

        Returns:
            The similarities, [names]. -inf for names below the threshold.
        """
        sizes = self.index.vectors.indptr[numbers + 1] - self.index.vectors.indptr[numbers]
        jaccard = similarities / (len(self.index.trigrams(phrase)) + sizes - similarities)
        return np.where(jaccard >= self.threshold, jaccard, -np.inf)
