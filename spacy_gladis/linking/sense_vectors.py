"""Vectors of senses, stored by the hash of the long form's merge key.

The hash is independent of a dictionary, so the vectors also serve a user's dictionary. Vectors of
long forms and means of their contexts come with the weights. They are compressed to a few bytes
each by product quantisation (Jégou et al. 2011) after a rotation that balances the information
between the parts (optimised product quantisation, Ge et al. 2013). Vectors that are fine-tuned on
labelled texts are stored in full.

Probabilistic linear discriminant analysis (PLDA, Ioffe 2006) scores how much more likely a context
is under a sense than under the background. It assumes that senses are normally distributed around
the mean of all contexts, and the contexts of a sense around the sense. On its axes both
distributions are independent. The contexts of a sense have variance 1 and the senses have variance
`between`. The estimate of a sense shrinks towards the mean if few contexts were seen.
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
"""Names of a likelihood's arrays in a file."""


@dataclass(frozen=True)
class SenseLikelihood:
    """A PLDA model of the vectors of contexts.

    Attributes:
        mean: Mean of the senses, float32 [width].
        projection: Projection onto the axes, float32 [width, axes].
        between: Variance of the senses on each axis, float32 [axes]. The variance within senses
            is 1.
        temper: Factor of the log-likelihood ratios. It corrects for axes that are not fully
            independent.
    """

    mean: Floats
    projection: Floats
    between: Floats
    temper: float

    @classmethod
    def from_arrays(cls, arrays: dict[str, NDArray[Any]]) -> "SenseLikelihood":
        """Create a likelihood from the arrays that `arrays` returned.

        Args:
            arrays: Arrays by name; other names are ignored.

        Raises:
            KeyError: If an array is missing.
            ValueError: If shapes don't match, or if a variance is not positive.
        """
        mean, projection, between, temper = (arrays[name].astype(np.float32) for name in ARRAYS)
        if projection.shape != (*mean.shape, *between.shape) or temper.shape != (1,):
            raise ValueError("the shapes of the likelihood's tables do not match")
        if not ((between > 0) & np.isfinite(between)).all():
            raise ValueError("a variance of the likelihood is not positive")
        return cls(mean, projection, between, float(temper[0]))

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return the arrays to save in a file, by name."""
        return {
            "mean": self.mean.astype(np.float16),
            # safetensors writes arrays in memory order and ignores strides.
            "projection": np.ascontiguousarray(self.projection, np.float16),
            "between": self.between.astype(np.float32),
            "temper": np.array([self.temper], np.float32),
        }

    def select_axes(self, axes: Ints) -> "SenseLikelihood":
        """Return the likelihood on a selection of axes.

        Args:
            axes: Numbers of the axes, in their new order, int64 [axes].
        """
        return replace(self, projection=self.projection[:, axes], between=self.between[axes])

    def project(self, vectors: Floats) -> Floats:
        """Project vectors of contexts onto the axes.

        Args:
            vectors: Vectors, [..., width].

        Returns:
            Projections, [..., axes].
        """
        projected: Floats = (vectors - self.mean) @ self.projection
        return projected

    def estimate_senses(self, means: Floats, seen: Floats) -> Floats:
        """Estimate senses as posterior means given their contexts.

        Args:
            means: Mean of each sense's contexts, [senses, width].
            seen: Number of documents with these contexts, [senses].

        Returns:
            Estimates on the axes, [senses, axes].
        """
        precision = self.between * seen[:, None]
        senses: Floats = self.project(means) * (precision / (precision + 1))
        return senses

    def unproject(self, senses: Floats) -> Floats:
        """Map points on the axes back to vectors of contexts.

        Args:
            senses: Points on the axes, [senses, axes].

        Returns:
            Vectors, [senses, width].
        """
        contexts: Floats = senses @ self._inverse + self.mean
        return contexts

    def compare(self, senses: Floats, seen: Floats, query: Floats) -> Floats:
        """Compute the log-likelihood ratio of a context under senses and under the background.

        Args:
            senses: Senses as `estimate_senses` returns them, [senses, axes].
            seen: Number of documents from which each sense was estimated, [senses].
            query: Vector of the context, [width].

        Returns:
            Log-likelihood ratios, float32 [senses].
        """
        query = self.project(query)
        spread = self.between / (self.between * seen[:, None] + 1) + 1
        within = ((query - senses) ** 2 / spread + np.log(spread)).sum(axis=1)
        background = (query**2 / (self.between + 1) + np.log(self.between + 1)).sum()
        ratios: Floats = (0.5 * self.temper * (background - within)).astype(np.float32)
        return ratios

    @cached_property
    def _inverse(self) -> Floats:
        return np.linalg.pinv(self.projection).astype(np.float32)


ADAPTED = "learnt.safetensors"
"""File name of the fine-tuned vectors in a folder of weights."""

ROWS = {"keys", "codes", "seen"}
"""Names of the arrays that have a row for each vector."""

GAIN = 44.0
"""Factor of the product of a fine-tuned vector and a context's vector. With spaCy's default
learning rate for Adam, 0.001, this value trains a sense in some eighty steps, because the
components of a unit vector are near 0.05."""

C = TypeVar("C", bound="CodedVectors")
S = TypeVar("S", bound="ContextCentroids")


@lru_cache(200_000)
def sense_key(long_form: str) -> int:
    """Return the 64-bit hash of a long form's merge key.

    Args:
        long_form: The long form, in any spelling.
    """
    return int.from_bytes(blake2b(merge_key(long_form).encode(), digest_size=8).digest(), "little")


class CodedVectors:
    """Product-quantised vectors of long forms."""

    FILE: str
    """File name in a folder of weights."""

    def __init__(
        self,
        keys: NDArray[np.uint64],
        codes: NDArray[np.uint8],
        codebooks: NDArray[np.float16],
        rotation: NDArray[np.float16] | None = None,
    ) -> None:
        """Create the vectors from their stored arrays.

        Args:
            keys: Keys of the long forms (see `sense_key`), sorted, uint64 [vectors].
            codes: Codes of the vectors, uint8 [vectors, parts].
            codebooks: Centroids of each part, float16 [parts, 256, width / parts].
            rotation: Orthogonal matrix by which vectors were multiplied before they were coded,
                float16 [width, width]; None if they were not rotated.
        """
        self.keys, self.codes = keys, codes
        self.codebooks = codebooks.astype(np.float32)
        self.rotation = None if rotation is None else rotation.astype(np.float32)

    def __len__(self) -> int:
        """Return the number of vectors."""
        return len(self.keys)

    @classmethod
    def empty(cls: type[C]) -> C:
        """Create an object without vectors."""
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
        """Create an object from the arrays that `arrays` returned.

        Args:
            arrays: Arrays by name.

        Raises:
            KeyError: If an array is missing.
        """
        return cls(arrays["keys"], arrays["codes"], arrays["codebooks"], arrays.get("rotation"))

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return the arrays to save in a file, by name."""
        codebooks = self.codebooks.astype(np.float16)
        arrays: dict[str, NDArray[Any]]
        arrays = {"keys": self.keys, "codes": self.codes, "codebooks": codebooks}
        if self.rotation is not None:
            # safetensors writes arrays in memory order and ignores strides.
            arrays["rotation"] = np.ascontiguousarray(self.rotation, np.float16)
        return arrays

    def find_rows(self, long_forms: Sequence[str]) -> Ints:
        """Find the rows of long forms.

        Args:
            long_forms: The long forms, in any spelling.

        Returns:
            Row of each long form, int64 [long forms]; -1 if it has none.
        """
        keys = np.array([sense_key(name) for name in long_forms], np.uint64)
        rows = np.searchsorted(self.keys, keys)
        has_row = rows < len(self.keys)
        has_row[has_row] = self.keys[rows[has_row]] == keys[has_row]
        return np.where(has_row, rows, -1)

    def decode(self, rows: Ints) -> Floats:
        """Decode vectors.

        Args:
            rows: Rows of the vectors, int64 [n].

        Returns:
            Approximate vectors, float32 [n, width].
        """
        decoded = self.decode_rotated(rows)
        return decoded if self.rotation is None else decoded @ self.rotation.T

    def decode_rotated(self, rows: Ints) -> Floats:
        """Decode vectors without undoing the rotation, which is faster.

        Products with vectors that `rotate` returns equal those of the original vectors.

        Args:
            rows: Rows of the vectors, int64 [n].

        Returns:
            Approximate rotated vectors, float32 [n, width].
        """
        parts = np.arange(self.codes.shape[1])
        decoded: Floats = self.codebooks[parts, self.codes[rows]].reshape(len(rows), -1)
        return decoded

    def rotate(self, vectors: Floats) -> Floats:
        """Rotate vectors, to compare them with those of `decode_rotated`.

        Args:
            vectors: Vectors, [..., width].

        Returns:
            Rotated vectors of the same shape.
        """
        return vectors if self.rotation is None else vectors @ self.rotation

    def save(self, folder: Path) -> None:
        """Save the vectors as the file `FILE`.

        Args:
            folder: Folder of the model's weights.
        """
        write_arrays(folder / self.FILE, self.arrays())

    @classmethod
    def load(cls: type[C], folder: Path) -> C:
        """Load the file `FILE`.

        Args:
            folder: Folder of the model's weights.

        Returns:
            The vectors; none if the folder has no such file.

        Raises:
            FormatError: If the file is damaged.
        """
        path = folder / cls.FILE
        if not path.is_file():
            return cls.empty()
        with reading_tensors(path, "the file is damaged or holds no coded vectors") as file:
            arrays = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
            vectors = cls.from_arrays(arrays)
        lengths = {len(arrays[name]) for name in ROWS & arrays.keys()}
        if len(lengths) != 1 or len(vectors.codebooks) != vectors.codes.shape[1]:
            raise FormatError(f"{path}: the file is damaged, because its tables differ in length.")
        return vectors


class StoredVectors(CodedVectors):
    """Precomputed vectors of long forms that come with the weights."""

    FILE = "long_forms.safetensors"


class ContextCentroids(CodedVectors):
    """Mean vectors of the contexts in which long forms were seen.

    Attributes:
        seen: Number of contexts of each mean, or of documents if there is a likelihood, uint16
            [vectors].
        likelihood: PLDA model that compares contexts. The codes are then its estimates of the
            senses on its axes. None to compare by cosine.
    """

    FILE = "senses.safetensors"

    seen: NDArray[np.uint16]
    likelihood: SenseLikelihood | None = None

    @classmethod
    def from_arrays(cls: type[S], arrays: dict[str, NDArray[Any]]) -> S:
        """Create centroids from the arrays that `arrays` returned.

        Args:
            arrays: Arrays by name.

        Raises:
            KeyError: If an array is missing.
            ValueError: If the arrays of the likelihood are invalid or don't match the codes.
        """
        centroids = super().from_arrays(arrays)
        centroids.seen = arrays["seen"]
        if arrays.keys() & set(ARRAYS):
            centroids.likelihood = SenseLikelihood.from_arrays(arrays)
            if centroids.codebooks[:, 0].size != len(centroids.likelihood.between):
                raise ValueError("the codes do not match the axes of the likelihood")
        return centroids

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return the arrays to save in a file, by name."""
        likelihood = self.likelihood.arrays() if self.likelihood else {}
        return {**super().arrays(), "seen": self.seen, **likelihood}

    def decode(self, rows: Ints) -> Floats:
        """Decode mean vectors of contexts.

        Args:
            rows: Rows of the long forms, int64 [n].

        Returns:
            Approximate mean vectors, float32 [n, width].
        """
        if self.likelihood is None:
            return super().decode(rows)
        return self.likelihood.unproject(self.decode_rotated(rows))

    def compare(
        self, long_forms: Sequence[str], query: Floats, scale: float = 1.0
    ) -> tuple[Floats, Floats]:
        """Compare a context with the contexts of long forms.

        Args:
            long_forms: The long forms.
            query: Vector of the context, [width].
            scale: Factor of the cosines. Not used with a likelihood.

        Returns:
            Scores, float32 [long forms], and log(1 + n), float32 [long forms], where n is the
            number of contexts seen. A score is a log-likelihood ratio, or without a likelihood
            `scale` times the cosine times n / (n + 1). Both are 0 for unseen long forms.
        """
        rows = self.find_rows(long_forms)
        is_seen = rows >= 0
        scores = np.zeros(len(rows), dtype=np.float32)
        logs = np.zeros(len(rows), dtype=np.float32)
        if is_seen.any():
            vectors = self.decode_rotated(rows[is_seen])
            number = self.seen[rows[is_seen]].astype(np.float32)
            if self.likelihood is None:
                lengths = np.linalg.norm(vectors, axis=1) * np.linalg.norm(query)
                cosine = vectors @ self.rotate(query) / np.maximum(lengths, 1e-6)
                scores[is_seen] = scale * cosine * number / (number + 1)
            else:
                scores[is_seen] = self.likelihood.compare(vectors, number, query)
            logs[is_seen] = np.log1p(number)
        return scores, logs


class AdaptedSenses:
    """Vectors of senses that are fine-tuned on labelled texts.

    The logit of a sense is increased by `GAIN` times the product of its vector and the vector of
    the context. Vectors start at zero, so senses without training don't change. The encoder is not
    trained, so stored vectors of long forms and centroids stay valid.

    Attributes:
        gradients: Sums of gradients by the key of their sense, until an optimizer applies them.
    """

    def __init__(self, vectors: dict[int, Floats] | None = None) -> None:
        """Create the table of adapted vectors.

        Args:
            vectors: Vectors by the key of their sense, float32 [width] each; None to start empty.
        """
        self.vectors = {} if vectors is None else vectors
        self.gradients: dict[int, Floats] = {}

    def __len__(self) -> int:
        """Return the number of senses."""
        return len(self.vectors)

    def add(self, keys: Iterable[int], width: int) -> None:
        """Add senses to fine-tune. Existing senses keep their vectors.

        Args:
            keys: Keys of the senses (see `sense_key`).
            width: Length of the vectors.
        """
        for key in keys:
            self.vectors.setdefault(key, np.zeros(width, np.float32))

    def has_any(self, keys: Iterable[int]) -> bool:
        """Return whether any of these senses was fine-tuned.

        Args:
            keys: Keys of the senses.
        """
        return bool(self.vectors) and any(key in self.vectors for key in keys)

    def compare(self, keys: Sequence[int], query: Floats) -> Floats:
        """Compute the logits to add to those of senses in a context.

        Args:
            keys: Keys of the senses.
            query: Vector of the context, [width].

        Returns:
            Logits, float32 [keys]; 0 for senses that were not fine-tuned.
        """
        logits = np.zeros(len(keys), np.float32)
        for index, key in enumerate(keys):
            if (vector := self.vectors.get(key)) is not None:
                logits[index] = GAIN * (vector @ query)
        return logits

    def backward(self, keys: Sequence[int], query: Floats, gradients: Floats) -> None:
        """Add the gradients of the vectors to `gradients`.

        Args:
            keys: Keys of the senses that `compare` was called with.
            query: Vector of the context, [width].
            gradients: Gradients of the logits that `compare` returned, [keys].
        """
        for key, gradient in zip(keys, gradients, strict=True):
            if key in self.vectors:
                self.gradients[key] = self.gradients.get(key, 0) + GAIN * gradient * query

    def save(self, folder: Path) -> None:
        """Save the vectors as `learnt.safetensors`.

        Args:
            folder: Folder of the model's weights.
        """
        keys = sorted(self.vectors)
        matrix = np.stack([self.vectors[key] for key in keys])
        write_arrays(folder / ADAPTED, {"keys": np.array(keys, np.uint64), "vectors": matrix})

    @classmethod
    def load(cls, folder: Path, width: int) -> "AdaptedSenses":
        """Load `learnt.safetensors`.

        Args:
            folder: Folder of the model's weights.
            width: Length of the encoder's vectors.

        Returns:
            The fine-tuned senses; none if the folder has no such file.

        Raises:
            FormatError: If the file is damaged.
        """
        path = folder / ADAPTED
        if not path.is_file():
            return cls()
        with reading_tensors(path, "the file is damaged or holds no fine-tuned senses") as file:
            keys, matrix = file.get_tensor("keys"), file.get_tensor("vectors")
        if matrix.shape != (len(keys), width):
            raise FormatError(f"{path}: the file is damaged, because its tables differ in size.")
        return cls(dict(zip(keys.tolist(), matrix.astype(np.float32), strict=True)))
