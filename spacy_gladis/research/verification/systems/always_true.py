"""The lower bound: every target has the sense asked about (WiC-TSV's own baseline)."""

from collections.abc import Sequence

import numpy as np

from ...datasets.wic_tsv import TargetSense
from .protocol import Floats


class AlwaysTrue:
    """Answers yes, whatever it is asked."""

    def fit(self, senses: Sequence[TargetSense], labels: Sequence[bool], seed: int) -> None:
        """Nothing to learn."""

    def predict(self, senses: Sequence[TargetSense]) -> Floats:
        """1 for each."""
        return np.ones(len(senses))
