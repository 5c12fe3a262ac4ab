"""Systems that count: first candidate, popularity, most frequent meaning."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from .....arrays import Doubles
from .....dictionary import Candidate
from ....datasets.sample import Sample
from ..data import Training
from ..sets import recount
from ..system import SYSTEMS, DisambiguationSystem


@SYSTEMS.register("first", "The first candidate of the dictionary.", "baseline")
@dataclass
class FirstCandidate(DisambiguationSystem):
    """The baseline for every other system: what the order of the dictionary alone is worth."""

    def score(self, sample: Sample, candidates: Sequence[Candidate]) -> Doubles:
        """1 for the first candidate, 0 for the others."""
        return np.eye(1, len(candidates), dtype=np.float64).ravel()


@SYSTEMS.register("popularity", "The candidate with the largest count.", "baseline")
@dataclass
class Popularity(DisambiguationSystem):
    """A candidate's share of the dictionary's counts of all candidates."""

    def score(self, sample: Sample, candidates: Sequence[Candidate]) -> Doubles:
        """Shares of the counts; equal shares where nothing is counted."""
        counts = np.array([candidate.total for candidate in candidates], dtype=np.float64)
        total = counts.sum()
        return counts / total if total else np.full(len(candidates), 1 / len(candidates))


@SYSTEMS.register(
    "popularity-ours", "The candidate with the largest count in our dictionary.", "GLADIS, A.3"
)
@dataclass
class PopularityOurs(Popularity):
    """Popularity by the counts of mined text, whatever counts the set itself carries."""

    def fit(self, training: Training) -> None:
        """Look the acronyms of the set up in the dictionary."""
        lookup = training.dictionary.lookup
        self._table = {
            name: recount(options, lookup(name)) for name, options in training.table.items()
        }

    def score(self, sample: Sample, candidates: Sequence[Candidate]) -> Doubles:
        """Shares of the dictionary's counts."""
        return super().score(sample, self._table.get(sample.acronym, candidates))


@SYSTEMS.register(
    "most-frequent", "The acronym's most frequent meaning in training.", "SciAI/SciAD, section 4"
)
@dataclass
class MostFrequent(DisambiguationSystem):
    """A candidate's share of the acronym's training samples (the SDU shared tasks' baseline).

    An acronym that training does not show gets its first candidate: all shares are zero.
    """

    def fit(self, training: Training) -> None:
        """Count the long forms of each acronym."""
        self._counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
        for sample in training.labelled():
            self._counts[sample.acronym][sample.long_form] += 1

    def score(self, sample: Sample, candidates: Sequence[Candidate]) -> Doubles:
        """Shares of the training samples."""
        seen = self._counts.get(sample.acronym, Counter())
        counts = np.array([seen[one.long_form] for one in candidates], dtype=np.float64)
        return counts / max(1, seen.total())
