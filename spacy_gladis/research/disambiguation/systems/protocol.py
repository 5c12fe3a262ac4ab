"""What a baseline for disambiguation offers."""

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from ....dictionary import Candidate
from ...datasets.sample import Sample

Floats = NDArray[np.float64]

Scores = list[Floats]
"""For each sample one number a candidate, in the candidates' order; the largest is the answer."""

Table = Mapping[str, Sequence[Candidate]]
"""The candidates of each acronym."""


class Baseline:
    """A system that may learn from samples and scores each sample's candidates, in `predict` all
    samples together or in `score` one by one.

    `sample.long_form` is the answer: neither may look at it.
    """

    def fit(self, samples: Iterable[Sample], development: Iterable[Sample] = ()) -> None:
        """Learn from labelled samples; a system without parameters does nothing.

        development: samples that may choose among settings or end the training, not teach.
        """

    def predict(
        self, samples: Sequence[Sample], candidates: Sequence[Sequence[Candidate]]
    ) -> Scores:
        """The scores of each sample's candidates."""
        return [self.score(*pair) for pair in zip(samples, candidates, strict=True)]

    def score(self, sample: Sample, options: Sequence[Candidate]) -> Floats:
        """The scores of one sample's candidates."""
        raise NotImplementedError
