"""Micro-averaged precision, recall and F1 of the spans that a system finds in texts."""

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from typing import Any

import numpy as np

from ...arrays import Ints
from ...metrics.identification import PRF, with_f1

Sets = Sequence[AbstractSet[Any]]
"""One set of spans for each row of a data set."""


class SpanCounts:
    """Numbers of gold, predicted and correctly predicted spans in each row of a data set.

    With these numbers, the scores of any selection of rows can be computed quickly.

    Attributes:
        counts: Numbers of gold spans, predicted spans and correct predictions of each row, int64
            [rows, 3].
    """

    def __init__(self, gold: Sets, predictions: Sets) -> None:
        """Count the gold spans, predicted spans and correct predictions of each row.

        A prediction is correct if it is equal to a gold span of the same row.

        Args:
            gold: The set of gold spans of each row.
            predictions: The set of spans that a system found in each row.
        """
        pairs = list(zip(gold, predictions, strict=True))
        counts = [(len(wanted), len(spans), len(wanted & spans)) for wanted, spans in pairs]
        self.counts = np.array(counts, dtype=np.int64).reshape(-1, 3)

    def score(self, rows: Ints) -> PRF:
        """Compute the micro-averaged precision, recall and F1 of a selection of rows.

        If the rows have no predicted spans, the precision is 1. If they have no gold spans, the
        recall is 1. The scorers of the SDU shared tasks do the same.

        Args:
            rows: Indices of the rows. An index that is repeated counts several times, as in a
                bootstrap sample.

        Returns:
            Precision, recall and F1, each in 0..1.
        """
        gold, predicted, right = self.counts[rows].sum(0).tolist()
        return with_f1(right / predicted if predicted else 1.0, right / gold if gold else 1.0)
