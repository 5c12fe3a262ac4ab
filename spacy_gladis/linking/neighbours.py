"""Evidence from the words next to a mention: in "GI bleeding", GI is gastrointestinal.

The vector of a context is a mean over about sixty word pieces, so single words next to the mention
have little weight in it. This module adds them as a separate feature. For each pair of a long form
and a word, it stores the log ratio of the word's frequency next to the long form to its frequency
anywhere in the training corpus.

The pairs are stored in a hash table of 16-bit cells, which takes half a megabyte. The hash of a
pair determines its cell. Ten bits of the cell contain another part of the hash, which detects most
collisions. The other six bits contain the log ratio.
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

WORDS, REACH = 3, 60
"""Maximum number of words to read on each side of a mention, and maximum number of characters to
search for them."""

STEM = 6
"""Number of leading letters by which words are compared."""

STEP, LEVELS = 0.25, 64
"""Difference between two quantised log ratios, and number of values that a cell can hold."""

_WORD = re.compile(r"[^\W_]+")
_MIX = np.uint64(0x9E3779B97F4A7C15)


class Neighbours:
    """A hash table of the words that often occur next to mentions of a long form."""

    def __init__(self, cells: NDArray[np.uint16]) -> None:
        """Create the table from its cells.

        Args:
            cells: Cells of the table, uint16 [size], where the size is a power of two. The low six
                bits of a cell contain the log ratio in multiples of `STEP`, and the high ten bits
                contain a part of the pair's hash. Empty cells are 0.
        """
        self.cells = cells

    def __len__(self) -> int:
        """Return the number of cells."""
        return len(self.cells)

    @property
    def pair_count(self) -> int:
        """The number of pairs in the table."""
        return int(np.count_nonzero(self.cells))

    @classmethod
    def empty(cls) -> "Neighbours":
        """Create an empty table for models that don't use neighbouring words."""
        return cls(np.zeros(0, np.uint16))

    @classmethod
    def of(
        cls, senses: NDArray[np.uint64], words: NDArray[np.uint64], logs: Floats, size: int
    ) -> "Neighbours":
        """Create a table from pairs of a sense and a word that occurs next to it.

        If several pairs fall into the same cell, only the last of them is stored.

        Args:
            senses: Key of each pair's sense (see `sense_key`), uint64 [pairs].
            words: Key of each pair's word (see `word_key`), uint64 [pairs].
            logs: Natural log of the ratio between the word's frequency next to the sense and its
                frequency anywhere, [pairs].
            size: Number of cells, a power of two.
        """
        cells = np.zeros(size, np.uint16)
        indices, marks = _hash_pairs(senses, words, size)
        steps = np.clip(np.round(logs / STEP), 0, LEVELS - 1).astype(np.uint16)
        cells[indices] = marks | steps
        return cls(cells)

    def score(self, long_forms: Sequence[str], mention: Mention) -> Floats:
        """Score how well the words next to a mention fit each of several long forms.

        Args:
            long_forms: Long forms of the mention's candidates.
            mention: The mention of the acronym, with its text.

        Returns:
            For each long form, the sum of the log ratios of the neighbouring words, float32
            [long forms]. It is 0 if the table has no pair of the long form and these words.
        """
        words = collect_neighbours(mention)
        if not len(self) or not words:
            return np.zeros(len(long_forms), np.float32)
        senses = np.array([sense_key(name) for name in long_forms], np.uint64)
        keys = np.array([word_key(word) for word in words], np.uint64)
        indices, marks = _hash_pairs(senses[:, None], keys[None, :], len(self))
        cells = self.cells[indices]
        steps = np.where(cells & ~np.uint16(LEVELS - 1) == marks, cells & (LEVELS - 1), 0)
        logs: Floats = (STEP * steps.sum(axis=1)).astype(np.float32)
        return logs

    def save(self, folder: Path) -> None:
        """Save the table to the file `neighbours.safetensors`.

        Args:
            folder: Folder of the model's weights.
        """
        write_arrays(folder / NAME, {"cells": self.cells})

    @classmethod
    def load(cls, folder: Path) -> "Neighbours":
        """Load the table from the file `neighbours.safetensors`.

        Args:
            folder: Folder of the model's weights.

        Returns:
            The table, which is empty if the folder has no such file.

        Raises:
            FormatError: If the file is damaged.
        """
        path = folder / NAME
        if not path.is_file():
            return cls.empty()
        with reading_tensors(path, "the file is damaged or holds no neighbours") as file:
            cells = file.get_tensor("cells")
        if cells.dtype != np.uint16 or cells.ndim != 1 or len(cells).bit_count() != 1:
            raise FormatError(
                f"{path}: the file is damaged, because its table has type {cells.dtype} and shape "
                f"{cells.shape}."
            )
        return cls(cells)


def collect_neighbours(mention: Mention) -> frozenset[str]:
    """Return the words next to a mention, in lower case and cut to `STEM` letters.

    Args:
        mention: The mention of an acronym, with its text.

    Returns:
        Up to `WORDS` words from each side of the mention.
    """
    before, _, after = mention.within(REACH)
    words = [*_WORD.findall(before)[-WORDS:], *_WORD.findall(after)[:WORDS]]
    return frozenset(word.lower()[:STEM] for word in words)


@lru_cache(1 << 16)
def word_key(word: str) -> int:
    """Return the 64-bit hash under which a word is stored in the table.

    Args:
        word: A word that `collect_neighbours` returned.
    """
    return int.from_bytes(blake2b(word.encode(), digest_size=8).digest(), "little")


def _hash_pairs(
    senses: NDArray[np.uint64], words: NDArray[np.uint64], size: int
) -> tuple[NDArray[np.uint64], NDArray[np.uint16]]:
    """Return the cell of each pair, and the ten bits that distinguish pairs with the same cell."""
    mixed = (senses ^ words) * _MIX
    mixed ^= mixed >> np.uint64(29)
    mixed *= _MIX
    marks = ((mixed >> np.uint64(54)) << np.uint64(6)).astype(np.uint16)
    return mixed >> np.uint64(20) & np.uint64(size - 1), marks
