"""Choose the first candidate of the list, whatever it is."""

from collections.abc import Iterable, Sequence

import numpy as np

from ....dictionary import Candidate
from ...datasets.sample import Sample
from .protocol import Scores


class FirstCandidate:
    """The baseline for every other system: what the order of the dictionary alone is worth."""

    def fit(self, samples: Iterable[Sample], development: Iterable[Sample] = ()) -> None:
        """Nothing to learn."""

    def predict(
        self, samples: Sequence[Sample], candidates: Sequence[Sequence[Candidate]]
    ) -> Scores:
        """1 for the first candidate, 0 for the others."""
        return [np.eye(1, len(options))[0] for options in candidates]
