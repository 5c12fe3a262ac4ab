"""Sums along the rows of sparse matrices, as the pruning bounds need them."""

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
PAIRS = 500_000  # pairs multiplied at once


def row_of_entries(matrix: csr_matrix) -> Ints:
    """The row of each stored entry."""
    return np.repeat(np.arange(matrix.shape[0]), np.diff(matrix.indptr))


def row_sums(matrix: csr_matrix, values: Floats) -> Floats:
    """For each row the sum of `values`, which holds one number for each stored entry."""
    sums = np.bincount(row_of_entries(matrix), weights=values, minlength=matrix.shape[0])
    return sums.astype(np.float64)


def suffix_sums(matrix: csr_matrix, values: Floats) -> Floats:
    """For each stored entry the sum of `values` from it to the end of its row."""
    before = np.concatenate([[0.0], np.cumsum(values)])
    row_end = np.repeat(before[matrix.indptr[1:]], np.diff(matrix.indptr))
    return np.asarray(row_end - before[:-1])


def dot_products(left: csr_matrix, right: csr_matrix, row: Ints, column: Ints) -> Floats:
    """`left[row] . right[column]` of each pair, the pairs a slice at a time."""
    products = np.empty(len(row))
    for first in range(0, len(row), PAIRS):
        some = slice(first, first + PAIRS)
        both = left[row[some]].multiply(right[column[some]])
        products[some] = np.asarray(both.sum(axis=1)).ravel()
    return products
