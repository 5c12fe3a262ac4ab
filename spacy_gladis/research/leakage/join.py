"""Pairs of texts at or above a similarity threshold, without comparing every pair.

The threshold join of All-Pairs (Bayardo et al., WWW 2007) with the L2 bounds of L2AP (Anastasiu
and Karypis, ICDE 2014). Write a unit vector y as y' + y'', where y'' holds its most frequent
n-grams and is shorter than `SUFFIX`. By Cauchy and Schwarz x.y <= x.y' + |y''| for every unit x, so
a pair with x.y >= threshold shows x.y' >= threshold - |y''|. Only y' is indexed: the n-grams that
nearly every text has, and that nearly all the work of the product goes to, are never looked at
before a pair has passed this bound. No pair is lost.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from scipy.sparse import csr_matrix

from ...errors import InputError
from .sparse_rows import Floats, Ints, dot_products, row_sums, suffix_sums
from .vectors import NGramVectors, blocks_of

SUFFIX = 0.6  # measured: the fastest of 0.3 to 0.74 at a threshold of 0.75
ROUNDING = 1e-9
BLOCK = 1_000  # texts multiplied at once


class Pairs(NamedTuple):
    """Similar pairs: `left` and `right` number the texts, `similarity` is their cosine."""

    left: Ints
    right: Ints
    similarity: Floats


class ThresholdIndex:
    """Finds, for any text, the indexed texts with cosine similarity of at least `threshold`."""

    def __init__(self, texts: Sequence[str], threshold: float = 0.75, n: int = 1) -> None:
        if not 0 < threshold <= 1:
            raise InputError(f"The threshold is {threshold}; a value above 0 up to 1 is needed.")
        self.threshold = threshold
        self.vectors = NGramVectors(texts, n)
        matrix = self.vectors.matrix
        squares = matrix.data**2
        in_suffix = suffix_sums(matrix, squares) < min(SUFFIX, threshold) ** 2
        prefix = matrix.copy()
        prefix.data[in_suffix] = 0
        prefix.eliminate_zeros()
        self._prefixes = prefix.T.tocsr()
        self._suffix_norm = np.sqrt(row_sums(matrix, squares * in_suffix))

    def pairs(self, texts: Sequence[str]) -> Iterator[Pairs]:
        """The similar pairs, a block of `texts` at a time; `left` numbers `texts`."""
        start = 0
        for block in blocks_of(texts, BLOCK):
            found = self._pairs(self.vectors.transform(block))
            yield found._replace(left=found.left + start)
            start += len(block)

    def _pairs(self, queries: csr_matrix) -> Pairs:
        floor = self.threshold - ROUNDING
        # A text whose known part is shorter than the threshold reaches no pair.
        possible = np.flatnonzero(row_sums(queries, queries.data**2) >= floor**2)
        product = queries[possible] @ self._prefixes
        passed = np.flatnonzero(product.data + self._suffix_norm[product.indices] >= floor)
        right = product.indices[passed].astype(np.int64)
        left = possible[np.searchsorted(product.indptr, passed, side="right") - 1]
        similarity = dot_products(queries, self.vectors.matrix, left, right)
        reached = similarity >= floor
        return Pairs(left[reached], right[reached], similarity[reached])
