"""The most similar training text of every test text: Algorithm 1 of Elangovan et al. 2021.

Exact, in memory that does not grow with the training set, whose texts are multiplied a block at a
time. What has been found so far prunes what is left to do (the idea of maximum-score pruning,
Turtle and Flood 1995, with the Cauchy-Schwarz bound): write a test text x as x' + x'', where x''
holds its most frequent n-grams and |x''| is less than its best similarity so far. A training text y
has x.y <= x'.y + |x''|, so one that shares only n-grams of x'' cannot be better. The product leaves
x'' out, which is where most of its work would go, and only the pairs whose bound still reaches the
best are computed in full; a text that has found its equal is done. No maximum is lost, and ties go
to the first training text. What this saves grows with what leaks: next to nothing between unrelated
sets, where counting words is most of the work.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix, diags

from .ngrams import Floats, Ints, NGramVectors, blocks_of, dot_products, without_frequent

CELLS = 40_000_000  # pairs of a block: bounds the memory of the product, a tenth of them filled
MAX_BLOCK = 10_000  # training texts of a block
ROUNDING = 1e-9
SHARE = 0.5  # of the best similarity so far that x'' may be long; less means fewer pairs to check


class Nearest(NamedTuple):
    """For each test text its best cosine similarity and the training text that has it.

    `train_index` is -1 (and `similarity` 0) where no training text shares an n-gram; `empty` says
    whether the test text has none itself (too short, or stop words alone).
    """

    similarity: Floats
    train_index: Ints
    empty: NDArray[np.bool_]


def nearest(
    test: Sequence[str],
    train: Sequence[str],
    n: int = 1,
    progress: Callable[[int], None] = lambda _: None,
) -> Nearest:
    """The best match in `train` of each text of `test`; `progress` gets the training texts done."""
    vectors = NGramVectors(test, n)
    best = np.zeros(len(test))
    index = np.full(len(test), -1, dtype=np.int64)
    done, prune_at = 0, 1
    heads = _Heads(vectors.matrix, best)
    for texts in blocks_of(train, max(1, min(MAX_BLOCK, CELLS // len(test)))):
        if done >= prune_at:
            heads, prune_at = _Heads(vectors.matrix, best), 2 * done
        row, column, similarity = heads.better(vectors.transform(texts), best)
        # Best first, then the earlier text: a row's first entry is its new best.
        order = np.lexsort((column, -similarity, row))
        rows, first = np.unique(row[order], return_index=True)
        best[rows] = similarity[order][first]
        index[rows] = column[order][first] + done
        done += len(texts)
        progress(len(texts))
    return Nearest(np.minimum(best, 1.0), index, np.diff(vectors.matrix.indptr) == 0)


class _Heads:
    """The test vectors without their frequent n-grams (x'), and the length of what is missing.

    Stays valid while `best` grows; made anew now and then, it is shorter.
    """

    def __init__(self, matrix: csr_matrix, best: Floats) -> None:
        self.matrix = matrix
        heads, self.missing_length = without_frequent(matrix, SHARE * best)
        unequal = (best < 1 - ROUNDING).astype(np.float64)  # nothing is better than an equal text
        self.heads = (diags(unequal) @ heads).tocsr()
        self.heads.eliminate_zeros()

    def better(self, block: csr_matrix, best: Floats) -> tuple[Ints, Ints, Floats]:
        """Pairs (test text, text of the block, similarity); a test text's best is among its pairs.

        A text whose best so far is not beaten has no pair.
        """
        product = self.heads @ block.T.tocsr()
        reached = best.copy()
        filled = np.flatnonzero(np.diff(product.indptr))
        if len(filled):
            row_best = np.maximum.reduceat(product.data, product.indptr[filled])
            reached[filled] = np.maximum(reached[filled], row_best)
        needed = np.repeat(reached - self.missing_length - ROUNDING, np.diff(product.indptr))
        passed = np.flatnonzero(product.data >= needed)
        row = np.searchsorted(product.indptr, passed, side="right") - 1
        column = product.indices[passed].astype(np.int64)
        similarity = dot_products(self.matrix, block, row, column)
        better = similarity > best[row]
        return row[better], column[better], similarity[better]
