"""Context centroids: what contexts each long form was seen in, a vector each of a few bytes.

A long form says less about its contexts than the contexts themselves do. For every long form of the
training text where its contexts lie is kept: their mean, or what a likelihood expects of it.
"""

from collections.abc import Sequence
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from ..arrays import Floats, Ints
from .coded_vectors import CodedVectors
from .likelihood import ARRAYS, SenseLikelihood

C = TypeVar("C", bound="ContextCentroids")


class ContextCentroids(CodedVectors):
    """Mean context vectors of long forms.

    seen: how many contexts, or documents, each mean is of [n]. likelihood: where there is one, the
    codes are of what it expects of the senses, and it compares; otherwise cosines do.
    """

    FILE = "senses.safetensors"  # as version 0.1 named it

    seen: NDArray[np.uint16]
    likelihood: SenseLikelihood | None = None

    @classmethod
    def from_arrays(cls: type[C], arrays: dict[str, NDArray[Any]]) -> C:
        """What `arrays` gave; raises KeyError and ValueError where they are not whole."""
        made = super().from_arrays(arrays)
        made.seen = arrays["seen"]
        if arrays.keys() & set(ARRAYS):
            made.likelihood = SenseLikelihood.from_arrays(arrays)
            if made.codebooks[:, 0].size != len(made.likelihood.between):
                raise ValueError("the codes are not on the likelihood's axes")
        return made

    def arrays(self) -> dict[str, NDArray[Any]]:
        """What the file holds."""
        beside = self.likelihood.arrays() if self.likelihood else {}
        return {**super().arrays(), "seen": self.seen, **beside}

    def vectors(self, rows: Ints) -> Floats:
        """Contexts of rows, [n, width]."""
        if self.likelihood is None:
            return super().vectors(rows)
        return self.likelihood.contexts(self.rotated_vectors(rows))

    def compare(
        self, long_forms: Sequence[str], query: Floats, scale: float = 1.0
    ) -> tuple[Floats, Floats]:
        """How alike a context is to those of each long form, and how many those were.

        query: a context's vector [width]. Returns log-likelihood ratios, or cosines shrunk by
        n / (n + 1) and times `scale`, which ratios have no use for; 0 where nothing is known; and
        log(1 + n). Both [long forms].
        """
        rows = self.rows(long_forms)
        known = rows >= 0
        alike = np.zeros(len(rows), dtype=np.float32)
        count = np.zeros(len(rows), dtype=np.float32)
        if known.any():
            vectors = self.rotated_vectors(rows[known])
            number = self.seen[rows[known]].astype(np.float32)
            if self.likelihood is None:
                lengths = np.linalg.norm(vectors, axis=1) * np.linalg.norm(query)
                cosine = vectors @ self.rotated(query) / np.maximum(lengths, 1e-6)
                alike[known] = scale * cosine * number / (number + 1)
            else:
                alike[known] = self.likelihood.ratios(vectors, number, query)
            count[known] = np.log1p(number)
        return alike, count
