"""Vectors of senses, stored under the hash of the long form's merge key.

The hash doesn't depend on a dictionary, so the vectors can be used with any dictionary. The weights
come with vectors of long forms and with mean vectors of their contexts. These are compressed to a
few bytes each by product quantisation (Jégou et al. 2011), after a rotation that distributes the
information evenly over the parts (optimised product quantisation, Ge et al. 2013). Vectors that
are fine-tuned on labelled texts are not compressed.

Probabilistic linear discriminant analysis (PLDA, Ioffe 2006) scores how much more likely a context
is under a sense than under the background. It assumes that senses are normally distributed around
the mean of all contexts, and that the contexts of a sense are normally distributed around the
sense. Both distributions are independent on the axes of the model. There, the contexts of a sense
have variance 1, and the senses have variance `between`. The fewer contexts were seen, the closer
the estimate of a sense is to the overall mean.
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
"""Names under which the arrays of a `SenseLikelihood` are saved."""


@dataclass(frozen=True)
class SenseLikelihood:
    """A PLDA model that scores how likely a context belongs to a sense.

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
        """Create a PLDA model from the arrays that `arrays` returned.

        Args:
            arrays: A mapping from names to arrays. Unknown names are ignored.

        Raises:
            KeyError: If an array is missing.
            ValueError: If the shapes of the arrays don't match, or if a variance is not positive.
        """
        mean, projection, between, temper = (arrays[name].astype(np.float32) for name in ARRAYS)
        if projection.shape != (*mean.shape, *between.shape) or temper.shape != (1,):
            raise ValueError("the shapes of the likelihood's tables do not match")
        if not ((between > 0) & np.isfinite(between)).all():
            raise ValueError("a variance of the likelihood is not positive")
        return cls(mean, projection, between, float(temper[0]))

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return the arrays to save, under the names that they have in the file."""
        return {
            "mean": self.mean.astype(np.float16),
            # safetensors writes arrays in memory order and ignores strides.
            "projection": np.ascontiguousarray(self.projection, np.float16),
            "between": self.between.astype(np.float32),
            "temper": np.array([self.temper], np.float32),
        }

    def select_axes(self, axes: Ints) -> "SenseLikelihood":
        """Return a PLDA model that uses only some of the axes.

        Args:
            axes: Indices of the axes to keep, in their new order, int64 [axes].
        """
        return replace(self, projection=self.projection[:, axes], between=self.between[axes])

    def project(self, vectors: Floats) -> Floats:
        """Project vectors of contexts onto the axes of the model.

        Args:
            vectors: Vectors of contexts, [..., width].

        Returns:
            Coordinates of the vectors on the axes, [..., axes].
        """
        projected: Floats = (vectors - self.mean) @ self.projection
        return projected

    def estimate_senses(self, means: Floats, seen: Floats) -> Floats:
        """Estimate the position of senses from the contexts in which they were seen.

        The estimate is the posterior mean of the sense given its contexts.

        Args:
            means: Mean vector of each sense's contexts, [senses, width].
            seen: Number of documents that these contexts come from, [senses].

        Returns:
            Estimated coordinates of the senses on the axes, [senses, axes].
        """
        precision = self.between * seen[:, None]
        senses: Floats = self.project(means) * (precision / (precision + 1))
        return senses

    def unproject(self, senses: Floats) -> Floats:
        """Convert coordinates on the axes back to vectors of contexts.

        Args:
            senses: Coordinates of senses on the axes, [senses, axes].

        Returns:
            A vector for each sense, [senses, width].
        """
        contexts: Floats = senses @ self._inverse + self.mean
        return contexts

    def compare(self, senses: Floats, seen: Floats, query: Floats) -> Floats:
        """Compute how much more likely a context is under each sense than under the background.

        Args:
            senses: Coordinates of the senses, as returned by `estimate_senses`, [senses, axes].
            seen: Number of documents from which each sense was estimated, [senses].
            query: Vector of the context, [width].

        Returns:
            A log-likelihood ratio for each sense, float32 [senses].
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
"""Name of the file with the fine-tuned vectors in a folder of weights."""

ROWS = {"keys", "codes", "seen"}
"""Names of the saved arrays that have one row for each vector."""

GAIN = 44.0
"""Factor by which the product of a fine-tuned vector and a context's vector is multiplied. With
this value and 0.001, spaCy's default learning rate for Adam, a sense is trained in about eighty
steps, because the components of a unit vector are near 0.05."""

C = TypeVar("C", bound="CodedVectors")
S = TypeVar("S", bound="ContextCentroids")


@lru_cache(200_000)
def sense_key(long_form: str) -> int:
    """Return the 64-bit hash under which the vectors of a long form are stored.

    All spellings with the same merge key have the same hash.

    Args:
        long_form: The long form, in any spelling.
    """
    return int.from_bytes(blake2b(merge_key(long_form).encode(), digest_size=8).digest(), "little")


class CodedVectors:
    """Vectors of long forms, compressed by product quantisation."""

    FILE: str
    """Name of the file in a folder of weights."""

    def __init__(
        self,
        keys: NDArray[np.uint64],
        codes: NDArray[np.uint8],
        codebooks: NDArray[np.float16],
        rotation: NDArray[np.float16] | None = None,
    ) -> None:
        """Create the vectors from the arrays in which they are stored.

        Args:
            keys: Sorted keys of the long forms (see `sense_key`), uint64 [vectors].
            codes: For each part of each vector, the index of its centroid in the codebook, uint8
                [vectors, parts].
            codebooks: The 256 centroids for each part, float16 [parts, 256, width / parts].
            rotation: Orthogonal matrix by which the vectors were multiplied before quantisation,
                float16 [width, width]. None if they were not rotated.
        """
        self.keys, self.codes = keys, codes
        self.codebooks = codebooks.astype(np.float32)
        self.rotation = None if rotation is None else rotation.astype(np.float32)

    def __len__(self) -> int:
        """Return the number of vectors."""
        return len(self.keys)

    @classmethod
    def empty(cls: type[C]) -> C:
        """Create an object without vectors, for models that don't come with such vectors."""
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
        """Create the vectors from the arrays that `arrays` returned.

        Args:
            arrays: A mapping from names to arrays.

        Raises:
            KeyError: If an array is missing.
        """
        return cls(arrays["keys"], arrays["codes"], arrays["codebooks"], arrays.get("rotation"))

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return the arrays to save, under the names that they have in the file."""
        codebooks = self.codebooks.astype(np.float16)
        arrays: dict[str, NDArray[Any]]
        arrays = {"keys": self.keys, "codes": self.codes, "codebooks": codebooks}
        if self.rotation is not None:
            # safetensors writes arrays in memory order and ignores strides.
            arrays["rotation"] = np.ascontiguousarray(self.rotation, np.float16)
        return arrays

    def find_rows(self, long_forms: Sequence[str]) -> Ints:
        """Find the rows in which the vectors of long forms are stored.

        Args:
            long_forms: Long forms to look up, in any spelling.

        Returns:
            Index of each long form's row, int64 [long forms], or -1 if it has no vector.
        """
        keys = np.array([sense_key(name) for name in long_forms], np.uint64)
        rows = np.searchsorted(self.keys, keys)
        has_row = rows < len(self.keys)
        has_row[has_row] = self.keys[rows[has_row]] == keys[has_row]
        return np.where(has_row, rows, -1)

    def decode(self, rows: Ints) -> Floats:
        """Decompress vectors.

        Args:
            rows: Indices of the rows to decode, as returned by `find_rows`, int64 [n].

        Returns:
            Approximations of the original vectors, float32 [n, width].
        """
        decoded = self.decode_rotated(rows)
        return decoded if self.rotation is None else decoded @ self.rotation.T

    def decode_rotated(self, rows: Ints) -> Floats:
        """Decompress vectors without undoing the rotation, which is faster than `decode`.

        Rotate other vectors with `rotate` before you multiply them with the result. The products
        are then the same as without rotation.

        Args:
            rows: Indices of the rows to decode, as returned by `find_rows`, int64 [n].

        Returns:
            Approximations of the rotated vectors, float32 [n, width].
        """
        parts = np.arange(self.codes.shape[1])
        decoded: Floats = self.codebooks[parts, self.codes[rows]].reshape(len(rows), -1)
        return decoded

    def rotate(self, vectors: Floats) -> Floats:
        """Rotate vectors so that they can be compared with the result of `decode_rotated`.

        Args:
            vectors: Vectors to rotate, [..., width].

        Returns:
            The rotated vectors, in the same shape.
        """
        return vectors if self.rotation is None else vectors @ self.rotation

    def save(self, folder: Path) -> None:
        """Save the vectors to the file named by `FILE`.

        Args:
            folder: Folder of the model's weights.
        """
        write_arrays(folder / self.FILE, self.arrays())

    @classmethod
    def load(cls: type[C], folder: Path) -> C:
        """Load the vectors from the file named by `FILE`.

        Args:
            folder: Folder of the model's weights.

        Returns:
            The vectors, or an object without vectors if the folder has no such file.

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
    """For each long form, the mean vector of the contexts in which it was seen.

    Attributes:
        seen: Number of contexts from which each mean was computed, uint16 [vectors]. With a
            likelihood, this is the number of documents.
        likelihood: PLDA model that compares contexts with senses. The stored vectors are then its
            estimates of the senses. None to compare contexts by their cosine.
    """

    FILE = "senses.safetensors"

    seen: NDArray[np.uint16]
    likelihood: SenseLikelihood | None = None

    @classmethod
    def from_arrays(cls: type[S], arrays: dict[str, NDArray[Any]]) -> S:
        """Create centroids from the arrays that `arrays` returned.

        Args:
            arrays: A mapping from names to arrays.

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
        """Return the arrays to save, under the names that they have in the file."""
        likelihood = self.likelihood.arrays() if self.likelihood else {}
        return {**super().arrays(), "seen": self.seen, **likelihood}

    def decode(self, rows: Ints) -> Floats:
        """Decompress the mean vectors of contexts.

        Args:
            rows: Indices of the rows to decode, as returned by `find_rows`, int64 [n].

        Returns:
            Approximations of the mean vectors, float32 [n, width].
        """
        if self.likelihood is None:
            return super().decode(rows)
        return self.likelihood.unproject(self.decode_rotated(rows))

    def compare(
        self, long_forms: Sequence[str], query: Floats, scale: float = 1.0
    ) -> tuple[Floats, Floats]:
        """Compare a context with the contexts in which each of several long forms was seen.

        Args:
            long_forms: Long forms of an acronym's candidates.
            query: Vector of the context, [width].
            scale: Factor by which cosines are multiplied. Not used with a likelihood.

        Returns:
            A tuple of two arrays, float32 [long forms]. The first contains the scores. With a
            likelihood, a score is a log-likelihood ratio. Without a likelihood, it is `scale` times
            the cosine times n / (n + 1), where n is the number of contexts seen. The second array
            contains log(1 + n). Both values are 0 for long forms without contexts.
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

    `GAIN` times the product of a sense's vector and the context's vector is added to the logit of
    the sense. The vectors start at zero, so the logits of senses without training don't change.
    The encoder is not trained, so stored vectors of long forms and centroids stay valid.

    Attributes:
        gradients: A mapping from the key of each sense to the sum of its gradients, which are
            collected here until an optimizer applies them.
    """

    def __init__(self, vectors: dict[int, Floats] | None = None) -> None:
        """Create the table of adapted vectors.

        Args:
            vectors: A mapping from the key of each sense to its vector, float32 [width]. None to
                start with an empty table.
        """
        self.vectors = {} if vectors is None else vectors
        self.gradients: dict[int, Floats] = {}

    def __len__(self) -> int:
        """Return the number of senses."""
        return len(self.vectors)

    def add(self, keys: Iterable[int], width: int) -> None:
        """Add senses to fine-tune. Senses that are already in the table keep their vectors.

        Args:
            keys: Keys of the senses to add (see `sense_key`).
            width: Length of the encoder's vectors.
        """
        for key in keys:
            self.vectors.setdefault(key, np.zeros(width, np.float32))

    def has_any(self, keys: Iterable[int]) -> bool:
        """Return whether at least one of several senses was fine-tuned.

        Args:
            keys: Keys of the senses to look up (see `sense_key`).
        """
        return bool(self.vectors) and any(key in self.vectors for key in keys)

    def compare(self, keys: Sequence[int], query: Floats) -> Floats:
        """Compute what fine-tuning adds to the logits of senses in a context.

        Args:
            keys: Keys of the senses to score (see `sense_key`).
            query: Vector of the context, [width].

        Returns:
            Values to add to the logits, float32 [keys]. They are 0 for senses that were not
            fine-tuned.
        """
        logits = np.zeros(len(keys), np.float32)
        for index, key in enumerate(keys):
            if (vector := self.vectors.get(key)) is not None:
                logits[index] = GAIN * (vector @ query)
        return logits

    def backward(self, keys: Sequence[int], query: Floats, gradients: Floats) -> None:
        """Backpropagate from the logits to the vectors, and add the result to `gradients`.

        Args:
            keys: Keys of the senses that `compare` was called with.
            query: Vector of the context, [width].
            gradients: Gradients of the logits that `compare` returned, [keys].
        """
        for key, gradient in zip(keys, gradients, strict=True):
            if key in self.vectors:
                self.gradients[key] = self.gradients.get(key, 0) + GAIN * gradient * query

    def save(self, folder: Path) -> None:
        """Save the vectors to the file `learnt.safetensors`.

        Args:
            folder: Folder of the model's weights.
        """
        keys = sorted(self.vectors)
        matrix = np.stack([self.vectors[key] for key in keys])
        write_arrays(folder / ADAPTED, {"keys": np.array(keys, np.uint64), "vectors": matrix})

    @classmethod
    def load(cls, folder: Path, width: int) -> "AdaptedSenses":
        """Load the vectors from the file `learnt.safetensors`.

        Args:
            folder: Folder of the model's weights.
            width: Length of the encoder's vectors.

        Returns:
            The fine-tuned senses, or an empty table if the folder has no such file.

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
