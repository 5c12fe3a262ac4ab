"""Choose the long form most frequent in the training samples (the SDU shared tasks' baseline)."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

import numpy as np

from ....dictionary import Candidate
from ...datasets.sample import Sample
from .protocol import Baseline, Floats


class MostFrequent(Baseline):
    """Scores a candidate by its share of the acronym's training samples.

    An acronym that was not seen in training gets its first candidate: all shares are zero.
    """

    def __init__(self) -> None:
        self._counts: defaultdict[str, Counter[str]] = defaultdict(Counter)

    def fit(self, samples: Iterable[Sample], development: Iterable[Sample] = ()) -> None:
        """Count the long forms of each acronym; adds to what was counted before."""
        for sample in samples:
            self._counts[sample.acronym][sample.long_form] += 1

    def score(self, sample: Sample, options: Sequence[Candidate]) -> Floats:
        """Shares of the acronym's training samples."""
        seen = self._counts.get(sample.acronym, Counter())
        counts = np.array([seen[candidate.long_form] for candidate in options], dtype=np.float64)
        return counts / max(1, seen.total())
