"""The most similar training text of every test text: Algorithm 1 of Elangovan et al. 2021.

Exact, in memory that does not grow with the training set, whose texts are multiplied a block at a
time; a test text that has found its equal is done. Which of equally near training texts is named
depends on rounding.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from ....arrays import Doubles, Flags, Ints
from .ngrams import NGramVectors, blocks_of

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
    done = 0
    for texts in blocks_of(train, max(1, min(MAX_BLOCK, CELLS // len(test)))):
        open_rows = np.flatnonzero(best < EQUAL)
        similarity = vectors.matrix[open_rows] @ vectors.transform(texts).T.tocsr()
        here = similarity.max(axis=1).toarray().ravel()
        better = np.flatnonzero(here > best[open_rows])
        best[open_rows[better]] = here[better]
        index[open_rows[better]] = similarity[better].argmax(axis=1).A1 + done
        done += len(texts)
        progress(len(texts))
    return Nearest(np.minimum(best, 1.0), index, np.diff(vectors.matrix.indptr) == 0)
