"""Vectors under the keys of their long forms, product-quantised (Jégou et al. 2011).

They are rotated first, so that every part holds as much of what tells vectors apart (optimised
product quantisation, Ge et al. 2013).
"""

from collections.abc import Sequence
from hashlib import blake2b
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from ..arrays import Floats, Ints
from ..errors import FormatError
from ..files import reading_tensors, write_arrays
from ..rules import merge_key

ROWS = {"keys", "codes", "seen"}
"""What has a row for each vector."""

REMEMBERED = 200_000
"""Rows of long forms looked up before are kept for this many strings."""


def sense_key(long_form: str) -> int:
    """64-bit hash of a long form's merge key."""
    return int.from_bytes(blake2b(merge_key(long_form).encode(), digest_size=8).digest(), "little")


C = TypeVar("C", bound="CodedVectors")


class CodedVectors:
    """Vectors of long forms in a few bytes each, found by the hash of the merge key.

    So they serve any dictionary, a user's own too. keys: sorted 64-bit hashes [n]. codes:
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
        self._rows: dict[str, int] = {}

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
        if not len(self):
            return np.full(len(long_forms), -1)
        found = []
        for name in long_forms:
            row = self._rows.get(name)
            if row is None:
                key = np.uint64(sense_key(name))
                row = int(np.searchsorted(self.keys, key))
                if row == len(self.keys) or self.keys[row] != key:
                    row = -1
                if len(self._rows) >= REMEMBERED:
                    self._rows.clear()
                self._rows[name] = row
            found.append(row)
        return np.array(found, dtype=np.int64)

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
