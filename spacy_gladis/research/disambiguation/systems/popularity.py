"""Choose the candidate that the dictionary has seen most often (GLADIS, Table 5)."""

from collections.abc import Sequence

import numpy as np

from ....dictionary import Candidate
from ...datasets.sample import Sample
from .protocol import Baseline, Floats


class Popularity(Baseline):
    """Scores a candidate by its share of the counts of all candidates."""

    def score(self, sample: Sample, options: Sequence[Candidate]) -> Floats:
        """Shares of the counts; equal shares where nothing is counted."""
        counts = np.array([candidate.total for candidate in options], dtype=np.float64)
        total = counts.sum()
        return counts / total if total else np.full(len(options), 1 / max(1, len(options)))
