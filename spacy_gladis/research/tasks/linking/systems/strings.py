"""Systems s.1 to s.6: ranking of concepts by string similarity (COMETA, section 4.1).

The paper's cTAKES (s.5) is a separate program. scispaCy's candidate generator, `trigrams`, takes
its place.
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
    """Ranks concepts by the similarity of their best name, among names that share trigrams.

    The score is the cosine of trigrams. Subclasses override `score`.

    Attributes:
        pool: Number of names to compare with a phrase, those with most trigrams in common. None for
            `NAMES_A_CONCEPT` names per concept to return.
        binary: Whether a trigram counts once per name.
    """

    pool: int | None = None
    binary: bool = False

    def fit(self, training: Training) -> None:
        """Index the names.

        Args:
            training: The inventory of concepts and the linked training phrases.
        """
        self.names, self._owners = training.inventory.names, training.inventory.owners
        self.index = TrigramIndex(self.names, binary=self.binary)

    def rank_phrases(self, phrases: Sequence[str], k: int) -> Iterator[Ranking]:
        """Rank concepts for each phrase.

        A phrase that has no trigram in common with any name gets an empty ranking.

        Args:
            phrases: The distinct phrases to link.
            k: Maximum number of concepts to return.

        Yields:
            For each phrase, its concepts with their scores, best first.
        """
        nearest = self.index.nearest(phrases, self.pool or NAMES_A_CONCEPT * k)
        for phrase, (numbers, similarities) in zip(phrases, nearest, strict=True):
            scores = self.score(phrase, numbers, similarities)
            likely = scores > -np.inf
            yield by_concept(numbers[likely], scores[likely], self._owners, k)

    def score(self, phrase: str, numbers: Ints, similarities: Numbers) -> Numbers:
        """Compute the scores of candidate names for a phrase.

        Args:
            phrase: The phrase.
            numbers: Numbers of the names, int [names].
            similarities: The index's similarities of phrase and names, [names].

        Returns:
            Scores [names]. Names with -inf are rejected.
        """
        return similarities


@SYSTEMS.register(
    "s.1 dictionary", "The concept that the training part links the term to.", "COMETA, section 4.1"
)
@dataclass
class TrainingDictionary(LinkingSystem):
    """Ranks the concepts that a term is linked to in the training part, the most frequent first.

    Case is ignored. The score is the concept's share of the term's mentions.
    """

    def fit(self, training: Training) -> None:
        """Count how often each training term is linked to each concept of the inventory.

        Args:
            training: The inventory of concepts and the linked training phrases.
        """
        self.counts: defaultdict[str, Counter[int]] = defaultdict(Counter)
        for mention in training.train:
            self.counts[mention.phrase.lower()].update(
                sorted(training.inventory.find_all(mention.concepts))
            )

    def rank_phrases(self, phrases: Sequence[str], k: int) -> Iterator[Ranking]:
        """Rank the concepts of each term by frequency. An unseen term gets an empty ranking.

        Args:
            phrases: The distinct phrases to link.
            k: Maximum number of concepts to return.

        Yields:
            For each phrase, its concepts with their scores, best first.
        """
        for phrase in phrases:
            counts = self.counts.get(phrase.lower(), Counter())
            yield [(concept, count / counts.total()) for concept, count in counts.most_common(k)]


@SYSTEMS.register("s.2 exact", "The concept with exactly this label.", "COMETA, section 4.1")
@dataclass
class ExactMatch(LinkingSystem):
    """Ranks the concepts that have the term as a label, ignoring case."""

    def fit(self, training: Training) -> None:
        """Index all labels.

        Args:
            training: The inventory of concepts and the linked training phrases.
        """
        self.concepts: defaultdict[str, dict[int, float]] = defaultdict(dict)
        names, owners = training.inventory.names, training.inventory.owners.tolist()
        for name, concept in zip(names, owners, strict=True):
            self.concepts[name.lower()][concept] = 1.0

    def rank_phrases(self, phrases: Sequence[str], k: int) -> Iterator[Ranking]:
        """Return the concepts that have the term as a label, all with score 1.

        Args:
            phrases: The distinct phrases to link.
            k: Maximum number of concepts to return.

        Yields:
            For each phrase, its concepts with their scores, best first.
        """
        for phrase in phrases:
            yield list(self.concepts.get(phrase.lower(), {}).items())[:k]


@dataclass
class EditDistance(LinkingSystem):
    """Base class of systems that compare a lower-cased term with all lower-cased labels."""

    tuned: ClassVar[bool] = True

    def fit(self, training: Training) -> None:
        """Store the labels of the inventory in lower case.

        Args:
            training: The inventory of concepts and the linked training phrases.
        """
        self._owners = training.inventory.owners
        self._names = [name.lower() for name in training.inventory.names]


TOGETHER = 64
"""Number of terms that are compared with all names in one batch."""


@SYSTEMS.register("s.3 levenshtein", "Levenshtein ratio.", "COMETA, section 4.1")
@dataclass
class LevenshteinRatio(EditDistance):
    """Ranks concepts by their most similar label.

    The similarity is 1 - edits / length of the longer string.
    """

    def rank_phrases(self, phrases: Sequence[str], k: int) -> Iterator[Ranking]:
        """Rank concepts for each term by comparing it with every label.

        Args:
            phrases: The distinct phrases to link.
            k: Maximum number of concepts to return.

        Yields:
            For each phrase, its concepts with their scores, best first.
        """
        similarity = Levenshtein.normalized_similarity
        wanted = min(NAMES_A_CONCEPT * k, len(self._names))
        for first in range(0, len(phrases), TOGETHER):
            terms = [phrase.lower() for phrase in phrases[first : first + TOGETHER]]
            for row in process.cdist(terms, self._names, scorer=similarity, dtype=np.float32):
                near = np.argpartition(-row, wanted - 1)[:wanted]
                yield by_concept(near, row[near], self._owners, k)


P = 0.6
"""The parameter of Hamacher's product."""
SHORTEST = 3
"""Minimum number of characters of a common substring. Shorter ones are ignored."""


def stoilos(first: str, second: str) -> float:
    """Score two strings by comm - diff + winkler (COMETA, appendix A.6).

    comm is twice the summed length of the common substrings, the longest removed first, divided by
    half the summed length of the strings, as the appendix prints it: 2 for equal strings. diff is
    Hamacher's product of the unmatched shares of both strings. winkler is the Jaro-Winkler
    similarity.

    Args:
        first: A string.
        second: Another string.

    Returns:
        The score, at most 3.
    """
    parts = (np.array([part]) for part in (_matched(first, second), len(first), len(second)))
    return float(_common_less_different(*parts)[0]) + JaroWinkler.similarity(first, second)


def _common_less_different(matched: Numbers, first: Numbers, second: Numbers) -> Numbers:
    """Return comm - diff of pairs of strings, from their matched characters and lengths."""
    a, b = 1 - matched / np.maximum(first, 1), 1 - matched / np.maximum(second, 1)
    different = a * b / (P + (1 - P) * (a + b - a * b))
    common: Numbers = 2 * matched / np.maximum((first + second) / 2, 1) - different
    return common


def _matched(first: str, second: str) -> int:
    """Return the summed length of the common substrings."""
    length = 0
    while first and second:
        match = SequenceMatcher(None, first, second, autojunk=False).find_longest_match()
        if match.size < SHORTEST:
            break
        length += match.size
        first = first[: match.a] + first[match.a + match.size :]
        second = second[: match.b] + second[match.b + match.size :]
    return length


@SYSTEMS.register("s.4 stoilos", "Stoilos distance.", "COMETA, section 4.1")
@dataclass
class Stoilos(EditDistance):
    """Ranks concepts by the Stoilos similarity (`stoilos`) of their most similar label.

    Labels are scored in the order of an upper bound of the similarity, which counts all shared
    characters as matched. Scoring stops when no other label can be among the best, so the ranking
    is exact.
    """

    _ranked: dict[str, Ranking] = field(default_factory=dict, init=False, repr=False)

    def fit(self, training: Training) -> None:
        """Count how often each character occurs in each label of the inventory.

        The counts give the upper bounds of the similarities.

        Args:
            training: The inventory of concepts and the linked training phrases.
        """
        super().fit(training)
        self._characters = CountVectorizer(analyzer="char", dtype=np.uint8)
        self._counts = self._characters.fit_transform(self._names).toarray()
        self._lengths = np.array(list(map(len, self._names)))
        self._ranked = {}

    def rank_phrases(self, phrases: Sequence[str], k: int) -> Iterator[Ranking]:
        """Rank concepts for each distinct term by the Stoilos similarity.

        Args:
            phrases: The distinct phrases to link.
            k: Maximum number of concepts to return.

        Yields:
            For each phrase, its concepts with their scores, best first.
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
    """Ranks concepts by the Jaccard similarity of trigram sets.

    Reimplemented with QuickUMLS's defaults. It reads the term alone, while the paper gives
    QuickUMLS the full text, which is slightly better (COMETA, section 4.1, footnote 9).

    Attributes:
        pool: Number of names to compare with a phrase.
        binary: Whether a trigram counts once per name.
        threshold: Minimum similarity of a candidate. The default is QuickUMLS's.
    """

    pool: int | None = 200
    binary: bool = True
    threshold: float = 0.7

    def score(self, phrase: str, numbers: Ints, similarities: Numbers) -> Numbers:
        """Return Jaccard similarities.

        Args:
            phrase: The phrase.
            numbers: Numbers of the names, int [names].
            similarities: Numbers of common trigrams, [names].

        Returns:
            Similarities [names]. -inf for names below the threshold.
        """
        sizes = self.index.vectors.indptr[numbers + 1] - self.index.vectors.indptr[numbers]
        jaccard = similarities / (len(self.index.trigrams(phrase)) + sizes - similarities)
        return np.where(jaccard >= self.threshold, jaccard, -np.inf)
