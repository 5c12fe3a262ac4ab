"""Similarity of texts by n-grams: best matches, and pairs above a threshold.

Texts are unit vectors of n-gram counts, as in Elangovan et al. 2021, section 4.2. Words are runs of
two or more letters, digits or underscores, in lower case. English stop words are left out before
n-grams are formed (scikit-learn's CountVectorizer, which the paper's code uses). A text without
n-grams is the zero vector, which is similar to nothing.

`nearest` finds the most similar training text of every test text (Algorithm 1 of the paper). It is
exact. Its memory does not grow with the training set, which is multiplied in blocks, and a test
text that has an equal is not compared further. Among equally near training texts the choice depends
on rounding.

`ThresholdIndex` finds the pairs of texts at or above a threshold without comparing every pair. It
is the threshold join of All-Pairs (Bayardo et al., WWW 2007) with the L2 bounds of L2AP (Anastasiu
and Karypis, ICDE 2014). Write a unit vector y as y' + y'', where y'' holds its most frequent
n-grams and is shorter than `SUFFIX`. By Cauchy and Schwarz x.y <= x.y' + |y''| for every unit x, so
a pair with x.y >= threshold has x.y' >= threshold - |y''|. Only y' is indexed. The most frequent
n-grams, which cause nearly all the work of the product, are only used for pairs that pass this
bound. No pair is lost.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from scipy.sparse import csr_matrix
from scipy.sparse.linalg import norm
from sklearn.feature_extraction.text import CountVectorizer

from ...arrays import Doubles, Flags, Ints
from ...errors import InputError

PAIRS = 500_000  # pairs multiplied at once

content_words = CountVectorizer(stop_words="english").build_analyzer()
"""Function that returns the words of a text that are not stop words."""


class NGramVectors:
    """Unit vectors of n-gram counts.

    Attributes:
        matrix: Sparse float64 [texts, n-grams] with rows of length 1, or 0 for texts without
            n-grams. Columns are ordered from the rarest n-gram to the most frequent.
    """

    def __init__(self, texts: Sequence[str], n: int = 1) -> None:
        """Compute the vectors of some texts.

        Args:
            texts: Texts to vectorize. Their n-grams become the columns.
            n: Number of words in an n-gram.
        """
        # CountVectorizer would sort the n-grams of every block, which takes most of its time.
        self._analyse = CountVectorizer(stop_words="english", ngram_range=(n, n)).build_analyzer()
        counts, ngrams = self._count(texts)
        order = np.argsort(counts.getnnz(axis=0), kind="stable")
        self._column = {ngrams[place]: column for column, place in enumerate(order)}
        self.matrix = counts[:, order].tocsr()
        self.matrix.sort_indices()

    def transform(self, texts: Sequence[str]) -> csr_matrix:
        """Vectorize other texts with the same columns.

        Unknown n-grams count towards a vector's length, so a product with `matrix` is the cosine
        similarity, and a row's norm shows how much of the text is known.

        Args:
            texts: The texts.

        Returns:
            Sparse float64 [texts, n-grams].
        """
        counts, ngrams = self._count(texts)
        column = np.array([self._column.get(ngram, -1) for ngram in ngrams], dtype=np.int64)
        present = counts[:, column >= 0].tocoo()
        places = present.row, column[column >= 0][present.col]
        matrix = csr_matrix((present.data, places), shape=(len(texts), len(self._column)))
        matrix.sort_indices()
        return matrix

    def _count(self, texts: Sequence[str]) -> tuple[csr_matrix, list[str]]:
        """Return unit vectors over the n-grams of these texts, and the n-grams."""
        numbers: defaultdict[str, int] = defaultdict(lambda: len(numbers))
        columns, ends = list[int](), [0]
        for text in texts:
            columns += map(numbers.__getitem__, self._analyse(text))
            ends.append(len(columns))
        entries = np.ones(len(columns)), np.array(columns, dtype=np.int64), ends
        counts = csr_matrix(entries, shape=(len(texts), len(numbers)))
        counts.sum_duplicates()
        counts.data /= np.repeat(norm(counts, axis=1), np.diff(counts.indptr))
        return counts, list(numbers)


def without_frequent(matrix: csr_matrix, limit: Doubles) -> tuple[csr_matrix, Doubles]:
    """Remove the most frequent n-grams of each row.

    Args:
        matrix: Sparse [rows, n-grams], columns ordered by frequency.
        limit: Upper bound of the length (L2 norm) of the removed part of each row, [rows].

    Returns:
        The remaining matrix, and the lengths of the removed parts, [rows].
    """
    row = np.repeat(np.arange(matrix.shape[0]), np.diff(matrix.indptr))
    before = np.concatenate([[0.0], np.cumsum(matrix.data**2)])
    to_row_end = before[matrix.indptr[row + 1]] - before[:-1]
    left_out = matrix.copy()
    left_out.data[to_row_end >= limit[row] ** 2] = 0
    kept = matrix - left_out
    kept.eliminate_zeros()
    return kept, norm(left_out, axis=1)


def dot_products(left: csr_matrix, right: csr_matrix, row: Ints, column: Ints) -> Doubles:
    """Compute the dot products of pairs of rows, in slices of `PAIRS` pairs.

    Args:
        left: Sparse matrix.
        right: Sparse matrix with the same columns.
        row: Row of `left` for each pair, int [pairs].
        column: Row of `right` for each pair, int [pairs].

    Returns:
        Dot products, float64 [pairs].
    """
    products = np.empty(len(row))
    for first in range(0, len(row), PAIRS):
        part = slice(first, first + PAIRS)
        products[part] = left[row[part]].multiply(right[column[part]]).sum(axis=1).A1
    return products


def blocks_of(texts: Sequence[str], size: int) -> Iterator[Sequence[str]]:
    """Divide a list of texts into slices.

    Args:
        texts: The texts.
        size: Maximum number of texts in a slice.

    Yields:
        The slices.
    """
    for start in range(0, len(texts), size):
        yield texts[start : start + size]


BOUNDARY = re.compile(r"(?<=[.!?])[\"')\]]*\s+(?=[^\sa-z])")
MIN_WORDS = 4  # without stop words; shorter sentences ("See also Figure 2.") may match by chance


def with_sentences(texts: Sequence[str]) -> tuple[list[str], Ints]:
    """Add the single sentences of texts, so that they can be compared separately.

    Args:
        texts: The texts.

    Returns:
        All texts followed by their sentences of at least `MIN_WORDS` words, and the index of the
        text that each comes from, int64.
    """
    units, owners = list(texts), list(range(len(texts)))
    for owner, text in enumerate(texts):
        sentences = BOUNDARY.split(text)
        if len(sentences) > 1:
            long_enough = [
                sentence for sentence in sentences if len(content_words(sentence)) >= MIN_WORDS
            ]
            units += long_enough
            owners += [owner] * len(long_enough)
    return units, np.array(owners, dtype=np.int64)


def normal(text: str) -> str:
    """Normalize the case and spacing of a text, for comparing texts for equality.

    Args:
        text: The text.

    Returns:
        The text in lower case with single spaces.
    """
    return " ".join(text.lower().split())


CELLS = 40_000_000  # pairs in a block, to bound the product's memory; a tenth are not zero
EQUAL = 1 - 1e-9  # similarity from which texts are equal, despite rounding
MAX_BLOCK = 10_000  # training texts in a block


class Nearest(NamedTuple):
    """The best match of each test text.

    Attributes:
        similarity: Cosine similarity, float64 [texts] in 0..1.
        train_index: Index of the training text, -1 if no training text shares an n-gram.
        empty: Whether the test text itself has no n-gram.
    """

    similarity: Doubles
    train_index: Ints
    empty: Flags


def nearest(test: Sequence[str], train: Sequence[str], n: int = 1) -> Nearest:
    """Find the most similar training text of each test text.

    Args:
        test: The test texts.
        train: The training texts.
        n: Number of words in an n-gram.

    Returns:
        The best match of each test text.
    """
    vectors = NGramVectors(test, n)
    best = np.zeros(len(test))
    index = np.full(len(test), -1, dtype=np.int64)
    done = 0
    for texts in blocks_of(train, max(1, min(MAX_BLOCK, CELLS // len(test)))):
        open_rows = np.flatnonzero(best < EQUAL)
        similarity = vectors.matrix[open_rows] @ vectors.transform(texts).T.tocsr()
        here = similarity.max(axis=1).toarray().ravel()
        better = np.flatnonzero(here > best[open_rows])
        best[open_rows[better]] = here[better]
        index[open_rows[better]] = similarity[better].argmax(axis=1).A1 + done
        done += len(texts)
    return Nearest(np.minimum(best, 1.0), index, np.diff(vectors.matrix.indptr) == 0)


SUFFIX = 0.6  # measured: the fastest of 0.3 to 0.74 at a threshold of 0.75
ROUNDING = 1e-9
BLOCK = 1_000  # texts multiplied at once


class SimilarPairs(NamedTuple):
    """Pairs of similar texts.

    Attributes:
        left: Indices of the queried texts, int64.
        right: Indices of the indexed texts, int64.
    """

    left: Ints
    right: Ints


class ThresholdIndex:
    """An index of texts that finds all texts with a minimum cosine similarity to a query."""

    def __init__(self, texts: Sequence[str], threshold: float = 0.75, n: int = 1) -> None:
        """Index some texts.

        Args:
            texts: The texts to index.
            threshold: Minimum cosine similarity, above 0 and up to 1.
            n: Number of words in an n-gram.

        Raises:
            InputError: If the threshold is out of range.
        """
        if not 0 < threshold <= 1:
            raise InputError(f"The threshold must be above 0 and at most 1, got {threshold}.")
        self.threshold = threshold
        self.vectors = NGramVectors(texts, n)
        matrix = self.vectors.matrix
        # The removed part stays shorter than the threshold, with a margin for rounding.
        limit = np.full(matrix.shape[0], min(SUFFIX, threshold - 2 * ROUNDING))
        rare, self._suffix_norm = without_frequent(matrix, limit)
        self._prefixes = rare.T.tocsr()

    def pairs(self, texts: Sequence[str]) -> Iterator[SimilarPairs]:
        """Find all pairs of a queried and an indexed text that are similar, in blocks.

        Args:
            texts: The texts to query.

        Yields:
            The pairs of each block. `left` has indices into `texts`.
        """
        start = 0
        for block in blocks_of(texts, BLOCK):
            similar = self._pairs(self.vectors.transform(block))
            yield similar._replace(left=similar.left + start)
            start += len(block)

    def _pairs(self, queries: csr_matrix) -> SimilarPairs:
        least = self.threshold - ROUNDING
        # A text whose known part is shorter than the threshold reaches no pair.
        possible = np.flatnonzero(norm(queries, axis=1) >= least)
        product = queries[possible] @ self._prefixes
        passed = np.flatnonzero(product.data + self._suffix_norm[product.indices] >= least)
        right = product.indices[passed].astype(np.int64)
        left = possible[np.searchsorted(product.indptr, passed, side="right") - 1]
        reached = dot_products(queries, self.vectors.matrix, left, right) >= least
        return SimilarPairs(left[reached], right[reached])
