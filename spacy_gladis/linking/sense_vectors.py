"""Vectors of senses, stored under a hash of the long form.

The hash is computed from the long form's merge key, which is equal for all its spellings. It
doesn't depend on a dictionary, so the vectors can be used with any dictionary.

The weights come with vectors of long forms and with mean vectors of the contexts in which long
forms occur. These vectors are compressed to a few bytes each by product quantisation (Jégou et al.
2011), after a rotation that distributes the information evenly over the parts (optimised product
quantisation, Ge et al. 2013). Vectors that are fine-tuned on labelled texts are not compressed.

Probabilistic linear discriminant analysis (PLDA, Ioffe 2006) scores how much more likely a context
is under a sense than under the background. It assumes that senses are normally distributed around
the mean of all contexts, and that the contexts of a sense are normally distributed around the
sense. Both distributions are independent on the axes of the model. On these axes, the contexts of a
sense have variance 1, and the senses have variance `between`. The fewer contexts of a sense were
seen, the closer its estimate is to the overall mean.
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
"""Names under which a file stores the arrays of a `SenseLikelihood`."""


@dataclass(frozen=True)
class SenseLikelihood:
    """A PLDA model, which scores how likely the context of a mention belongs to a sense.

    PLDA stands for probabilistic linear discriminant analysis. It compares the likelihood of the
    context under the sense with its likelihood under the background of all contexts.

    Attributes:
        mean: Mean vector of the senses, float32 [width].
        projection: Matrix that projects vectors onto the axes of the model, float32 [width, axes].
        between: Variance of the senses on each axis, float32 [axes]. The variance of contexts
            within a sense is 1.
        temper: Factor of the log-likelihood ratios. It corrects for axes that are not fully
            independent.
    """

    mean: Floats
    projection: Floats
    between: Floats
    temper: float

    @classmethod
    def from_arrays(cls, arrays: dict[str, NDArray[Any]]) -> "SenseLikelihood":
        """Create a PLDA model from named arrays, such as those that `arrays` returns.

        Args:
            arrays: A mapping from names to arrays. Names other than those in `ARRAYS` are ignored.

        Raises:
            KeyError: If an array is missing.
            ValueError: If the shapes of the arrays don't match, or if a variance is not positive.
        """
        mean, projection, between, temper = (arrays[name].astype(np.float32) for name in ARRAYS)
        if projection.shape != (*mean.shape, *between.shape) or temper.shape != (1,):
            shapes = {name: arrays[name].shape for name in ARRAYS}
            raise ValueError(f"the shapes of the likelihood's arrays do not match: {shapes}")
        if not ((between > 0) & np.isfinite(between)).all():
            raise ValueError("a variance of the likelihood is not positive")
        return cls(mean, projection, between, float(temper[0]))

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return the arrays of the PLDA model under the names that they have in a file."""
        return {
            "mean": self.mean.astype(np.float16),
            # safetensors writes arrays in memory order and ignores strides.
            "projection": np.ascontiguousarray(self.projection, np.float16),
            "between": self.between.astype(np.float32),
            "temper": np.array([self.temper], np.float32),
        }

    def select_axes(self, axes: Ints) -> "SenseLikelihood":
        """Return a PLDA model that uses only some of this model's axes.

        Args:
            axes: Indices of the axes to keep, in their new order, int64 [axes].
        """
        return replace(self, projection=self.projection[:, axes], between=self.between[axes])

    def project(self, vectors: Floats) -> Floats:
        """Project vectors of contexts onto the axes of the PLDA model.

        Args:
            vectors: Vectors of contexts, as the encoder computes them, [..., width].

        Returns:
            Coordinates of the vectors on the axes, [..., axes].
        """
        projected: Floats = (vectors - self.mean) @ self.projection
        return projected

    def estimate_senses(self, means: Floats, seen: Floats) -> Floats:
        """Estimate the positions of senses from the contexts in which they were seen.

        The estimate is the posterior mean of a sense given its contexts. It is closer to the
        overall mean if the sense was seen in fewer documents.

        Args:
            means: Mean vector of each sense's contexts, [senses, width].
            seen: Number of documents from which each sense's contexts come, [senses].

        Returns:
            Estimated coordinates of the senses on the axes of the model, [senses, axes].
        """
        precision = self.between * seen[:, None]
        senses: Floats = self.project(means) * (precision / (precision + 1))
        return senses

    def unproject(self, senses: Floats) -> Floats:
        """Convert coordinates on the axes of the PLDA model back to vectors of contexts.

        Args:
            senses: Coordinates of senses, [senses, axes], as `estimate_senses` returns them.

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
            A log-likelihood ratio for each sense, float32 [senses]. Positive values speak for the
            sense.
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
"""Name of the file with the fine-tuned sense vectors in a folder of weights."""

ROWS = {"keys", "codes", "seen"}
"""Names of the stored arrays that have one row for each vector."""

GAIN = 44.0
"""Factor by which the product of a fine-tuned sense vector and a context's vector is multiplied.
The components of a unit vector are near 0.05. With this factor and spaCy's default learning rate
for Adam, 0.001, a sense is trained in about eighty steps."""

C = TypeVar("C", bound="CodedVectors")
S = TypeVar("S", bound="ContextCentroids")


@lru_cache(200_000)
def sense_key(long_form: str) -> int:
    """Return the 64-bit hash under which the vectors of a long form are stored.

    All spellings with the same merge key, such as "neural network" and "Neural networks", have the
    same hash.

    Args:
        long_form: The long form, in any spelling.
    """
    return int.from_bytes(blake2b(merge_key(long_form).encode(), digest_size=8).digest(), "little")


class CodedVectors:
    """Vectors of long forms, compressed to a few bytes each by product quantisation.

    A vector is split into parts. Each part is stored as the index of the nearest of 256 centroids.
    """

    FILE: str
    """Name of the file that contains the vectors in a folder of weights."""

    def __init__(
        self,
        keys: NDArray[np.uint64],
        codes: NDArray[np.uint8],
        codebooks: NDArray[np.float16],
        rotation: NDArray[np.float16] | None = None,
    ) -> None:
        """Create compressed vectors from the arrays in which they are stored.

        Args:
            keys: Hashes of the long forms (see `sense_key`), in ascending order, uint64 [vectors].
            codes: For each part of each vector, the index of its centroid in the codebook, uint8
                [vectors, parts].
            codebooks: The 256 centroids of each part, float16 [parts, 256, width / parts].
            rotation: Orthogonal matrix by which the vectors were multiplied before quantisation,
                float16 [width, width]. None if they were not rotated.
        """
        self.keys, self.codes = keys, codes
        self.codebooks = codebooks.astype(np.float32)
        self.rotation = None if rotation is None else rotation.astype(np.float32)

    def __len__(self) -> int:
        """Return the number of stored vectors."""
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
        """Create compressed vectors from named arrays, such as those that `arrays` returns.

        Args:
            arrays: A mapping from the names `keys`, `codes`, `codebooks` and optionally `rotation`
                to arrays.

        Raises:
            KeyError: If an array is missing.
        """
        return cls(arrays["keys"], arrays["codes"], arrays["codebooks"], arrays.get("rotation"))

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return the arrays of the compressed vectors under the names that they have in a file."""
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
            Row of each long form's vector, int64 [long forms]. It is -1 for a long form without a
            vector.
        """
        keys = np.array([sense_key(name) for name in long_forms], np.uint64)
        rows = np.searchsorted(self.keys, keys)
        has_row = rows < len(self.keys)
        has_row[has_row] = self.keys[rows[has_row]] == keys[has_row]
        return np.where(has_row, rows, -1)

    def decode(self, rows: Ints) -> Floats:
        """Decompress the vectors in the given rows.

        Args:
            rows: Rows to decompress, as returned by `find_rows`, int64 [rows].

        Returns:
            Approximations of the original vectors, float32 [rows, width].
        """
        decoded = self.decode_rotated(rows)
        return decoded if self.rotation is None else decoded @ self.rotation.T

    def decode_rotated(self, rows: Ints) -> Floats:
        """Decompress the vectors in the given rows, but leave them rotated.

        This is faster than `decode`. To multiply the result with other vectors, rotate these with
        `rotate` first. The products are then the same as without rotation.

        Args:
            rows: Rows to decompress, as returned by `find_rows`, int64 [rows].

        Returns:
            Approximations of the rotated vectors, float32 [rows, width].
        """
        parts = np.arange(self.codes.shape[1])
        decoded: Floats = self.codebooks[parts, self.codes[rows]].reshape(len(rows), -1)
        return decoded

    def rotate(self, vectors: Floats) -> Floats:
        """Rotate vectors so that they can be compared with the result of `decode_rotated`.

        Args:
            vectors: Vectors to rotate, [..., width].

        Returns:
            The rotated vectors, in the same shape. If the stored vectors are not rotated, the
            vectors are returned unchanged.
        """
        return vectors if self.rotation is None else vectors @ self.rotation

    def save(self, folder: Path) -> None:
        """Save the vectors to the file that the class attribute `FILE` names.

        Args:
            folder: Existing folder that contains the model's weights.
        """
        write_arrays(folder / self.FILE, self.arrays())

    @classmethod
    def load(cls: type[C], folder: Path) -> C:
        """Load vectors from the file that the class attribute `FILE` names.

        Args:
            folder: Folder that contains the model's weights.

        Returns:
            The vectors, or an object without vectors if the folder doesn't contain the file.

        Raises:
            FormatError: If the file is damaged, or if its arrays don't fit together.
        """
        path = folder / cls.FILE
        if not path.is_file():
            return cls.empty()
        with reading_tensors(path, "the file is damaged or has no coded vectors") as file:
            arrays = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
            vectors = cls.from_arrays(arrays)
        lengths = {len(arrays[name]) for name in ROWS & arrays.keys()}
        if len(lengths) != 1 or len(vectors.codebooks) != vectors.codes.shape[1]:
            raise FormatError(
                f"{path}: the file is damaged, because its arrays differ in length. Download or "
                "copy the weights again."
            )
        return vectors


class StoredVectors(CodedVectors):
    """Precomputed vectors of long forms, which are installed with the weights.

    They save the time to encode frequent long forms.
    """

    FILE = "long_forms.safetensors"


class ContextCentroids(CodedVectors):
    """For each long form, the mean vector of the contexts in which it was seen in training.

    The mean shows in what kind of text a long form occurs. The linker compares the context of a new
    mention with it.

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
        """Create mean vectors of contexts from named arrays, such as those that `arrays` returns.

        Args:
            arrays: A mapping from names to arrays: those of `CodedVectors`, `seen`, and optionally
                those of a `SenseLikelihood`.

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
        """Return the arrays of the mean vectors under the names that they have in a file."""
        likelihood = self.likelihood.arrays() if self.likelihood else {}
        return {**super().arrays(), "seen": self.seen, **likelihood}

    def decode(self, rows: Ints) -> Floats:
        """Decompress the mean vectors of contexts in the given rows.

        Args:
            rows: Rows to decompress, as returned by `find_rows`, int64 [rows].

        Returns:
            Approximations of the mean vectors, float32 [rows, width].
        """
        if self.likelihood is None:
            return super().decode(rows)
        return self.likelihood.unproject(self.decode_rotated(rows))

    def compare(
        self, long_forms: Sequence[str], query: Floats, scale: float = 1.0
    ) -> tuple[Floats, Floats]:
        """Compare the context of a mention with the contexts in which each long form was seen.

        With a likelihood, the score of a long form is a log-likelihood ratio. Without one, the
        score is ``scale * cosine * n / (n + 1)``, where n is the number of contexts in which the
        long form was seen.

        Args:
            long_forms: Long forms of an acronym's candidates.
            query: Vector of the mention's context, [width].
            scale: Factor by which cosines are multiplied. It has no effect with a likelihood.

        Returns:
            A tuple of two arrays, float32 [long forms]. The first contains the scores, and the
            second contains log(1 + n). Both are 0 for long forms that were never seen.
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


class SenseProjection:
    """A linear map that brings the vector of a context closer to the vector of its sense.

    The encoder was trained on long forms without glosses. The map is trained to find the vectors of
    long forms with glosses, on labelled texts, while the encoder doesn't change. Stored vectors
    therefore stay valid.

    Attributes:
        matrix: The map, float32 [width, width]. Empty for a model without a projection.
    """

    FILE = "projection.safetensors"

    def __init__(self, matrix: Floats) -> None:
        """Create the projection from its matrix.

        Args:
            matrix: The map, [width, width].
        """
        self.matrix = matrix

    @classmethod
    def empty(cls) -> "SenseProjection":
        """Return a projection for a model that has none."""
        return cls(np.zeros((0, 0), np.float32))

    def __len__(self) -> int:
        """Return the length of the vectors, or 0 if the model has no projection."""
        return len(self.matrix)

    def project(self, contexts: Floats) -> Floats:
        """Project the vectors of contexts.

        Args:
            contexts: Unit vectors of contexts, [contexts, width].

        Returns:
            A unit vector for each context, float32 [contexts, width].
        """
        projected = contexts @ self.matrix
        lengths = np.linalg.norm(projected, axis=1, keepdims=True)
        unit: Floats = projected / np.maximum(lengths, np.float32(1e-12))
        return unit

    def save(self, folder: Path) -> None:
        """Save the matrix as 16-bit floats to the file `projection.safetensors`.

        Args:
            folder: Existing folder that contains the model's weights.
        """
        write_arrays(folder / self.FILE, {"matrix": self.matrix.astype(np.float16)})

    @classmethod
    def load(cls, folder: Path, width: int) -> "SenseProjection":
        """Load the matrix from the file `projection.safetensors`.

        Args:
            folder: Folder that contains the model's weights.
            width: Length of the encoder's vectors.

        Returns:
            The projection, or an empty one if the folder doesn't contain the file.

        Raises:
            FormatError: If the file is damaged, or if its matrix has another size.
        """
        path = folder / cls.FILE
        if not path.is_file():
            return cls.empty()
        with reading_tensors(path, "the file is damaged or has no projection") as file:
            matrix = file.get_tensor("matrix").astype(np.float32)
        if matrix.shape != (width, width):
            raise FormatError(
                f"{path}: the matrix has the size {matrix.shape}, but the vectors of the encoder "
                f"have the length {width}. Download or copy the weights again."
            )
        return cls(matrix)


class AdaptedSenses:
    """Vectors of senses that are fine-tuned on labelled texts.

    For each sense, `GAIN` times the product of its vector and the context's vector is added to its
    logit. The vectors start at zero, so the logits of senses without training don't change. The
    encoder is not trained, so the stored vectors of long forms and the mean vectors of contexts
    stay valid.

    Attributes:
        gradients: A mapping from the hash of each sense (see `sense_key`) to the sum of its
            gradients. They are collected here until an optimizer applies them.
    """

    def __init__(self, vectors: dict[int, Floats] | None = None) -> None:
        """Create a table of fine-tuned sense vectors.

        Args:
            vectors: A mapping from the hash of each sense (see `sense_key`) to its vector, float32
                [width]. None creates an empty table.
        """
        self.vectors = {} if vectors is None else vectors
        self.gradients: dict[int, Floats] = {}

    def __len__(self) -> int:
        """Return the number of senses in the table."""
        return len(self.vectors)

    def add(self, keys: Iterable[int], width: int) -> None:
        """Add senses to fine-tune, with vectors of zeros.

        Senses that are already in the table keep their vectors.

        Args:
            keys: Hashes of the senses to add (see `sense_key`).
            width: Number of components of the encoder's vectors.
        """
        for key in keys:
            self.vectors.setdefault(key, np.zeros(width, np.float32))

    def compare(self, keys: Sequence[int], query: Floats) -> Floats:
        """Compute the values that fine-tuning adds to the logits of senses in a context.

        Args:
            keys: Hashes of the senses to score (see `sense_key`).
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
        """Backpropagate from the logits to the sense vectors, and add the result to `gradients`.

        Args:
            keys: Hashes of the senses that were passed to `compare`.
            query: Vector of the context that was passed to `compare`, [width].
            gradients: Gradients of the values that `compare` returned, [keys].
        """
        for key, gradient in zip(keys, gradients, strict=True):
            if key in self.vectors:
                self.gradients[key] = self.gradients.get(key, 0) + GAIN * gradient * query

    def save(self, folder: Path) -> None:
        """Save the fine-tuned vectors to the file `learnt.safetensors`.

        Args:
            folder: Existing folder that contains the model's weights.
        """
        keys = sorted(self.vectors)
        matrix = np.stack([self.vectors[key] for key in keys])
        write_arrays(folder / ADAPTED, {"keys": np.array(keys, np.uint64), "vectors": matrix})

    @classmethod
    def load(cls, folder: Path, width: int) -> "AdaptedSenses":
        """Load fine-tuned vectors from the file `learnt.safetensors`.

        Args:
            folder: Folder that contains the model's weights.
            width: Length of the encoder's vectors, which the fine-tuned vectors must have.

        Returns:
            The fine-tuned vectors, or an empty table if the folder doesn't contain the file.

        Raises:
            FormatError: If the file is damaged, or if its vectors have another length.
        """
        path = folder / ADAPTED
        if not path.is_file():
            return cls()
        with reading_tensors(path, "the file is damaged or has no fine-tuned senses") as file:
            keys, matrix = file.get_tensor("keys"), file.get_tensor("vectors")
        if matrix.shape != (len(keys), width):
            raise FormatError(
                f"{path}: the file is damaged, because its arrays differ in size. Download or copy "
                "the weights again."
            )
        return cls(dict(zip(keys.tolist(), matrix.astype(np.float32), strict=True)))
