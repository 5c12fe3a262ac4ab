"""s.1 to s.6: concepts by their names' strings (COMETA, section 4.1).

The paper's cTAKES (s.5) is a program of its own; scispaCy's candidate generator, `trigrams`, is
here in its place.
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


@SYSTEMS.register("trigrams", "Cosine of trigrams, as scispaCy has it.", "scispaCy")
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


@SYSTEMS.register("s.1 dictionary", "What training linked a term to.", "COMETA, section 4.1")
@dataclass
class TrainingDictionary(LinkingSystem):
    """Ranks the concepts that a term had in the training part, the most frequent first.

    Case does not count; the score is the concept's share.
    """

    def fit(self, training: Training) -> None:
        """Count the terms' concepts; ids that the inventory does not have are left out."""
        self.counts: defaultdict[str, Counter[int]] = defaultdict(Counter)
        for mention in training.train:
            self.counts[mention.phrase.lower()].update(
                sorted(training.inventory.find_all(mention.concepts))
            )

    def rank_phrases(self, phrases: Sequence[str], k: int) -> Iterator[Ranking]:
        """Concepts of exactly this term, none for one that was not seen."""
        for phrase in phrases:
            counts = self.counts.get(phrase.lower(), Counter())
            yield [(concept, count / counts.total()) for concept, count in counts.most_common(k)]


@SYSTEMS.register("s.2 exact", "Exactly one of its labels.", "COMETA, section 4.1")
@dataclass
class ExactMatch(LinkingSystem):
    """Ranks the concepts of which the term, in lower case, is a label."""

    def fit(self, training: Training) -> None:
        """Index all labels."""
        self.concepts: defaultdict[str, dict[int, float]] = defaultdict(dict)
        names, owners = training.inventory.names, training.inventory.owners.tolist()
        for name, concept in zip(names, owners, strict=True):
            self.concepts[name.lower()][concept] = 1.0

    def rank_phrases(self, phrases: Sequence[str], k: int) -> Iterator[Ranking]:
        """The concepts of each term, all with the score 1."""
        for phrase in phrases:
            yield list(self.concepts.get(phrase.lower(), {}).items())[:k]


@dataclass
class EditDistance(LinkingSystem):
    """Compares a term with all labels in lower case; a subclass scores them."""

    tuned: ClassVar[bool] = True

    def fit(self, training: Training) -> None:
        """Keep the labels; nothing is learnt."""
        self._owners = training.inventory.owners
        self._names = [name.lower() for name in training.inventory.names]


TOGETHER = 64
"""Terms compared with all names at once."""


@SYSTEMS.register("s.3 levenshtein", "Levenshtein ratio.", "COMETA, section 4.1")
@dataclass
class LevenshteinRatio(EditDistance):
    """Ranks concepts by their most similar label: 1 - edits / length of the longer string."""

    def rank_phrases(self, phrases: Sequence[str], k: int) -> Iterator[Ranking]:
        """Exact: every label is compared."""
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
"""Characters; shorter common substrings are not considered."""


def stoilos(first: str, second: str) -> float:
    """Score two strings by comm - diff + winkler (COMETA, appendix A.6).

    comm: twice the summed length of the common substrings, the longest removed first, by half the
    summed length of the strings, as the appendix prints it: 2 for equal strings. diff: Hamacher's
    product of the shares left over. winkler: Jaro-Winkler similarity.
    """
    parts = (np.array([part]) for part in (_matched(first, second), len(first), len(second)))
    return float(_common_less_different(*parts)[0]) + JaroWinkler.similarity(first, second)


def _common_less_different(matched: Numbers, first: Numbers, second: Numbers) -> Numbers:
    """comm - diff of pairs of strings by the characters matched and by their lengths."""
    a, b = 1 - matched / np.maximum(first, 1), 1 - matched / np.maximum(second, 1)
    different = a * b / (P + (1 - P) * (a + b - a * b))
    common: Numbers = 2 * matched / np.maximum((first + second) / 2, 1) - different
    return common


def _matched(first: str, second: str) -> int:
    """The summed length of the common substrings."""
    found = 0
    while first and second:
        match = SequenceMatcher(None, first, second, autojunk=False).find_longest_match()
        if match.size < SHORTEST:
            break
        found += match.size
        first = first[: match.a] + first[match.a + match.size :]
        second = second[: match.b] + second[match.b + match.size :]
    return found


@SYSTEMS.register("s.4 stoilos", "Stoilos distance.", "COMETA, section 4.1")
@dataclass
class Stoilos(EditDistance):
    """Ranks concepts by the similarity of their most similar label.

    Every label counts. Labels are scored in the order of an upper bound, in which all characters
    that two strings share are matched, until no other label can be among the best.
    """

    _ranked: dict[str, Ranking] = field(default_factory=dict, init=False, repr=False)

    def fit(self, training: Training) -> None:
        """Count the characters of the labels."""
        super().fit(training)
        self._characters = CountVectorizer(analyzer="char", dtype=np.uint8)
        self._counts = self._characters.fit_transform(self._names).toarray()
        self._lengths = np.array(list(map(len, self._names)))
        self._ranked = {}

    def rank_phrases(self, phrases: Sequence[str], k: int) -> Iterator[Ranking]:
        """Rank concepts; a term is ranked once."""
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
