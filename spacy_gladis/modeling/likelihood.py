"""How much likelier a context is of a sense than of any: what the contexts of senses are like.

Probabilistic linear discriminant analysis (Ioffe 2006): senses lie around the mean of all contexts,
and a sense's contexts around the sense, both normally distributed. Projected onto axes on which
these two are independent, the contexts of one sense vary by 1 and the senses by `between`. What was
seen of a sense is drawn towards the mean, the more, the less was seen of it.
"""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..arrays import Floats, Ints

ARRAYS = ("mean", "projection", "between", "temper")
"""Of a likelihood in a file."""


@dataclass(frozen=True)
class SenseLikelihood:
    """The distribution of contexts' vectors, within senses and between them.

    mean: of the senses [width]. projection: onto the axes [width, axes]. between: the variance of
    the senses on each, that of a sense's contexts being 1 [axes]. temper: of log-likelihood ratios,
    since axes are not quite independent; a single number.
    """

    mean: Floats
    projection: Floats
    between: Floats
    temper: float

    @classmethod
    def from_arrays(cls, arrays: dict[str, NDArray[Any]]) -> "SenseLikelihood":
        """What `arrays` gave; raises KeyError or ValueError where they are not whole."""
        mean, projection, between, temper = (arrays[name].astype(np.float32) for name in ARRAYS)
        if projection.shape != (*mean.shape, *between.shape) or temper.shape != (1,):
            raise ValueError("the likelihood's tables do not belong together")
        if not ((between > 0) & np.isfinite(between)).all():
            raise ValueError("the likelihood's variances are not all above zero")
        return cls(mean, projection, between, float(temper[0]))

    def arrays(self) -> dict[str, NDArray[Any]]:
        """What a file holds."""
        return {
            "mean": self.mean.astype(np.float16),
            # safetensors writes the bytes as they lie, in whatever order.
            "projection": np.ascontiguousarray(self.projection, np.float16),
            "between": self.between.astype(np.float32),
            "temper": np.array([self.temper], np.float32),
        }

    def on(self, axes: Ints) -> "SenseLikelihood":
        """The same on these axes, in their order."""
        return replace(self, projection=self.projection[:, axes], between=self.between[axes])

    def project(self, vectors: Floats) -> Floats:
        """Contexts' vectors [..., width] on the axes, [..., axes]."""
        projected: Floats = (vectors - self.mean) @ self.projection
        return projected

    def expected(self, means: Floats, seen: Floats) -> Floats:
        """Where senses are expected to lie, [senses, axes].

        means: of their contexts [senses, width]. seen: in how many documents those stood [senses].
        """
        known = self.between * seen[:, None]
        expected: Floats = self.project(means) * (known / (known + 1))
        return expected

    def contexts(self, expected: Floats) -> Floats:
        """Contexts that lie there, [senses, width]: what `project` undone gives."""
        contexts: Floats = expected @ self._inverse + self.mean
        return contexts

    def ratios(self, expected: Floats, seen: Floats, query: Floats) -> Floats:
        """Logarithms, how much likelier a context is of each sense than of any, [senses].

        expected, seen: of senses, as `expected` has them. query: the context's vector [width].
        """
        query = self.project(query)
        spread = self.between / (self.between * seen[:, None] + 1) + 1
        own = ((query - expected) ** 2 / spread + np.log(spread)).sum(axis=1)
        any_sense = (query**2 / (self.between + 1) + np.log(self.between + 1)).sum()
        ratios: Floats = (0.5 * self.temper * (any_sense - own)).astype(np.float32)
        return ratios

    @cached_property
    def _inverse(self) -> Floats:
        return np.linalg.pinv(self.projection).astype(np.float32)
