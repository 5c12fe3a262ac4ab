"""Choose the first candidate of the list, whatever it is."""

from collections.abc import Sequence

import numpy as np

from ....dictionary import Candidate
from ...datasets.sample import Sample
from .protocol import Baseline, Floats


class FirstCandidate(Baseline):
    """The baseline for every other system: what the order of the dictionary alone is worth."""

    def score(self, sample: Sample, options: Sequence[Candidate]) -> Floats:
        """1 for the first candidate, 0 for the others."""
        return np.eye(1, len(options), dtype=np.float64).ravel()
