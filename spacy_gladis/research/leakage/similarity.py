"""Similarity of texts by n-grams: the best match of each text, and all pairs above a threshold.

Texts are unit vectors of n-gram counts, as in Elangovan et al. 2021, section 4.2. Words are runs of
two or more letters, digits or underscores, in lower case. English stop words are removed before
n-grams are formed, as in scikit-learn's CountVectorizer, which the paper's code uses. A text
without n-grams is the zero vector, whose similarity to every text is 0.

`nearest` finds the most similar training text of every test text (Algorithm 1 of the paper). It is
exact. Its memory does not grow with the size of the training set, which is multiplied in blocks.
Once an equal training text is found, a test text is not compared further. If several training texts
are equally similar, rounding errors determine which of them is chosen.

`ThresholdIndex` finds the pairs of texts at or above a threshold without comparing every pair. It
is the threshold join of All-Pairs (Bayardo et al., WWW 2007) with the L2 bounds of L2AP (Anastasiu
and Karypis, ICDE 2014). It writes a unit vector y as y' + y'', where y'' holds the most frequent
n-grams of the text and is shorter than `SUFFIX`. By the Cauchy-Schwarz inequality, x.y <= x.y' +
|y''| for every unit vector x. A pair with x.y >= threshold therefore has x.y' >= threshold - |y''|.

Only y' is indexed. The most frequent n-grams, which cause nearly all the work of the product, are
only used for pairs that pass this bound. No pair is lost.
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

PAIRS = 500_000  # number of pairs of rows that are multiplied at once

content_words = CountVectorizer(stop_words="english").build_analyzer()
"""A function that returns the words of a text in lower case, without English stop words."""


class NGramVectors:
    """Unit vectors of the n-gram counts of texts.

    Attributes:
        matrix: Vectors of the texts, a sparse float64 matrix [texts, n-grams]. Rows have length 1,
            or 0 for texts without n-grams. Columns are ordered from the rarest n-gram to the most
            frequent.
    """

    def __init__(self, texts: Sequence[str], n: int = 1) -> None:
        """Compute the vectors of texts. Their n-grams define the columns of all later vectors.

        Args:
            texts: Texts to vectorize.
            n: Number of words in an n-gram.
        """
        # CountVectorizer itself would sort the n-grams of every block, which takes most of its
        # time. Only its tokenization is used.
        self._analyse = CountVectorizer(stop_words="english", ngram_range=(n, n)).build_analyzer()
        counts, ngrams = self._count(texts)
        order = np.argsort(counts.getnnz(axis=0), kind="stable")
        self._column = {ngrams[place]: column for column, place in enumerate(order)}
        self.matrix = counts[:, order].tocsr()
        self.matrix.sort_indices()

    def transform(self, texts: Sequence[str]) -> csr_matrix:
        """Compute the vectors of further texts with the same columns as `matrix`.

        N-grams that are not among the columns still count towards the length of a text's vector. A
        product with `matrix` is therefore a cosine similarity. The norm of a row is below 1 if the
        text has n-grams that are not among the columns.

        Args:
            texts: Texts to vectorize.

        Returns:
            Vectors of the texts, a sparse float64 matrix [texts, n-grams].
        """
        counts, ngrams = self._count(texts)
        column = np.array([self._column.get(ngram, -1) for ngram in ngrams], dtype=np.int64)
        present = counts[:, column >= 0].tocoo()
        places = present.row, column[column >= 0][present.col]
        matrix = csr_matrix((present.data, places), shape=(len(texts), len(self._column)))
        matrix.sort_indices()
        return matrix

    def _count(self, texts: Sequence[str]) -> tuple[csr_matrix, list[str]]:
        """Return unit vectors of texts over their own n-grams, and the n-gram of each column."""
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
    """Split off the most frequent n-grams of each row, up to a given length of their vector.

    Args:
        matrix: Sparse matrix [rows, n-grams] whose columns are ordered from the rarest n-gram to
            the most frequent.
        limit: Upper bound of the length (L2 norm) of each row's removed part, [rows].

    Returns:
        The matrix of the remaining n-grams, and the lengths of the removed parts, [rows].
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
    """Compute the dot products of given pairs of rows of two sparse matrices.

    The pairs are processed in slices of `PAIRS`, which limits the memory.

    Args:
        left: Sparse matrix that contains the first row of each pair.
        right: Sparse matrix with the same columns, which contains the second row of each pair.
        row: Index of each pair's row in `left`, int [pairs].
        column: Index of each pair's row in `right`, int [pairs].

    Returns:
        A dot product for each pair, float64 [pairs].
    """
    products = np.empty(len(row))
    for first in range(0, len(row), PAIRS):
        part = slice(first, first + PAIRS)
        products[part] = left[row[part]].multiply(right[column[part]]).sum(axis=1).A1
    return products


def blocks_of(texts: Sequence[str], size: int) -> Iterator[Sequence[str]]:
    """Divide a list of texts into consecutive slices of limited size.

    Args:
        texts: Texts to divide.
        size: Maximum number of texts in a slice.

    Yields:
        The slices, in the order of the texts. Only the last one may be shorter than `size`.
    """
    for start in range(0, len(texts), size):
        yield texts[start : start + size]


BOUNDARY = re.compile(r"(?<=[.!?])[\"')\]]*\s+(?=[^\sa-z])")
# Minimum number of words, without stop words, of a sentence that is compared by itself. Shorter
# sentences ("See also Figure 2.") may match by chance.
MIN_WORDS = 4


def with_sentences(texts: Sequence[str]) -> tuple[list[str], Ints]:
    """Append the sentences of texts to the texts, so that each sentence can be compared by itself.

    Sentences with fewer than `MIN_WORDS` content words are left out, because they may be similar to
    others by chance.

    Args:
        texts: Texts to split into sentences.

    Returns:
        A list of all texts followed by their sentences, and an int64 array with the index of the
        text that each entry of this list comes from. Texts of a single sentence are not repeated.
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
    """Normalize the case and spacing of a text, so that texts can be compared for equality.

    Args:
        text: Text to normalize, such as ``"The  CNN "``.

    Returns:
        The text in lower case with single spaces between words, such as ``"the cnn"``.
    """
    return " ".join(text.lower().split())


CELLS = 40_000_000  # maximum pairs in a block; a tenth of their similarities are not zero
EQUAL = 1 - 1e-9  # minimum similarity of equal texts, slightly below 1 because of rounding
MAX_BLOCK = 10_000  # maximum number of training texts in a block


class Nearest(NamedTuple):
    """The most similar training text of each test text.

    Attributes:
        similarity: Cosine similarity of each test text to its best match, float64 [texts] in 0..1.
        train_index: Index of the best match among the training texts, or -1 if no training text
            shares an n-gram with the test text, int64 [texts].
        empty: Whether the test text has no n-grams at all, bool [texts].
    """

    similarity: Doubles
    train_index: Ints
    empty: Flags


def nearest(test: Sequence[str], train: Sequence[str], n: int = 1) -> Nearest:
    """Find the most similar training text of each test text by the cosine of their n-gram counts.

    Args:
        test: Texts of the test set. There is at least one.
        train: Texts of the training set.
        n: Number of words in an n-gram.

    Returns:
        The index and similarity of the best match, in the order of `test`.
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


SUFFIX = 0.6  # the fastest value between 0.3 and 0.74, measured at a threshold of 0.75
ROUNDING = 1e-9
BLOCK = 1_000  # number of queried texts that are multiplied at once


class SimilarPairs(NamedTuple):
    """Pairs of a queried and an indexed text that are similar.

    Attributes:
        left: Index of each pair's queried text, int64 [pairs].
        right: Index of each pair's indexed text, int64 [pairs].
    """

    left: Ints
    right: Ints


class ThresholdIndex:
    """An index that finds all texts whose cosine similarity to a query reaches a threshold."""

    def __init__(self, texts: Sequence[str], threshold: float = 0.75, n: int = 1) -> None:
        """Build an index of texts.

        Args:
            texts: Texts to index.
            threshold: Minimum cosine similarity of a pair, above 0 and up to 1.
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
        """Find all pairs of a queried and an indexed text whose similarity reaches the threshold.

        Args:
            texts: Texts to look up in the index. They are processed in blocks of `BLOCK` texts.

        Yields:
            The similar pairs of each block. `left` has indices into all of `texts`, not into the
            block.
        """
        start = 0
        for block in blocks_of(texts, BLOCK):
            similar = self._pairs(self.vectors.transform(block))
            yield similar._replace(left=similar.left + start)
            start += len(block)

    def _pairs(self, queries: csr_matrix) -> SimilarPairs:
        least = self.threshold - ROUNDING
        # A text whose vector over the indexed n-grams is shorter than the threshold has no pairs.
        possible = np.flatnonzero(norm(queries, axis=1) >= least)
        product = queries[possible] @ self._prefixes
        passed = np.flatnonzero(product.data + self._suffix_norm[product.indices] >= least)
        right = product.indices[passed].astype(np.int64)
        left = possible[np.searchsorted(product.indptr, passed, side="right") - 1]
        reached = dot_products(queries, self.vectors.matrix, left, right) >= least
        return SimilarPairs(left[reached], right[reached])
