"""Similarity of texts by n-grams: best matches, and all pairs above a threshold.

Texts as unit vectors of n-gram counts, the representation of Elangovan et al. 2021, section 4.2.

Words are runs of two or more letters, digits or underscores, in lower case; English stop words are
left out before n-grams are formed (scikit-learn's CountVectorizer, which the paper's code uses). A
text without n-grams is the zero vector: it is similar to nothing.

The most similar training text of every test text: Algorithm 1 of Elangovan et al. 2021.

Exact, in memory that does not grow with the training set, whose texts are multiplied a block at a
time; a test text that has found its equal is done. Which of equally near training texts is named
depends on rounding.

Pairs of texts at or above a similarity threshold, without comparing every pair.

The threshold join of All-Pairs (Bayardo et al., WWW 2007) with the L2 bounds of L2AP (Anastasiu
and Karypis, ICDE 2014). Write a unit vector y as y' + y'', where y'' holds its most frequent
n-grams and is shorter than `SUFFIX`. By Cauchy and Schwarz x.y <= x.y' + |y''| for every unit x, so
a pair with x.y >= threshold shows x.y' >= threshold - |y''|. Only y' is indexed: the n-grams that
nearly every text has, and that nearly all the work of the product goes to, are never looked at
before a pair has passed this bound. No pair is lost.
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
"""The words of a text that are not stop words."""


class NGramVectors:
    """The unit n-gram count vectors of `texts`, and those of other texts over the same n-grams.

    `matrix` is a sparse [texts, n-grams] matrix with rows of length 1 (or 0). Its columns are
    ordered from the rarest n-gram to the most frequent one.
    """

    def __init__(self, texts: Sequence[str], n: int = 1) -> None:
        # CountVectorizer's counting would sort the n-grams of every block: most of its time.
        self._analyse = CountVectorizer(stop_words="english", ngram_range=(n, n)).build_analyzer()
        counts, ngrams = self._count(texts)
        order = np.argsort(counts.getnnz(axis=0), kind="stable")
        self._column = {ngrams[place]: column for column, place in enumerate(order)}
        self.matrix = counts[:, order].tocsr()
        self.matrix.sort_indices()

    def transform(self, texts: Sequence[str]) -> csr_matrix:
        """The unit vectors of `texts` over the n-grams known here, [len(texts), n-grams].

        N-grams unknown here count towards a vector's length (they can match nothing), so a
        product with `matrix` is the cosine similarity, and a row's norm says how much of the text
        is known.
        """
        counts, ngrams = self._count(texts)
        column = np.array([self._column.get(one, -1) for one in ngrams], dtype=np.int64)
        known = counts[:, column >= 0].tocoo()
        places = known.row, column[column >= 0][known.col]
        matrix = csr_matrix((known.data, places), shape=(len(texts), len(self._column)))
        matrix.sort_indices()
        return matrix

    def _count(self, texts: Sequence[str]) -> tuple[csr_matrix, list[str]]:
        """Unit vectors over the n-grams of these texts, and the n-grams."""
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
    """Each row without its most frequent n-grams, and the length of what was left out.

    As many are left out as keep that length below the row's `limit`.
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
    """`left[row] . right[column]` of each pair, the pairs a slice at a time."""
    products = np.empty(len(row))
    for first in range(0, len(row), PAIRS):
        some = slice(first, first + PAIRS)
        products[some] = left[row[some]].multiply(right[column[some]]).sum(axis=1).A1
    return products


def blocks_of(texts: Sequence[str], size: int) -> Iterator[Sequence[str]]:
    """`texts` in slices of at most `size`."""
    for start in range(0, len(texts), size):
        yield texts[start : start + size]


BOUNDARY = re.compile(r"(?<=[.!?])[\"')\]]*\s+(?=[^\sa-z])")
MIN_WORDS = 4  # that are not stop words; likeness in fewer ("See also Figure 2.") proves nothing


def with_sentences(texts: Sequence[str]) -> tuple[list[str], Ints]:
    """Every text, then the sentences of those that hold several; and the text each came from.

    So a benchmark sentence is seen inside a wide context as well.
    """
    units, owners = list(texts), list(range(len(texts)))
    for owner, text in enumerate(texts):
        sentences = BOUNDARY.split(text)
        if len(sentences) > 1:
            long_enough = [one for one in sentences if len(content_words(one)) >= MIN_WORDS]
            units += long_enough
            owners += [owner] * len(long_enough)
    return units, np.array(owners, dtype=np.int64)


def normal(text: str) -> str:
    """The text in lower case with single blanks: what "equal" compares."""
    return " ".join(text.lower().split())


CELLS = 40_000_000  # pairs of a block: bounds the memory of the product, a tenth of them filled
EQUAL = 1 - 1e-9  # the similarity of equal texts, rounding aside
MAX_BLOCK = 10_000  # training texts of a block


class Nearest(NamedTuple):
    """For each test text its best cosine similarity and the training text that has it.

    `train_index` is -1 (and `similarity` 0) where no training text shares an n-gram; `empty` says
    whether the test text has none itself (too short, or stop words alone).
    """

    similarity: Doubles
    train_index: Ints
    empty: Flags


def nearest(test: Sequence[str], train: Sequence[str], n: int = 1) -> Nearest:
    """The best match in `train` of each text of `test`."""
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
    """Similar pairs: the numbers of the texts."""

    left: Ints
    right: Ints


class ThresholdIndex:
    """Finds, for any text, the indexed texts with cosine similarity of at least `threshold`."""

    def __init__(self, texts: Sequence[str], threshold: float = 0.75, n: int = 1) -> None:
        if not 0 < threshold <= 1:
            raise InputError(f"The threshold must be above 0 and at most 1, got {threshold}.")
        self.threshold = threshold
        self.vectors = NGramVectors(texts, n)
        matrix = self.vectors.matrix
        # What is left out is shorter than the least similarity, rounding included.
        limit = np.full(matrix.shape[0], min(SUFFIX, threshold - 2 * ROUNDING))
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
        reached = dot_products(queries, self.vectors.matrix, left, right) >= least
        return SimilarPairs(left[reached], right[reached])
