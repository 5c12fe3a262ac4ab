"""AcroBERT asked about one sense: does this long form, or definition, fit here?"""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from ....arrays import Doubles
from ...datasets.wic_tsv import TargetSense


class AcroBERTZeroShot:
    """The retriever's cosine of context and sense, and a threshold set on the training set.

    model: folder of AcroBERT's weights, or of any BERT as an untrained start; None: packaged.
    """

    threshold: float

    def __init__(self, model: Path | None = None) -> None:
        from ....modeling import AcroBERT

        self.model = AcroBERT.load(model)

    def fit(self, senses: Sequence[TargetSense], labels: Sequence[bool], seed: int) -> None:
        """Take the threshold with the highest accuracy; the network stays as it is."""
        self.threshold = best_threshold(self._cosines(senses), labels)

    def predict(self, senses: Sequence[TargetSense]) -> Doubles:
        """The cosines, moved so that the threshold is at 0.5; an order, not calibrated."""
        scores: Doubles = (1 + np.clip(self._cosines(senses) - self.threshold, -1, 1)) / 2
        return scores

    def _cosines(self, senses: Sequence[TargetSense]) -> Doubles:
        texts = [f"{one.target}: {one.sense}" for one in senses]
        cosines: Doubles = self.model.compare([one.mention for one in senses], texts).astype(float)
        return cosines


def best_threshold(scores: Doubles, labels: Sequence[bool]) -> float:
    """The threshold with the highest accuracy, half-way between two scores."""
    order = np.argsort(scores, kind="stable")
    truth = np.asarray(labels, dtype=bool)[order]
    # With the threshold below index i, the first i answers are "no" and the others "yes".
    right = np.concatenate([[0], np.cumsum(~truth)]) + truth.sum()
    right -= np.concatenate([[0], np.cumsum(truth)])
    index = int(right.argmax())
    ordered = np.concatenate([[-1.0], scores[order], [1.0]])
    return float(ordered[index : index + 2].mean())
