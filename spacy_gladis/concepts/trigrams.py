"""Names by their character trigrams."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from ..arrays import Floats, Ints
from ..errors import require

TOGETHER = 32
"""Phrases in one sparse product: with a million names, one may take ten megabytes."""
POOL = 8
"""Texts that are looked at again with all trigrams, for each one wanted."""


class TrigramIndex:
    """TF-IDF vectors of texts over character trigrams, and the nearest ones to others.

    binary: sets of trigrams of equal weight instead. Raises MissingExtraError without scikit-learn.
    """

    def __init__(self, texts: Sequence[str], binary: bool = False) -> None:
        text = require("sklearn.feature_extraction.text", "concepts", "scikit-learn")
        self._vectorizer = text.TfidfVectorizer(
            analyzer="char_wb",
            ngram_range=(3, 3),
            binary=binary,
            use_idf=not binary,
            norm=None if binary else "l2",
            dtype=np.float32,
        )
        self.vectors = self._vectorizer.fit_transform(texts)
        self._transposed = self.vectors.T.tocsr()
        self._kept: Ints | None = None

    def leave_out(self, share: float) -> None:
        """Let `nearest` pass over the trigrams that more than this share of the texts have.

        They weigh least and cost most. The nearest by the others are compared again by all, so that
        scores stay exact; what a shortlist loses, benchmarks/concept_inventory.py measures.
        """
        texts = np.bincount(self.vectors.indices, minlength=self.vectors.shape[1])
        self._kept = np.flatnonzero(texts <= share * self.vectors.shape[0])
        self._transposed = self.vectors[:, self._kept].T.tocsr()

    def trigrams(self, text: str) -> set[str]:
        """A text's distinct trigrams, also those of no indexed text."""
        return set(self._vectorizer.build_analyzer()(text))

    def encode(self, texts: Sequence[str]) -> Any:
        """Sparse vectors [texts, trigrams]."""
        return self._vectorizer.transform(texts)

    def cosines(self, text: str, rows: Ints) -> Floats:
        """The products of a text with some of the indexed ones, float32 [rows]."""
        found: Floats = (self.vectors[rows] @ self.encode([text]).T).toarray()[:, 0]
        return found

    def nearest(self, texts: Sequence[str], k: int) -> Iterator[tuple[Ints, Floats]]:
        """For each text, the numbers of the `k` nearest indexed ones, best first, and products."""
        for first in range(0, len(texts), TOGETHER):
            some = texts[first : first + TOGETHER]
            queries = self.encode(some)
            if self._kept is not None:
                queries = queries[:, self._kept]
            products = (queries @ self._transposed).tocsr()
            for row, text in enumerate(some):
                part = slice(products.indptr[row], products.indptr[row + 1])
                numbers, scores = products.indices[part], products.data[part]
                if self._kept is not None:
                    numbers, _ = _best(numbers, scores, POOL * k)
                    scores = self.cosines(text, numbers)
                numbers, scores = _best(numbers, scores, k)
                order = np.lexsort((numbers, -scores))
                yield numbers[order].astype(np.int64), scores[order]


def _best(numbers: Ints, scores: Floats, k: int) -> tuple[Ints, Floats]:
    """The `k` with the highest scores, in no order."""
    if len(numbers) <= k:
        return numbers, scores
    best = np.argpartition(-scores, k - 1)[:k]
    return numbers[best], scores[best]
