"""The weights of the AcroBERT model, in a file and in memory.

Quantized arrays stay quantized in memory and are converted to float32 when they are used.
"""

import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..arrays import Floats, Ints
from ..errors import FormatError
from ..files import reading_tensors, write_arrays
from .encoder import EncoderConfig

NAME = "model.safetensors"
UNUSED_PREFIX = "domain."
"""Prefix of the names of arrays that only training used. They are ignored."""

SCALES_SUFFIX = ".scales"
"""Suffix of the name of the array that contains the scales of a quantized matrix."""

WORDS = "bert.embeddings.word_embeddings.weight"
"""Name of the matrix of word embeddings. It is the largest matrix and the least sensitive to
quantization."""

POSITIONS = "bert.embeddings.position_embeddings.weight"
SEGMENTS = "bert.embeddings.token_type_embeddings.weight"
DISTANCES = "bert.encoder.relative_attention_bias.weight"

GROUP = 64
"""Number of consecutive values in a row of a matrix that share a scale in 4-bit quantization."""

CLIPPING = (1.0, 0.95, 0.9, 0.85, 0.8, 0.75, 0.7, 0.65, 0.6)
"""Clipping ratios that are tried in 4-bit quantization. Clipping the largest values of a group can
make the other values more precise."""


class Weights:
    """The weights of an AcroBERT model, which may be quantized.

    The expression ``weights[name]`` returns an array in float32. Parameters of the encoder have the
    names of transformers' BertModel, with the prefix ``bert.``. The function `array_shapes` lists
    all names.

    Attributes:
        config: Sizes of the encoder.
    """

    def __init__(
        self, config: EncoderConfig, arrays: Mapping[str, NDArray[Any]], source: str = "weights"
    ) -> None:
        """Create the weights from arrays, after checking their names and shapes.

        Args:
            config: Sizes of the encoder, which determine the names and shapes.
            arrays: A mapping from names to arrays. An array has floats of any precision, or
                integers from quantization. The scales of a quantized matrix are another array,
                whose name ends in ``.scales``.
            source: Name of the file that the arrays come from, used in error messages.

        Raises:
            FormatError: If arrays are missing, unknown or of the wrong shape.
        """
        self.config = config
        self._arrays = {
            name: array for name, array in arrays.items() if not name.startswith(UNUSED_PREFIX)
        }
        names = {name for name in self._arrays if not name.endswith(SCALES_SUFFIX)}
        shapes = array_shapes(config)
        mismatched = [name for name in names & shapes.keys() if self._shape(name) != shapes[name]]
        if invalid := sorted((names ^ shapes.keys()).union(mismatched)):
            raise FormatError(
                f"{source}: the weights do not match config.json. Arrays that are missing, unknown "
                f"or of another shape ({len(invalid)}): {', '.join(invalid[:3])}. Use the "
                "config.json that was saved with the weights."
            )

    @classmethod
    def read(cls, folder: Path, config: EncoderConfig) -> "Weights":
        """Read the weights of a model from the file `model.safetensors` in its folder.

        Args:
            folder: Folder that contains the file.
            config: Sizes of the encoder.

        Returns:
            The weights. Quantized arrays stay quantized.

        Raises:
            FormatError: If the file is missing or damaged, or doesn't match the configuration.
        """
        with reading_tensors(folder / NAME, "missing or damaged weights") as file:
            arrays = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
        return cls(config, arrays, str(folder))

    def write(self, folder: Path, *, compact: bool = False) -> None:
        """Write the weights of a model to the file `model.safetensors` in a folder.

        Args:
            folder: Folder in which the file is written.
            compact: Whether to quantize the weights, which makes the file five times smaller. Word
                embeddings become 4-bit integers, and other matrices become 8-bit integers with a
                scale for each row. All other arrays become 16-bit floats. See the model card for
                the loss of accuracy. Arrays that are already quantized are written unchanged.
        """
        arrays = dict(self._arrays)
        if compact:
            for name in array_shapes(self.config):
                arrays |= self._quantize(name)
        write_arrays(folder / NAME, arrays, {"format": "pt"})

    def __getitem__(self, name: str) -> Floats:
        """Return an array of the weights, converted to float32.

        Args:
            name: Name of the array, such as ``"mention.weight"``.
        """
        return _dequantize(self._arrays[name], self._arrays.get(name + SCALES_SUFFIX))

    def rows(self, name: str, indices: Ints) -> Floats:
        """Return some rows of a matrix in float32, without converting the other rows.

        This is how the embeddings of a text's word pieces are looked up in a quantized matrix.

        Args:
            name: Name of the matrix.
            indices: Indices of the rows, in an array of any shape.

        Returns:
            The rows, float32 of shape (*indices.shape, columns).
        """
        scales = self._arrays.get(name + SCALES_SUFFIX)
        return _dequantize(self._arrays[name][indices], None if scales is None else scales[indices])

    def dequantize(self) -> dict[str, Floats]:
        """Return a mapping from the names of all arrays to their values in float32."""
        return {name: self[name] for name in array_shapes(self.config)}

    def fingerprint(self) -> str:
        """Compute a string that identifies the weights, for example to name a cache of vectors.

        Returns:
            A string of 16 hexadecimal digits, which changes if the weights change.
        """
        digest = hashlib.sha256()
        for name in sorted(array_shapes(self.config)):
            # The sums of all arrays differ between any two trained models.
            digest.update(f"{name} {float(self[name].sum(dtype=np.float64))!r}".encode())
        return digest.hexdigest()[:16]

    def _shape(self, name: str) -> tuple[int, ...]:
        array = self._arrays[name]
        is_packed = array.dtype == np.uint8  # two 4-bit values in a byte
        return (*array.shape[:-1], 2 * array.shape[-1]) if is_packed else array.shape

    def _quantize(self, name: str) -> dict[str, NDArray[Any]]:
        """Return an array in quantized form together with its scales, by name."""
        array = self._arrays[name]
        if array.dtype in (np.int8, np.uint8):
            return {}
        if name == WORDS and array.shape[1] % GROUP == 0:
            packed, group_scales = pack_int4(self[name])
            return {name: packed, name + SCALES_SUFFIX: group_scales}
        if array.ndim != 2 or len(array) == 1:
            return {name: array.astype(np.float16)}
        matrix = self[name]
        scales = np.maximum(np.abs(matrix).max(1, keepdims=True), np.float32(1e-12)) / np.float32(
            127
        )
        return {name: np.rint(matrix / scales).astype(np.int8), name + SCALES_SUFFIX: scales}


def array_shapes(config: EncoderConfig) -> dict[str, tuple[int, ...]]:
    """Return the names and shapes of all arrays in an AcroBERT model.

    Args:
        config: Sizes of the encoder.

    Returns:
        A mapping from names to shapes. The arrays ``scale`` and ``mention.weight`` belong to
        AcroBERT itself, and all other arrays belong to its encoder.
    """
    width, inner = config.hidden_size, config.intermediate_size
    shapes: dict[str, tuple[int, ...]] = {"scale": (), "mention.weight": (width, width)}

    def add_normalization(name: str) -> None:
        shapes[f"{name}.LayerNorm.weight"] = shapes[f"{name}.LayerNorm.bias"] = (width,)

    def add_dense(name: str, rows: int, columns: int) -> None:
        shapes[f"{name}.weight"], shapes[f"{name}.bias"] = (rows, columns), (rows,)

    shapes[WORDS] = (config.vocab_size, width)
    shapes[POSITIONS] = (config.max_position_embeddings, width)
    shapes[SEGMENTS] = (config.type_vocab_size, width)
    add_normalization("bert.embeddings")
    if config.relative_attention_num_buckets:
        shapes[DISTANCES] = (config.relative_attention_num_buckets, config.num_attention_heads)
    for layer in range(config.num_hidden_layers):
        name = f"bert.encoder.layer.{layer}"
        for part in ("query", "key", "value"):
            add_dense(f"{name}.attention.self.{part}", width, width)
        add_dense(f"{name}.attention.output.dense", width, width)
        add_normalization(f"{name}.attention.output")
        add_dense(f"{name}.intermediate.dense", inner, width)
        add_dense(f"{name}.output.dense", width, inner)
        add_normalization(f"{name}.output")
    return shapes


def pack_int4(matrix: Floats) -> tuple[NDArray[np.uint8], NDArray[np.float16]]:
    """Quantize a matrix to integers of 4 bits, two of which are packed into a byte.

    Every `GROUP` consecutive values of a row share a scale, which is chosen to minimize the squared
    error. Packing the result of `unpack_int4` again reproduces the same bytes.

    Args:
        matrix: The matrix, float32 of shape (rows, columns). The number of columns is a multiple of
            `GROUP`.

    Returns:
        A pair of arrays. The first has the packed values, uint8 of shape (rows, columns / 2). The
        second has the scale of each group, float16 of shape (rows, columns / `GROUP`).
    """
    groups = matrix.reshape(len(matrix), -1, GROUP)
    largest = np.maximum(np.abs(groups).max(-1, keepdims=True), np.float32(1e-6))
    # The largest value of a group that was packed before is exactly one of the levels.
    divisors = [7.5 / ratio for ratio in CLIPPING] + [level + 0.5 for level in range(7)]
    scales = np.zeros_like(largest)
    least = np.full_like(largest, np.inf)
    for divisor in map(np.float32, divisors):
        scale = np.maximum((largest / divisor).astype(np.float16), np.float32(1e-7))
        error = np.square(_to_levels(groups, scale) * scale - groups).sum(-1, keepdims=True)
        is_better = error < least
        scales, least = np.where(is_better, scale, scales), np.where(is_better, error, least)
    levels = _to_levels(groups, scales) + np.float32(7.5)
    codes = levels.astype(np.uint8).reshape(len(matrix), -1)
    packed = np.left_shift(codes[:, 1::2], 4, dtype=np.uint8)
    packed |= codes[:, ::2]
    return packed, scales.squeeze(-1).astype(np.float16)


def unpack_int4(packed: NDArray[np.uint8], scales: NDArray[np.float16]) -> Floats:
    """Convert a matrix that `pack_int4` quantized, or some of its rows, back to float32.

    Args:
        packed: Bytes with two 4-bit values each, shape (..., columns / 2).
        scales: Scale of each group of values, shape (..., columns / `GROUP`).

    Returns:
        The values, float32 of shape (..., columns).
    """
    levels = np.stack([packed & 15, packed >> 4], -1).astype(np.float32) - np.float32(7.5)
    groups = levels.reshape(*packed.shape[:-1], -1, GROUP) * scales.astype(np.float32)[..., None]
    matrix: Floats = groups.reshape(*packed.shape[:-1], -1)
    return matrix


def _to_levels(groups: Floats, scale: Floats) -> Floats:
    """Round values, divided by their scale, to the nearest of the levels -7.5, -6.5, ..., 7.5."""
    levels: Floats = np.clip(np.floor(groups / scale) + np.float32(0.5), -7.5, 7.5)
    return levels


def _dequantize(array: NDArray[Any], scales: NDArray[Any] | None) -> Floats:
    if scales is not None and array.dtype == np.uint8:
        return unpack_int4(array, scales)
    values = array.astype(np.float32)
    return values if scales is None else values * scales
