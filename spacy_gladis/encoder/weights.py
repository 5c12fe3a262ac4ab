"""Weights on disk and in memory: arrays by name, of which compact ones stay compact until used."""

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
UNUSED = "domain."
"""Begins the names of a head that the packaged weights have of their training: nothing runs it."""

SCALES = ".scales"
"""Ends the name of the scales that belong to a matrix of integers."""

WORDS = "bert.embeddings.word_embeddings.weight"
"""The largest matrix, whose rounding is felt least."""

PLACES = "bert.embeddings.position_embeddings.weight"
SEGMENTS = "bert.embeddings.token_type_embeddings.weight"
DISTANCES = "bert.encoder.relative_attention_bias.weight"

GROUP = 64
"""Numbers of a row that share a scale."""

CLIPPED = (1.0, 0.95, 0.9, 0.85, 0.8, 0.75, 0.7, 0.65, 0.6)
"""Parts of a group's largest number that its scale may reach to: clipped, it can serve the rest."""


class Weights:
    """The arrays of AcroBERT's model, under the names that `transformers` gives an encoder's.

    config: the encoder's sizes. arrays: floats of any width, or integers with scales beside them.
    source: where they are from. Raises FormatError where they are not those of such a model.
    """

    def __init__(
        self, config: EncoderConfig, arrays: Mapping[str, NDArray[Any]], source: str = "weights"
    ) -> None:
        self.config = config
        self._arrays = {n: array for n, array in arrays.items() if not n.startswith(UNUSED)}
        names = {name for name in self._arrays if not name.endswith(SCALES)}
        wanted = shapes(config)
        wrong = [name for name in names & wanted.keys() if self._shape(name) != wanted[name]]
        if amiss := sorted((names ^ wanted.keys()).union(wrong)):
            raise FormatError(
                f"{source}: the weights are not those of the model that config.json describes "
                f"({len(amiss)} arrays are missing, too many or of another shape: "
                f"{', '.join(amiss[:3])})"
            )

    @classmethod
    def read(cls, folder: Path, config: EncoderConfig) -> "Weights":
        """Read `model.safetensors`; raises FormatError when it is damaged or does not fit."""
        with reading_tensors(folder / NAME, "missing or damaged weights") as file:
            arrays = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
        return cls(config, arrays, str(folder))

    def write(self, folder: Path, *, compact: bool = False) -> None:
        """Write `model.safetensors`.

        compact: matrices as 8-bit integers with one scale a row, those of the words as 4-bit ones,
        all else as 16-bit floats: a fifth of the size; what it costs in accuracy is in the model
        card. What is compact already is written as it is.
        """
        arrays = dict(self._arrays)
        if compact:
            for name in shapes(self.config):
                arrays |= self._compact(name)
        write_arrays(folder / NAME, arrays, {"format": "pt"})

    def __getitem__(self, name: str) -> Floats:
        """A whole array, in 32 bits."""
        return _whole(self._arrays[name], self._arrays.get(name + SCALES))

    def rows(self, name: str, numbers: Ints) -> Floats:
        """Some rows of a matrix, float32 [*numbers, width]; the others are not made whole."""
        scales = self._arrays.get(name + SCALES)
        return _whole(self._arrays[name][numbers], None if scales is None else scales[numbers])

    def whole(self) -> dict[str, Floats]:
        """All arrays, in 32 bits."""
        return {name: self[name] for name in shapes(self.config)}

    def fingerprint(self) -> str:
        """Identifies the weights behind all vectors, 16 hexadecimal digits: a key of caches."""
        digest = hashlib.sha256()
        for name in sorted(shapes(self.config)):
            # A sum over each array tells any two trainings apart.
            digest.update(f"{name} {float(self[name].sum(dtype=np.float64))!r}".encode())
        return digest.hexdigest()[:16]

    def _shape(self, name: str) -> tuple[int, ...]:
        array = self._arrays[name]
        packed = array.dtype == np.uint8  # two numbers in a byte
        return (*array.shape[:-1], 2 * array.shape[-1]) if packed else array.shape

    def _compact(self, name: str) -> dict[str, NDArray[Any]]:
        """An array in as few bits as it is shipped in, with its scales."""
        array = self._arrays[name]
        if array.dtype in (np.int8, np.uint8):
            return {}
        if name == WORDS and array.shape[1] % GROUP == 0:
            packed, by_group = pack_int4(self[name])
            return {name: packed, name + SCALES: by_group}
        if array.ndim != 2 or len(array) == 1:
            return {name: array.astype(np.float16)}
        whole = self[name]
        scales = np.maximum(np.abs(whole).max(1, keepdims=True), np.float32(1e-12)) / np.float32(
            127
        )
        return {name: np.rint(whole / scales).astype(np.int8), name + SCALES: scales}


def shapes(config: EncoderConfig) -> dict[str, tuple[int, ...]]:
    """The arrays of AcroBERT's model with their shapes."""
    width, inner = config.hidden_size, config.intermediate_size
    found: dict[str, tuple[int, ...]] = {"scale": (), "mention.weight": (width, width)}

    def normalisation(name: str) -> None:
        found[f"{name}.LayerNorm.weight"] = found[f"{name}.LayerNorm.bias"] = (width,)

    def dense(name: str, rows: int, columns: int) -> None:
        found[f"{name}.weight"], found[f"{name}.bias"] = (rows, columns), (rows,)

    found[WORDS] = (config.vocab_size, width)
    found[PLACES] = (config.max_position_embeddings, width)
    found[SEGMENTS] = (config.type_vocab_size, width)
    normalisation("bert.embeddings")
    if config.relative_attention_num_buckets:
        found[DISTANCES] = (config.relative_attention_num_buckets, config.num_attention_heads)
    for layer in range(config.num_hidden_layers):
        name = f"bert.encoder.layer.{layer}"
        for part in ("query", "key", "value"):
            dense(f"{name}.attention.self.{part}", width, width)
        dense(f"{name}.attention.output.dense", width, width)
        normalisation(f"{name}.attention.output")
        dense(f"{name}.intermediate.dense", inner, width)
        dense(f"{name}.output.dense", width, inner)
        normalisation(f"{name}.output")
    return found


def pack_int4(matrix: Floats) -> tuple[NDArray[np.uint8], NDArray[np.float16]]:
    """A matrix as 4-bit numbers, two in a byte, with a scale for each group of a row.

    Bytes [rows, width / 2] and scales [rows, width / GROUP]; the width is a multiple of GROUP.
    Each group has the scale that leaves the least squared error. What `unpack_int4` gives is packed
    into the same again.
    """
    groups = matrix.reshape(len(matrix), -1, GROUP)
    largest = np.maximum(np.abs(groups).max(-1, keepdims=True), np.float32(1e-6))
    # A group that was packed before has its largest number at one of the levels.
    reaches = [7.5 / share for share in CLIPPED] + [level + 0.5 for level in range(7)]
    scales = np.zeros_like(largest)
    least = np.full_like(largest, np.inf)
    for reach in map(np.float32, reaches):
        scale = np.maximum((largest / reach).astype(np.float16), np.float32(1e-7))
        error = np.square(_levels(groups, scale) * scale - groups).sum(-1, keepdims=True)
        better = error < least
        scales, least = np.where(better, scale, scales), np.where(better, error, least)
    numbers = (_levels(groups, scales) + np.float32(7.5)).astype(np.uint8).reshape(len(matrix), -1)
    packed = np.left_shift(numbers[:, 1::2], 4, dtype=np.uint8)
    packed |= numbers[:, ::2]
    return packed, scales.squeeze(-1).astype(np.float16)


def unpack_int4(packed: NDArray[np.uint8], scales: NDArray[np.float16]) -> Floats:
    """The matrix [..., width] as float32."""
    numbers = np.stack([packed & 15, packed >> 4], -1).astype(np.float32) - np.float32(7.5)
    groups = numbers.reshape(*packed.shape[:-1], -1, GROUP) * scales.astype(np.float32)[..., None]
    whole: Floats = groups.reshape(*packed.shape[:-1], -1)
    return whole


def _levels(groups: Floats, scale: Floats) -> Floats:
    """The nearest of -7.5, -6.5, ..., 7.5."""
    found: Floats = np.clip(np.floor(groups / scale) + np.float32(0.5), -7.5, 7.5)
    return found


def _whole(array: NDArray[Any], scales: NDArray[Any] | None) -> Floats:
    if scales is not None and array.dtype == np.uint8:
        return unpack_int4(array, scales)
    full = array.astype(np.float32)
    return full if scales is None else full * scales
