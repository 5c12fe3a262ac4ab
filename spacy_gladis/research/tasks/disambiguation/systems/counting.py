"""Counting baselines: first candidate, popularity, most frequent sense."""

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
    """Choose the first candidate: a baseline that measures the order of the dictionary."""

    def score(self, sample: Sample, candidates: Sequence[Candidate]) -> Doubles:
        """Return 1 for the first candidate and 0 for the others.

        Args:
            sample: Not used by this system.
            candidates: The acronym's candidates.

        Returns:
            Scores, float64 [candidates].
        """
        return np.eye(1, len(candidates), dtype=np.float64).ravel()


@SYSTEMS.register("popularity", "The candidate with the largest count.", "baseline")
@dataclass
class Popularity(DisambiguationSystem):
    """Score a candidate by its share of the counts of all candidates."""

    def score(self, sample: Sample, candidates: Sequence[Candidate]) -> Doubles:
        """Compute each candidate's share of the counts.

        Args:
            sample: Not used by this system.
            candidates: The acronym's candidates.

        Returns:
            Shares, float64 [candidates]. All shares are equal if all counts are 0.
        """
        counts = np.array([candidate.total for candidate in candidates], dtype=np.float64)
        total = counts.sum()
        return counts / total if total else np.full(len(candidates), 1 / len(candidates))


@SYSTEMS.register(
    "popularity-ours", "The candidate with the largest count in our dictionary.", "GLADIS, A.3"
)
@dataclass
class PopularityOurs(Popularity):
    """Popularity by the dictionary's counts, whatever counts the set itself has (GLADIS, A.3)."""

    def fit(self, training: Training) -> None:
        """Look up the set's acronyms in the dictionary.

        Args:
            training: The candidates and the dictionary.
        """
        lookup = training.dictionary.lookup
        self._table = {
            name: recount(options, lookup(name)) for name, options in training.table.items()
        }

    def score(self, sample: Sample, candidates: Sequence[Candidate]) -> Doubles:
        """Compute each candidate's share of the dictionary's counts.

        Args:
            sample: The acronym.
            candidates: The acronym's candidates.

        Returns:
            Shares, float64 [candidates]. All shares are equal if all counts are 0.
        """
        return super().score(sample, self._table.get(sample.acronym, candidates))


@SYSTEMS.register(
    "most-frequent", "The acronym's most frequent meaning in training.", "SciAI/SciAD, section 4"
)
@dataclass
class MostFrequent(DisambiguationSystem):
    """Score a candidate by its share of the acronym's training samples, the SDU tasks' baseline.

    An acronym without training samples gets its first candidate, because all shares are 0.
    """

    def fit(self, training: Training) -> None:
        """Count the long forms of each acronym.

        Args:
            training: Labelled samples.

        Raises:
            InputError: If there are no labelled samples.
        """
        self._counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
        for sample in training.labelled():
            self._counts[sample.acronym][sample.long_form] += 1

    def score(self, sample: Sample, candidates: Sequence[Candidate]) -> Doubles:
        """Compute each candidate's share of the acronym's training samples.

        Args:
            sample: The acronym.
            candidates: The acronym's candidates.

        Returns:
            Shares, float64 [candidates].
        """
        seen = self._counts.get(sample.acronym, Counter())
        counts = np.array([seen[candidate.long_form] for candidate in candidates], dtype=np.float64)
        return counts / max(1, seen.total())
