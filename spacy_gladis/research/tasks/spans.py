"""Precision, recall and F1 of sets of spans."""

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from typing import Any

import numpy as np

from ...arrays import Ints
from ...metrics.identification import PRF, with_f1

Sets = Sequence[AbstractSet[Any]]
"""A set of spans for each row."""


class SpanCounts:
    """Numbers of gold, predicted and correctly predicted spans, row by row.

    Attributes:
        counts: Gold, predicted and right spans, int64 [rows, 3].
    """

    def __init__(self, gold: Sets, predictions: Sets) -> None:
        """Count the spans of each row.

        Args:
            gold: The gold spans of each row.
            predictions: The spans that a system found in each row.
        """
        pairs = list(zip(gold, predictions, strict=True))
        counts = [(len(wanted), len(spans), len(wanted & spans)) for wanted, spans in pairs]
        self.counts = np.array(counts, dtype=np.int64).reshape(-1, 3)

    def score(self, rows: Ints) -> PRF:
        """Compute micro-averaged precision, recall and F1 of a selection of rows.

        Without predicted spans the precision is 1, and without gold spans the recall is 1, as in
        the SDU shared tasks.

        Args:
            rows: Row numbers, which may repeat.

        Returns:
            Precision, recall and F1 in 0..1.
        """
        gold, predicted, right = self.counts[rows].sum(0).tolist()
        return with_f1(right / predicted if predicted else 1.0, right / gold if gold else 1.0)
