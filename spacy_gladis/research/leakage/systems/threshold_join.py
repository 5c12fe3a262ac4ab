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
from scipy.sparse.linalg import norm

from ....arrays import Doubles, Ints
from ....errors import InputError
from .ngrams import NGramVectors, blocks_of, dot_products, without_frequent

SUFFIX = 0.6  # measured: the fastest of 0.3 to 0.74 at a threshold of 0.75
ROUNDING = 1e-9
BLOCK = 1_000  # texts multiplied at once


class SimilarPairs(NamedTuple):
    """Similar pairs: `left` and `right` number the texts, `similarity` is their cosine."""

    left: Ints
    right: Ints
    similarity: Doubles


class ThresholdIndex:
    """Finds, for any text, the indexed texts with cosine similarity of at least `threshold`."""

    def __init__(self, texts: Sequence[str], threshold: float = 0.75, n: int = 1) -> None:
        if not 0 < threshold <= 1:
            raise InputError(f"The threshold must be above 0 and at most 1, got {threshold}.")
        self.threshold = threshold
        self.vectors = NGramVectors(texts, n)
        matrix = self.vectors.matrix
        limit = np.full(matrix.shape[0], min(SUFFIX, threshold))
        rare, self._suffix_norm = without_frequent(matrix, limit)
        self._prefixes = rare.T.tocsr()

    def pairs(self, texts: Sequence[str]) -> Iterator[SimilarPairs]:
        """The similar pairs, a block of `texts` at a time; `left` numbers `texts`."""
        start = 0
        for block in blocks_of(texts, BLOCK):
            found = self._pairs(self.vectors.transform(block))
            yield found._replace(left=found.left + start)
            start += len(block)

    def _pairs(self, queries: csr_matrix) -> SimilarPairs:
        least = self.threshold - ROUNDING
        # A text whose known part is shorter than the threshold reaches no pair.
        possible = np.flatnonzero(norm(queries, axis=1) >= least)
        product = queries[possible] @ self._prefixes
        passed = np.flatnonzero(product.data + self._suffix_norm[product.indices] >= least)
        right = product.indices[passed].astype(np.int64)
        left = possible[np.searchsorted(product.indptr, passed, side="right") - 1]
        similarity = dot_products(queries, self.vectors.matrix, left, right)
        reached = similarity >= least
        return SimilarPairs(left[reached], right[reached], similarity[reached])
