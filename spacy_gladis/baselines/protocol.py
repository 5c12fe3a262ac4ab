"""What a baseline for disambiguation offers."""

from collections.abc import Iterable, Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from ..corpus.sample import Sample
from ..dictionary import Candidate

Floats = NDArray[np.float64]

Scores = list[Floats]
"""For each sample one number a candidate, in the candidates' order; the largest is the answer."""


class Baseline(Protocol):
    """A system that may learn from samples and scores each sample's candidates.

    `sample.long_form` is the answer: `predict` must not look at it.
    """

    def fit(self, samples: Iterable[Sample]) -> None:
        """Learn from labelled samples; a system without parameters does nothing."""

    def predict(
        self, samples: Sequence[Sample], candidates: Sequence[Sequence[Candidate]]
    ) -> Scores:
        """The scores of each sample's candidates."""
