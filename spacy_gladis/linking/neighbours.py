"""Evidence from the words around a mention: before "bleeding", GI means gastrointestinal.

The vector of a mention's context is a mean over about sixty word pieces, so a single word has
little weight in it. This module adds the words next to the mention as a separate feature. For each
pair of a long form and a word, it stores the log ratio of two frequencies: the word's frequency
next to the long form, and its frequency anywhere in the training corpus.

The pairs are stored in a hash table of 16-bit cells, which takes half a megabyte. The hash of a
pair determines its cell. Ten bits of the cell contain another part of the hash, which detects most
collisions. The other six bits contain the log ratio.

Two other features count which words of a candidate's long form, or of its gloss, occur near the
mention.
"""

import re
from bisect import bisect_left
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
"""`WORDS` is the maximum number of words to read on each side of a mention. `REACH` is the maximum
distance from the mention, in characters, at which these words are searched for."""

STEM = 6
"""Number of leading letters by which words are compared, so that "bleeding" matches "bleedings"."""

STEP, LEVELS = 0.25, 64
"""`STEP` is the difference between two neighbouring values of a quantised log ratio. `LEVELS` is
the number of values that a cell can hold."""

LONG_FORM_REACH = 300
"""Number of characters on each side of a mention in which a long form's words are searched for."""

GLOSS_REACH = 1500
"""Number of characters on each side of a mention in which a gloss's words are searched for."""

SHORTEST_WORD, WORD_STEM = 4, 5
"""`SHORTEST_WORD` is the minimum number of letters of the words that are compared. `WORD_STEM` is
the number of leading letters in which two words must agree."""

_WORD = re.compile(r"[^\W_]+")
_TOKEN = re.compile(r"[^\W_]+(?:[/&.-][^\W_]+)*")
_PART = re.compile(r"[/&.-]")
_CACHED = 1 << 17  # sixty texts have 65,000 pairs of an acronym and a candidate
_TEXTS = 2  # the mentions of a text are read one after the other
_MIX = np.uint64(0x9E3779B97F4A7C15)


class Neighbours:
    """A hash table that scores how well the words next to a mention fit a long form.

    The table stores pairs of a long form and a word, with the log ratio of the word's frequency
    next to the long form to its frequency anywhere.
    """

    def __init__(self, cells: NDArray[np.uint16]) -> None:
        """Create the hash table from an array with the content of its cells.

        Args:
            cells: Content of the cells, uint16 [size]. The size is a power of two, or 0 for an
                empty table. The low six bits of a cell contain the log ratio in multiples of
                `STEP`. The high ten bits contain a part of the pair's hash. Unused cells are 0.
        """
        self.cells = cells

    def __len__(self) -> int:
        """Return the number of cells in the table, including unused cells."""
        return len(self.cells)

    @property
    def pair_count(self) -> int:
        """The number of pairs of a long form and a word that the table stores."""
        return int(np.count_nonzero(self.cells))

    @classmethod
    def empty(cls) -> "Neighbours":
        """Create a table without cells, for models that don't use neighbouring words.

        Its `score` is 0 for every long form.
        """
        return cls(np.zeros(0, np.uint16))

    @classmethod
    def of(
        cls, senses: NDArray[np.uint64], words: NDArray[np.uint64], logs: Floats, size: int
    ) -> "Neighbours":
        """Create a hash table from pairs of a long form and a word that occurs next to it.

        If several pairs fall into the same cell, the table stores only the last of them. Log ratios
        are rounded to multiples of `STEP`. Negative ratios are stored as 0.

        Args:
            senses: Hash of each pair's long form (see `sense_key`), uint64 [pairs].
            words: Hash of each pair's word (see `word_key`), uint64 [pairs].
            logs: For each pair, the natural log of the ratio of the word's frequency next to the
                long form to its frequency anywhere, [pairs].
            size: Number of cells, a power of two.
        """
        cells = np.zeros(size, np.uint16)
        indices, marks = _hash_pairs(senses, words, size)
        steps = np.clip(np.round(logs / STEP), 0, LEVELS - 1).astype(np.uint16)
        cells[indices] = marks | steps
        return cls(cells)

    def score(self, long_forms: Sequence[str], mention: Mention) -> Floats:
        """Score how well the words next to a mention fit each of several long forms.

        For the mention "GI bleeding", "gastrointestinal" gets a high score if the training corpus
        often has "bleeding" next to mentions of it.

        Args:
            long_forms: Long forms of the candidates for the mentioned acronym.
            mention: The mention of the acronym, with the text around it.

        Returns:
            For each long form, the sum of the log ratios of the neighbouring words, float32 [long
            forms]. It is 0 if the table doesn't contain any of the words for this long form.
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
        """Save the hash table to the file `neighbours.safetensors`.

        Args:
            folder: Existing folder that contains the model's weights.
        """
        write_arrays(folder / NAME, {"cells": self.cells})

    @classmethod
    def load(cls, folder: Path) -> "Neighbours":
        """Load the hash table from the file `neighbours.safetensors`.

        Args:
            folder: Folder that contains the model's weights.

        Returns:
            The hash table. It has no cells if the folder doesn't contain the file.

        Raises:
            FormatError: If the file is damaged, or if its content is not a hash table.
        """
        path = folder / NAME
        if not path.is_file():
            return cls.empty()
        with reading_tensors(path, "the file is damaged or has no table of words") as file:
            cells = file.get_tensor("cells")
        if cells.dtype != np.uint16 or cells.ndim != 1 or len(cells).bit_count() != 1:
            raise FormatError(
                f"{path}: the file is damaged, because its table has the type {cells.dtype} and "
                f"the shape {cells.shape}. Download or copy the weights again."
            )
        return cls(cells)


def collect_neighbours(mention: Mention) -> frozenset[str]:
    """Return the words that stand next to a mention, in lower case and cut to `STEM` letters.

    Args:
        mention: The mention of an acronym, with the text around it.

    Returns:
        Up to `WORDS` words before the mention and up to `WORDS` words after it, without duplicates.
        Words farther than `REACH` characters away are left out.
    """
    before, _, after = mention.within(REACH)
    words = [*_WORD.findall(before)[-WORDS:], *_WORD.findall(after)[:WORDS]]
    return frozenset(word.lower()[:STEM] for word in words)


@lru_cache(1 << 16)
def word_key(word: str) -> int:
    """Return the 64-bit hash that identifies a word in the table of neighbouring words.

    Args:
        word: A word in lower case, cut to `STEM` letters as by `collect_neighbours`.
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


def count_overlap(mention: Mention, long_forms: Sequence[str]) -> Floats:
    """Count how many words of each long form also occur near a mention of the acronym.

    Texts often repeat a word of the long form near the acronym. For example, "recognition" near a
    mention of NER speaks for "named entity recognition". Words are compared by their first
    `WORD_STEM` letters.

    Args:
        mention: The mention of the acronym, with the text around it.
        long_forms: Long forms of the acronym's candidates.

    Returns:
        Number of matching words for each long form, float32 [long forms].
    """
    text, start, end, _ = mention
    near = _stems(
        f"{text[max(0, start - LONG_FORM_REACH) : start]} {text[end : end + LONG_FORM_REACH]}"
    )
    return np.array([len(_stems_of(name) & near) for name in long_forms], np.float32)


def count_gloss_words(mention: Mention, glosses: Sequence[str]) -> Floats:
    """Count how many words of each gloss also occur near a mention of the acronym.

    A gloss lists words and acronyms that are frequent near its sense. This is the overlap of Lesk
    (1986), who compared the definitions of a word's senses with its context. Words are compared by
    their first `WORD_STEM` letters, and acronyms as they are written.

    Args:
        mention: The mention of the acronym, with the text around it.
        glosses: Gloss of each candidate, or an empty string for a candidate without a gloss.

    Returns:
        log(1 + the number of matching words) for each gloss, float32 [glosses].
    """
    starts, keywords = _scan_text(mention.text)
    first = bisect_left(starts, mention.start - GLOSS_REACH)
    last = bisect_left(starts, mention.end + GLOSS_REACH)
    near = set(keywords[first:last]).difference(_split_keywords(mention.acronym))
    counts = [len(near & _keywords_of(gloss)) if gloss else 0 for gloss in glosses]
    return np.log1p(np.array(counts, np.float32))


def _find_keywords(text: str) -> tuple[tuple[int, ...], tuple[str, ...]]:
    """Return the keywords of a text and the character offsets at which their tokens start."""
    starts, keywords = [], []
    for match in _TOKEN.finditer(text):
        for keyword in _split_keywords(match.group()):
            starts.append(match.start())
            keywords.append(keyword)
    return tuple(starts), tuple(keywords)


_scan_text = lru_cache(_TEXTS)(_find_keywords)


def _split_keywords(token: str) -> list[str]:
    """Return the acronym in a token, without a plural "s", and the stems of its longer words."""
    keywords = []
    if any(map(str.isupper, token[1:])):
        is_plural = token.endswith("s") and token[:-1].isupper()
        keywords.append(token[:-1] if is_plural else token)
    words = [word for word in _PART.split(token) if not word.rstrip("s").isupper()]
    return keywords + [word[:WORD_STEM].lower() for word in words if len(word) >= SHORTEST_WORD]


def _stems(text: str) -> frozenset[str]:
    words = _WORD.findall(text.lower())
    return frozenset(word[:WORD_STEM] for word in words if len(word) >= SHORTEST_WORD)


@lru_cache(_CACHED)
def _keywords_of(gloss: str) -> frozenset[str]:
    return frozenset(_find_keywords(gloss)[1])


_stems_of = lru_cache(_CACHED)(_stems)
