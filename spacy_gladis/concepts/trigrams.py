"""Search for names that share many character trigrams with a text."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from ..arrays import Floats, Ints
from ..errors import require

BATCH_SIZE = 32
"""Number of queries that are compared with all names at once. With a million names, the scores of a
single query may take ten megabytes."""
POOL = 8
"""Number of texts per requested result that are compared again by all trigrams, if common trigrams
are ignored."""


class TrigramIndex:
    """An index that finds similar texts by the TF-IDF vectors of their character trigrams.

    Attributes:
        vectors: Sparse vectors of the texts, float32 of shape (texts, trigrams).
    """

    def __init__(self, texts: Sequence[str], binary: bool = False) -> None:
        """Create an index of texts.

        Args:
            texts: The texts to index.
            binary: Whether to represent a text by its set of trigrams, all with weight 1, instead
                of TF-IDF weights. Scores are then the number of shared trigrams.

        Raises:
            MissingExtraError: If scikit-learn is not installed.
        """
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
        self._columns: Ints | None = None

    def ignore_common(self, share: float) -> None:
        """Ignore common trigrams in `nearest`, which makes it faster.

        Common trigrams have the smallest weights but take the most time. The texts that are most
        similar without them are compared again by all trigrams. Scores therefore stay exact, but a
        text may be missed. `benchmarks/concept_inventory.py` measures how often.

        Args:
            share: Share of texts, 0 to 1. Trigrams that occur in more texts than this are ignored.
        """
        frequencies = np.bincount(self.vectors.indices, minlength=self.vectors.shape[1])
        self._columns = np.flatnonzero(frequencies <= share * self.vectors.shape[0])
        self._transposed = self.vectors[:, self._columns].T.tocsr()

    def trigrams(self, text: str) -> set[str]:
        """Return the distinct trigrams of a text, including trigrams that no indexed text has.

        Args:
            text: Any text.
        """
        return set(self._vectorizer.build_analyzer()(text))

    def encode(self, texts: Sequence[str]) -> Any:
        """Compute the vectors of texts.

        Args:
            texts: Any texts.

        Returns:
            Sparse vectors, float32 of shape (texts, trigrams).
        """
        return self._vectorizer.transform(texts)

    def cosines(self, text: str, rows: Ints) -> Floats:
        """Compare a text with some of the indexed texts.

        Args:
            text: Any text.
            rows: Numbers of the indexed texts, shape (rows,).

        Returns:
            Cosine of the text with each indexed text, float32 of shape (rows,). For a binary index,
            the number of shared trigrams instead.
        """
        scores: Floats = (self.vectors[rows] @ self.encode([text]).T).toarray()[:, 0]
        return scores

    def nearest(self, texts: Sequence[str], k: int) -> Iterator[tuple[Ints, Floats]]:
        """Find the most similar indexed texts.

        Args:
            texts: The texts to compare with the indexed texts.
            k: Maximum number of results for each text. Indexed texts that share no trigram with it
                are never returned.

        Yields:
            For each text, the numbers of the most similar indexed texts, best first, and their
            scores, which are those of `cosines`.
        """
        for first in range(0, len(texts), BATCH_SIZE):
            batch = texts[first : first + BATCH_SIZE]
            queries = self.encode(batch)
            if self._columns is not None:
                queries = queries[:, self._columns]
            products = (queries @ self._transposed).tocsr()
            for row, text in enumerate(batch):
                part = slice(products.indptr[row], products.indptr[row + 1])
                numbers, scores = products.indices[part], products.data[part]
                if self._columns is not None:
                    numbers, _ = _select_best(numbers, scores, POOL * k)
                    scores = self.cosines(text, numbers)
                numbers, scores = _select_best(numbers, scores, k)
                order = np.lexsort((numbers, -scores))
                yield numbers[order].astype(np.int64), scores[order]


def _select_best(numbers: Ints, scores: Floats, k: int) -> tuple[Ints, Floats]:
    """Select the `k` texts with the highest scores, in any order."""
    if len(numbers) <= k:
        return numbers, scores
    best = np.argpartition(-scores, k - 1)[:k]
    return numbers[best], scores[best]
