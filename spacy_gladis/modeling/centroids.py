"""Context centroids: what contexts each long form was seen in, a vector each of a few bytes.

A long form says less about its contexts than the contexts themselves do. For every long
form of the training text the mean of its contexts' vectors is kept, product-quantised (Jégou et
al. 2011), under a hash of its merge key: so it serves any dictionary, a user's own too.
"""

from collections.abc import Iterable, Sequence
from hashlib import blake2b
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import FormatError
from ..files import writing
from ..rules import merge_key

NAME = "senses.safetensors"
"""As version 0.1 named it."""

REMEMBERED = 200_000
"""Rows of long forms looked up before are kept for this many strings."""

Floats = NDArray[np.float32]


def sense_key(long_form: str) -> int:
    """64-bit hash of a long form's merge key."""
    return int.from_bytes(blake2b(merge_key(long_form).encode(), digest_size=8).digest(), "little")


class ContextCentroids:
    """Mean context vectors of long forms.

    keys: sorted 64-bit hashes [n]. seen: how many contexts each mean is of [n]. codes: [n, parts].
    codebooks: [parts, 256, width / parts].
    """

    def __init__(
        self,
        keys: NDArray[np.uint64],
        seen: NDArray[np.uint16],
        codes: NDArray[np.uint8],
        codebooks: NDArray[np.float16],
    ) -> None:
        self.keys, self.seen, self.codes = keys, seen, codes
        self.codebooks = codebooks.astype(np.float32)
        self._rows: dict[str, int] = {}

    def __len__(self) -> int:
        return len(self.keys)

    @classmethod
    def empty(cls) -> "ContextCentroids":
        """None: every similarity is 0."""
        return cls(
            np.zeros(0, np.uint64),
            np.zeros(0, np.uint16),
            np.zeros((0, 1), np.uint8),
            np.zeros((1, 1, 1), np.float16),
        )

    def rows(self, long_forms: Iterable[str]) -> NDArray[np.int64]:
        """The row of each long form, -1 where it was never seen."""
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

    def vectors(self, rows: NDArray[np.int64]) -> Floats:
        """The mean vectors of rows, [n, width]."""
        parts = np.arange(self.codes.shape[1])
        decoded: Floats = self.codebooks[parts, self.codes[rows]].reshape(len(rows), -1)
        return decoded

    def compare(self, long_forms: Sequence[str], query: Floats) -> tuple[Floats, Floats]:
        """How alike a context is to those of each long form, and how many those were.

        query: a context's unit vector [width]. Returns cosines shrunk by n / (n + 1), 0 where
        nothing is known, and log(1 + n); both [long forms].
        """
        rows = self.rows(long_forms)
        known = rows >= 0
        alike = np.zeros(len(rows), dtype=np.float32)
        count = np.zeros(len(rows), dtype=np.float32)
        if known.any():
            vectors = self.vectors(rows[known])
            number = self.seen[rows[known]].astype(np.float32)
            cosine = vectors @ query / np.maximum(np.linalg.norm(vectors, axis=1), 1e-6)
            alike[known] = cosine * number / (number + 1)
            count[known] = np.log1p(number)
        return alike, count

    def save(self, folder: Path) -> None:
        """Write `senses.safetensors`."""
        from safetensors.numpy import save_file

        arrays: dict[str, NDArray[Any]] = {
            "keys": self.keys,
            "seen": self.seen,
            "codes": self.codes,
            "codebooks": self.codebooks.astype(np.float16),
        }
        with writing(folder / NAME) as temporary:
            save_file(arrays, temporary)

    @classmethod
    def load(cls, folder: Path) -> "ContextCentroids":
        """Read `senses.safetensors`; none where there is no such file, FormatError if broken."""
        from safetensors import SafetensorError
        from safetensors.numpy import load_file

        path = folder / NAME
        if not path.is_file():
            return cls.empty()
        try:
            arrays = load_file(path)
            found = cls(arrays["keys"], arrays["seen"], arrays["codes"], arrays["codebooks"])
        except (SafetensorError, KeyError, OSError) as error:
            raise FormatError(f"{path}: no context centroids, or damaged ones ({error})") from None
        if not len(found.keys) == len(found.seen) == len(found.codes):
            raise FormatError(f"{path}: tables of unequal length; the file is damaged")
        return found
