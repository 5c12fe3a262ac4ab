"""Precision, recall and F1 of sets of spans, for any rows of a data set."""

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from typing import Any

import numpy as np

from ...arrays import Ints
from ...metrics.identification import PRF, with_f1

Sets = Sequence[AbstractSet[Any]]
"""A set of things to find for each row."""


class SpanCounts:
    """What a system was to find, what it found, and what of it was right, row by row.

    Args:
        gold: The right things of each row.
        found: What a system found in each row.
    """

    def __init__(self, gold: Sets, found: Sets) -> None:
        pairs = list(zip(gold, found, strict=True))
        counts = [(len(one), len(other), len(one & other)) for one, other in pairs]
        self.counts = np.array(counts, dtype=np.int64).reshape(-1, 3)

    def score(self, rows: Ints) -> PRF:
        """Score rows, repeats allowed; an empty side scores 1, as in the SDU shared tasks."""
        gold, found, right = self.counts[rows].sum(0).tolist()
        return with_f1(right / found if found else 1.0, right / gold if gold else 1.0)
