"""Vectors of names, computed when they are asked for."""

from collections.abc import Sequence

import numpy as np

from ...arrays import Floats
from ..acrobert import AcroBERT


class NameVectors:
    """Unit vectors of texts in lower case, each computed once; float32 [texts, width]."""

    def __init__(self, model: AcroBERT) -> None:
        self.model = model
        self._rows: dict[str, int] = {}
        self._table = np.zeros((0, model.width), dtype=np.float16)
        self._matrix: Floats | None = None

    def __call__(self, texts: Sequence[str]) -> Floats:
        """The vectors, of which those that are not there yet are computed."""
        folded = [text.lower() for text in texts]
        if fresh := [text for text in dict.fromkeys(folded) if text not in self._rows]:
            computed = self._turn(self.model.encode_long_forms(fresh)).astype(np.float16)
            self._rows.update((text, len(self._table) + at) for at, text in enumerate(fresh))
            self._table = np.concatenate([self._table, computed])
        rows = np.array([self._rows[text] for text in folded], dtype=np.int64)
        return self._table[rows].astype(np.float32)

    def turn(self, matrix: Floats) -> None:
        """Multiply all vectors by a matrix [width, width], those computed so far too."""
        self._matrix = matrix
        self._table = self._turn(self._table.astype(np.float32)).astype(np.float16)

    def _turn(self, vectors: Floats) -> Floats:
        if self._matrix is None:
            return vectors
        turned: Floats = vectors @ self._matrix
        turned /= np.maximum(np.linalg.norm(turned, axis=1, keepdims=True), 1e-9)
        return turned
