"""Search for texts that share many character trigrams (three characters in a row) with a query."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from ..arrays import Floats, Ints
from ..errors import require

BATCH_SIZE = 32
"""Number of queries that are compared with all names at once. With a million names, the scores of a
single query may take ten megabytes."""
POOL = 8
"""Number of texts that are compared by all trigrams for each requested result, if common trigrams
are ignored at first."""


class TrigramIndex:
    """An index that finds similar texts by the trigrams that they share.

    A trigram is a sequence of three characters. By default, texts are represented by TF-IDF vectors
    of their trigrams and compared by the cosine. It needs scikit-learn.

    Attributes:
        vectors: Vectors of the indexed texts, a sparse float32 matrix of shape (texts, trigrams).
    """

    def __init__(self, texts: Sequence[str], binary: bool = False) -> None:
        """Create an index of texts.

        Args:
            texts: The texts to index, such as the names of concepts.
            binary: Whether to count shared trigrams instead of comparing TF-IDF vectors. All
                trigrams then have the weight 1, and a score is the number of distinct trigrams that
                two texts share.

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
        """Ignore trigrams that occur in many texts, which makes `nearest` faster.

        Common trigrams have the smallest weights but take the most time. `nearest` then selects the
        texts that are most similar without common trigrams, and compares these again by all
        trigrams. Scores stay exact, but some similar texts may be missed.
        `benchmarks/concept_inventory.py` measures how often.

        Args:
            share: Trigrams that occur in a larger share of the indexed texts are ignored, from 0 to
                1.
        """
        frequencies = np.bincount(self.vectors.indices, minlength=self.vectors.shape[1])
        self._columns = np.flatnonzero(frequencies <= share * self.vectors.shape[0])
        self._transposed = self.vectors[:, self._columns].T.tocsr()

    def trigrams(self, text: str) -> set[str]:
        """Return the distinct trigrams of a text, including trigrams that no indexed text contains.

        Args:
            text: Any text. Each of its words is padded with spaces, so "CT" has the trigrams " ct"
                and "ct ".
        """
        return set(self._vectorizer.build_analyzer()(text))

    def encode(self, texts: Sequence[str]) -> Any:
        """Compute the trigram vectors of texts, which don't need to be in the index.

        Args:
            texts: The texts to encode. Trigrams that no indexed text contains are ignored.

        Returns:
            The vectors in the order of `texts`, a sparse float32 matrix of shape (texts, trigrams).
        """
        return self._vectorizer.transform(texts)

    def cosines(self, text: str, rows: Ints) -> Floats:
        """Compare a text with some of the indexed texts.

        Args:
            text: Any text.
            rows: Numbers of the indexed texts to compare it with, shape (rows,).

        Returns:
            Similarity of the text to each indexed text, float32 of shape (rows,). It is the cosine,
            from 0 to 1, or for a binary index the number of shared trigrams.
        """
        scores: Floats = (self.vectors[rows] @ self.encode([text]).T).toarray()[:, 0]
        return scores

    def nearest(self, texts: Sequence[str], k: int) -> Iterator[tuple[Ints, Floats]]:
        """Find the indexed texts that are most similar to each of some texts.

        Args:
            texts: The texts to compare with the indexed texts.
            k: Maximum number of results for each text. Indexed texts that share no trigram with it
                are never returned.

        Yields:
            For each text, a pair of arrays: the numbers of its most similar indexed texts, int64
            with the best first, and their scores as computed by `cosines`, float32.
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
    """Return the `k` numbers with the highest scores and these scores, in any order."""
    if len(numbers) <= k:
        return numbers, scores
    best = np.argpartition(-scores, k - 1)[:k]
    return numbers[best], scores[best]
