"""Texts as unit vectors of n-gram counts, the representation of Elangovan et al. 2021, section 3.

Words are runs of two or more letters, digits or underscores, in lower case; English stop words are
left out before n-grams are formed (both as scikit-learn's CountVectorizer does, which the paper's
code uses). A text without n-grams is the zero vector: it is similar to nothing.
"""

import re
from collections.abc import Iterator, Sequence

import numpy as np
from scipy.sparse import csr_matrix
from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS

from ...errors import InputError
from .sparse_rows import Floats, Ints

WORD = re.compile(r"\w\w+")
BITS = 21  # of a word's number: three words share one int64
BLOCK = 20_000  # texts counted at once: bounds the memory of the raw counts


class NGramVectors:
    """The unit n-gram count vectors of `texts`, and a way to lay other texts beside them.

    `matrix` is a sparse [texts, n-grams] matrix with rows of length 1 (or 0). Its columns are
    ordered from the rarest n-gram to the most frequent one, and each row's entries with them.
    """

    def __init__(self, texts: Sequence[str], n: int = 1) -> None:
        if not 1 <= n <= 3:
            raise InputError(f"n is {n}; n-grams of 1, 2 or 3 words are supported.")
        self.n = n
        self._words = _Numbering()
        blocks = [self._count(block) for block in blocks_of(texts, BLOCK)]
        if not blocks:
            raise InputError("There is no text to index: the set is empty.")
        self._known_words = len(self._words)
        keys = np.concatenate([block[1] for block in blocks])
        self._keys, column, frequency = np.unique(keys, return_inverse=True, return_counts=True)
        self._rank = np.empty(len(self._keys), dtype=np.int64)
        self._rank[np.argsort(frequency, kind="stable")] = np.arange(len(self._keys))
        lengths = np.concatenate([block[0] for block in blocks])
        weights = np.concatenate([block[2] for block in blocks])
        self.matrix = self._rows(lengths, self._rank[column], weights)

    def transform(self, texts: Sequence[str]) -> csr_matrix:
        """The unit vectors of `texts` over the n-grams known here, [len(texts), n-grams].

        N-grams unknown here count towards a vector's length (they can match nothing), so a
        product with `matrix` is the cosine similarity, and a row's norm says how much of the text
        is known.
        """
        lengths, keys, weights = self._count(texts)
        while len(self._words) > self._known_words:  # forget what these texts alone brought
            self._words.popitem()
        place = np.minimum(np.searchsorted(self._keys, keys), len(self._keys) - 1)
        known = self._keys[place] == keys if len(self._keys) else np.zeros(len(keys), dtype=bool)
        row = np.repeat(np.arange(len(lengths)), lengths)[known]
        kept = np.bincount(row, minlength=len(lengths))
        return self._rows(kept, self._rank[place[known]], weights[known])

    def _rows(self, lengths: Ints, columns: Ints, weights: Floats) -> csr_matrix:
        starts = np.concatenate([[0], np.cumsum(lengths)])
        shape = (len(lengths), len(self._keys))
        matrix = csr_matrix((weights, columns.astype(np.int32), starts), shape=shape)
        matrix.sort_indices()
        return matrix

    def _count(self, texts: Sequence[str]) -> tuple[Ints, Ints, Floats]:
        """Distinct n-grams a text, their keys and unit weights, text after text."""
        number = self._words.__getitem__
        words = [[*map(number, WORD.findall(text.lower()))] for text in texts]
        if len(self._words) > 1 << BITS:
            raise InputError(f"More than {1 << BITS:,} different words: index a smaller set.")
        row = np.repeat(np.arange(len(texts)), [len(one) for one in words])
        word = np.fromiter((w for one in words for w in one), dtype=np.int64, count=len(row))
        row, word = row[word >= 0], word[word >= 0]

        key = word.copy()
        for step in range(1, self.n):
            key = (key[:-1] << BITS) | word[step:]
        first, last = row[: len(key)], row[self.n - 1 :]
        row, key = first[first == last], key[first == last]

        order = np.lexsort((key, row))
        row, key = row[order], key[order]
        new = np.ones(len(row), dtype=bool)
        new[1:] = (row[1:] != row[:-1]) | (key[1:] != key[:-1])
        start = np.flatnonzero(new)
        count = np.diff(np.append(start, len(row))).astype(np.float64)
        row, key = row[start], key[start]
        norm = np.sqrt(np.bincount(row, weights=count**2, minlength=len(texts)))
        return np.bincount(row, minlength=len(texts)), key, count / norm[row]


def content_words(text: str) -> list[str]:
    """The words of a text that count: those that are no stop words."""
    return [word for word in WORD.findall(text.lower()) if word not in ENGLISH_STOP_WORDS]


class _Numbering(dict[str, int]):
    """Numbers words in order of appearance; stop words are -1."""

    def __init__(self) -> None:
        super().__init__(dict.fromkeys(ENGLISH_STOP_WORDS, -1))

    def __missing__(self, word: str) -> int:
        self[word] = number = len(self) - len(ENGLISH_STOP_WORDS)
        return number


def blocks_of(texts: Sequence[str], size: int) -> Iterator[Sequence[str]]:
    """`texts` in slices of at most `size`."""
    for start in range(0, len(texts), size):
        yield texts[start : start + size]
