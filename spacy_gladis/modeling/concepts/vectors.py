"""Vectors of names, computed when they are asked for."""

from collections.abc import Sequence

import numpy as np

from ..acrobert import AcroBERT
from ..calibration import Floats


class NameVectors:
    """Unit vectors of texts in lower case, each computed once; float32 [texts, width]."""

    def __init__(self, model: AcroBERT) -> None:
        self.model = model
        self._rows: dict[str, int] = {}
        self._table = np.zeros((0, model.width), dtype=np.float16)

    def __call__(self, texts: Sequence[str]) -> Floats:
        """The vectors, of which those that are not there yet are computed."""
        folded = [text.lower() for text in texts]
        if fresh := [text for text in dict.fromkeys(folded) if text not in self._rows]:
            computed = self.model.encode_long_forms(fresh).astype(np.float16)
            self._rows.update((text, len(self._table) + at) for at, text in enumerate(fresh))
            self._table = np.concatenate([self._table, computed])
        rows = np.array([self._rows[text] for text in folded], dtype=np.int64)
        return self._table[rows].astype(np.float32)
