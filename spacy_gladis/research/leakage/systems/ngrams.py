"""Texts as unit vectors of n-gram counts, the representation of Elangovan et al. 2021, section 3.

Words are runs of two or more letters, digits or underscores, in lower case; English stop words are
left out before n-grams are formed (scikit-learn's CountVectorizer, which the paper's code uses). A
text without n-grams is the zero vector: it is similar to nothing.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence

import numpy as np
from scipy.sparse import csr_matrix
from scipy.sparse.linalg import norm
from sklearn.feature_extraction.text import CountVectorizer

from ....arrays import Doubles, Ints

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
