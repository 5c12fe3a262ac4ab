"""What is known of senses, as vectors under the hashes of their merge keys.

So they serve any dictionary, a user's own too. Vectors of long forms and of the contexts that each
was seen in come with the weights, product-quantised (Jégou et al. 2011) to a few bytes each; they
are rotated first, so that every part holds as much of what tells vectors apart (optimised product
quantisation, Ge et al. 2013). What labelled texts teach is kept in full.

How much likelier a context is of a sense than of any, probabilistic linear discriminant analysis
says (Ioffe 2006): senses lie around the mean of all contexts, and a sense's contexts around the
sense, both normally distributed. Projected onto axes on which these two are independent, the
contexts of one sense vary by 1 and the senses by `between`. What was seen of a sense is drawn
towards the mean, the more, the less was seen of it.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from hashlib import blake2b
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from ..arrays import Floats, Ints
from ..errors import FormatError
from ..files import reading_tensors, write_arrays
from ..text import merge_key

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


LEARNT = "learnt.safetensors"

ROWS = {"keys", "codes", "seen"}
"""What has a row for each vector."""

GAIN = 44.0
"""What the product of a learnt vector and a context's is multiplied by. So large that the usual
rate of spaCy's Adam, 0.001, teaches a sense in some eighty steps: a unit vector's numbers are near
0.05."""

C = TypeVar("C", bound="CodedVectors")
S = TypeVar("S", bound="ContextCentroids")


@lru_cache(200_000)
def sense_key(long_form: str) -> int:
    """64-bit hash of a long form's merge key."""
    return int.from_bytes(blake2b(merge_key(long_form).encode(), digest_size=8).digest(), "little")


class CodedVectors:
    """Vectors of long forms in a few bytes each, found by the hash of the merge key.

    keys: sorted 64-bit hashes [n]. codes:
    [n, parts]. codebooks: [parts, 256, width / parts]. rotation: orthogonal [width, width], the
    product with which was coded; none where the vectors were coded as they are.
    """

    FILE: str
    """Its name in a folder of weights."""

    def __init__(
        self,
        keys: NDArray[np.uint64],
        codes: NDArray[np.uint8],
        codebooks: NDArray[np.float16],
        rotation: NDArray[np.float16] | None = None,
    ) -> None:
        self.keys, self.codes = keys, codes
        self.codebooks = codebooks.astype(np.float32)
        self.rotation = None if rotation is None else rotation.astype(np.float32)

    def __len__(self) -> int:
        return len(self.keys)

    @classmethod
    def empty(cls: type[C]) -> C:
        """None at all."""
        return cls.from_arrays(
            {
                "keys": np.zeros(0, np.uint64),
                "seen": np.zeros(0, np.uint16),
                "codes": np.zeros((0, 1), np.uint8),
                "codebooks": np.zeros((1, 1, 1), np.float16),
            }
        )

    @classmethod
    def from_arrays(cls: type[C], arrays: dict[str, NDArray[Any]]) -> C:
        """What `arrays` gave; raises KeyError where one is missing."""
        return cls(arrays["keys"], arrays["codes"], arrays["codebooks"], arrays.get("rotation"))

    def arrays(self) -> dict[str, NDArray[Any]]:
        """What the file holds."""
        codebooks = self.codebooks.astype(np.float16)
        made: dict[str, NDArray[Any]]
        made = {"keys": self.keys, "codes": self.codes, "codebooks": codebooks}
        if self.rotation is not None:
            # safetensors writes the bytes as they lie, in whatever order.
            made["rotation"] = np.ascontiguousarray(self.rotation, np.float16)
        return made

    def rows(self, long_forms: Sequence[str]) -> Ints:
        """The row of each long form, -1 where there is none."""
        keys = np.array([sense_key(name) for name in long_forms], np.uint64)
        rows = np.searchsorted(self.keys, keys)
        found = rows < len(self.keys)
        found[found] = self.keys[rows[found]] == keys[found]
        return np.where(found, rows, -1)

    def vectors(self, rows: Ints) -> Floats:
        """The vectors of rows, [n, width]."""
        decoded = self.rotated_vectors(rows)
        return decoded if self.rotation is None else decoded @ self.rotation.T

    def rotated_vectors(self, rows: Ints) -> Floats:
        """The same times the rotation: as good for products with what is `rotated`, and sooner."""
        parts = np.arange(self.codes.shape[1])
        decoded: Floats = self.codebooks[parts, self.codes[rows]].reshape(len(rows), -1)
        return decoded

    def rotated(self, vectors: Floats) -> Floats:
        """Vectors [..., width] times the rotation."""
        return vectors if self.rotation is None else vectors @ self.rotation

    def save(self, folder: Path) -> None:
        """Write the file."""
        write_arrays(folder / self.FILE, self.arrays())

    @classmethod
    def load(cls: type[C], folder: Path) -> C:
        """Read the file; none at all where there is no such file, FormatError if it is broken."""
        path = folder / cls.FILE
        if not path.is_file():
            return cls.empty()
        with reading_tensors(path, "no coded vectors, or damaged ones") as file:
            arrays = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
            found = cls.from_arrays(arrays)
        lengths = {len(arrays[name]) for name in ROWS & arrays.keys()}
        if len(lengths) != 1 or len(found.codebooks) != found.codes.shape[1]:
            raise FormatError(f"{path}: tables of unequal length; the file is damaged")
        return found


class StoredVectors(CodedVectors):
    """Vectors of long forms that come with the weights, so that they need not be computed."""

    FILE = "long_forms.safetensors"


class ContextCentroids(CodedVectors):
    """Where the contexts of each long form lie, which says more of them than the long form does.

    Coded is the mean of the contexts. seen: how many contexts, or documents, it is of [n].
    likelihood: where there is one, the codes are of what it expects of the senses, and it compares;
    otherwise cosines do.
    """

    FILE = "senses.safetensors"

    seen: NDArray[np.uint16]
    likelihood: SenseLikelihood | None = None

    @classmethod
    def from_arrays(cls: type[S], arrays: dict[str, NDArray[Any]]) -> S:
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


class LearntSenses:
    """What labelled texts taught of long forms: vectors, trained by gradients of what is served.

    A vector's product with a context's, times GAIN, is added to its long form's logit. It starts at
    zero, so that nothing changes that was not taught. The encoder stays as it is: every vector of a
    long form and every centroid that it made before stays valid.

    vectors: {sense key: vector [width]}. gradients: of the same shapes, summed until an optimizer
    takes them.
    """

    def __init__(self, vectors: dict[int, Floats] | None = None) -> None:
        self.vectors = {} if vectors is None else vectors
        self.gradients: dict[int, Floats] = {}

    def __len__(self) -> int:
        return len(self.vectors)

    def add(self, keys: Iterable[int], width: int) -> None:
        """Let the senses of these keys be taught from now on; those that are known stay."""
        for key in keys:
            self.vectors.setdefault(key, np.zeros(width, np.float32))

    def knows(self, keys: Iterable[int]) -> bool:
        """Whether any of these senses was ever taught."""
        return bool(self.vectors) and any(key in self.vectors for key in keys)

    def compare(self, keys: Sequence[int], query: Floats) -> Floats:
        """What is added to each sense's logit in a context, float32 [keys]; 0 if never taught.

        query: the context's vector [width].
        """
        found = np.zeros(len(keys), np.float32)
        for index, key in enumerate(keys):
            if (vector := self.vectors.get(key)) is not None:
                found[index] = GAIN * (vector @ query)
        return found

    def backward(self, keys: Sequence[int], query: Floats, gradients: Floats) -> None:
        """Add up the gradients of the vectors, given those of what `compare` returned."""
        for key, gradient in zip(keys, gradients, strict=True):
            if key in self.vectors:
                self.gradients[key] = self.gradients.get(key, 0) + GAIN * gradient * query

    def save(self, folder: Path) -> None:
        """Write `learnt.safetensors`."""
        keys = sorted(self.vectors)
        matrix = np.stack([self.vectors[key] for key in keys])
        write_arrays(folder / LEARNT, {"keys": np.array(keys, np.uint64), "vectors": matrix})

    @classmethod
    def load(cls, folder: Path, width: int) -> "LearntSenses":
        """Read `learnt.safetensors`; nothing learnt where there is none, FormatError if damaged."""
        path = folder / LEARNT
        if not path.is_file():
            return cls()
        with reading_tensors(path, "no learnt senses, or damaged ones") as file:
            keys, matrix = file.get_tensor("keys"), file.get_tensor("vectors")
        if matrix.shape != (len(keys), width):
            raise FormatError(f"{path}: tables of another size; the file is damaged")
        return cls(dict(zip(keys.tolist(), matrix.astype(np.float32), strict=True)))
