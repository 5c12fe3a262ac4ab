"""The baselines that read no context: they count, or take the first candidate of the list."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

import numpy as np

from ....arrays import Doubles
from ....dictionary import Candidate
from ...datasets.sample import Sample
from .protocol import Baseline


class FirstCandidate(Baseline):
    """The baseline for every other system: what the order of the dictionary alone is worth."""

    def score(self, sample: Sample, options: Sequence[Candidate]) -> Doubles:
        """1 for the first candidate, 0 for the others."""
        return np.eye(1, len(options), dtype=np.float64).ravel()


class Popularity(Baseline):
    """A candidate's share of the dictionary's counts of all candidates (GLADIS, Table 5)."""

    def score(self, sample: Sample, options: Sequence[Candidate]) -> Doubles:
        """Shares of the counts; equal shares where nothing is counted."""
        counts = np.array([candidate.total for candidate in options], dtype=np.float64)
        total = counts.sum()
        return counts / total if total else np.full(len(options), 1 / max(1, len(options)))


class MostFrequent(Baseline):
    """A candidate's share of the acronym's training samples (the SDU shared tasks' baseline).

    An acronym that was not seen in training gets its first candidate: all shares are zero.
    """

    def __init__(self) -> None:
        self._counts: defaultdict[str, Counter[str]] = defaultdict(Counter)

    def fit(self, samples: Iterable[Sample], development: Iterable[Sample] = ()) -> None:
        """Count the long forms of each acronym; adds to what was counted before."""
        for sample in samples:
            self._counts[sample.acronym][sample.long_form] += 1

    def score(self, sample: Sample, options: Sequence[Candidate]) -> Doubles:
        seen = self._counts.get(sample.acronym, Counter())
        counts = np.array([seen[candidate.long_form] for candidate in options], dtype=np.float64)
        return counts / max(1, seen.total())
