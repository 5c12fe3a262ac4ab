"""Words beside a mention: "GI bleeding" is gastrointestinal, whatever the text is about.

The vector of a context is the mean of sixty word pieces and drowns the two that stand next to the
mention. So it is counted which words stand beside each long form in the corpus, and what tells most
is kept: the logarithm of how much likelier a word is there than anywhere. Half a megabyte holds it:
a table of 16-bit cells in which a pair of long form and word has one place, found by its hash; ten
bits of the cell are of the pair, and tell it from most others that would have the same place.
"""

import re
from collections.abc import Sequence
from functools import lru_cache
from hashlib import blake2b
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ..arrays import Floats
from ..errors import FormatError
from ..files import reading_tensors, write_arrays
from ..text import Mention
from .sense_vectors import sense_key

NAME = "neighbours.safetensors"

BESIDE, REACH = 3, 60
"""Words to each side of a mention, and the characters in which they are looked for."""

STEM = 6
"""Of a word so many letters count."""

STEP, LEVELS = 0.25, 64
"""What a cell tells is a multiple of STEP, below LEVELS of them."""

_WORD = re.compile(r"[^\W_]+")
_MIX = np.uint64(0x9E3779B97F4A7C15)


class Neighbours:
    """Which words stand beside long forms.

    cells: uint16 [a power of two]; 0 where there is none. The low six bits are the number of STEPs,
    the others of the pair's hash.
    """

    def __init__(self, cells: NDArray[np.uint16]) -> None:
        self.cells = cells

    def __len__(self) -> int:
        return len(self.cells)

    @property
    def filled(self) -> int:
        """How many pairs the table holds."""
        return int(np.count_nonzero(self.cells))

    @classmethod
    def empty(cls) -> "Neighbours":
        """Nothing is known."""
        return cls(np.zeros(0, np.uint16))

    @classmethod
    def of(
        cls, senses: NDArray[np.uint64], words: NDArray[np.uint64], logs: Floats, size: int
    ) -> "Neighbours":
        """A table of `size` cells; of pairs with the same place the last one stays.

        senses, words, logs: of each pair the sense's key, the word's, and how much likelier the
        word is beside it than anywhere, as a logarithm, [pairs].
        """
        cells = np.zeros(size, np.uint16)
        places, marks = _places(senses, words, size)
        steps = np.clip(np.round(logs / STEP), 0, LEVELS - 1).astype(np.uint16)
        cells[places] = marks | steps
        return cls(cells)

    def beside(self, long_forms: Sequence[str], mention: Mention) -> Floats:
        """How much the words beside a mention speak for each long form, float32 [long forms]."""
        words = words_beside(mention)
        if not len(self) or not words:
            return np.zeros(len(long_forms), np.float32)
        senses = np.array([sense_key(name) for name in long_forms], np.uint64)
        keys = np.array([word_key(word) for word in words], np.uint64)
        places, marks = _places(senses[:, None], keys[None, :], len(self))
        found = self.cells[places]
        steps = np.where(found & ~np.uint16(LEVELS - 1) == marks, found & (LEVELS - 1), 0)
        logs: Floats = (STEP * steps.sum(axis=1)).astype(np.float32)
        return logs

    def save(self, folder: Path) -> None:
        """Write `neighbours.safetensors`."""
        write_arrays(folder / NAME, {"cells": self.cells})

    @classmethod
    def load(cls, folder: Path) -> "Neighbours":
        """Read `neighbours.safetensors`; nothing where there is none, FormatError if damaged."""
        path = folder / NAME
        if not path.is_file():
            return cls.empty()
        with reading_tensors(path, "no words beside mentions, or a damaged file") as file:
            cells = file.get_tensor("cells")
        if cells.dtype != np.uint16 or cells.ndim != 1 or len(cells).bit_count() != 1:
            raise FormatError(f"{path}: a table of another kind; the file is damaged")
        return cls(cells)


def words_beside(mention: Mention) -> frozenset[str]:
    """The beginnings of the BESIDE words before a mention and of those behind it."""
    before, _, behind = mention.within(REACH)
    words = [*_WORD.findall(before)[-BESIDE:], *_WORD.findall(behind)[:BESIDE]]
    return frozenset(word.lower()[:STEM] for word in words)


@lru_cache(1 << 16)
def word_key(word: str) -> int:
    """64-bit hash of a word."""
    return int.from_bytes(blake2b(word.encode(), digest_size=8).digest(), "little")


def _places(
    senses: NDArray[np.uint64], words: NDArray[np.uint64], size: int
) -> tuple[NDArray[np.uint64], NDArray[np.uint16]]:
    """The places of pairs in a table of `size` cells, and the ten bits that tell them apart."""
    mixed = (senses ^ words) * _MIX
    mixed ^= mixed >> np.uint64(29)
    mixed *= _MIX
    marks = ((mixed >> np.uint64(54)) << np.uint64(6)).astype(np.uint16)
    return mixed >> np.uint64(20) & np.uint64(size - 1), marks
