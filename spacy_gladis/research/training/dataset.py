"""Training samples in tokenised form, stored as arrays of word pieces."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import chain, combinations, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from ...encoder.word_pieces import TokenIds, WordPieces
from ...errors import InputError
from ...files import reading_tensors, write_arrays
from ...text import merge_key

if TYPE_CHECKING:
    from ..datasets.sample import Sample

SAME_MEANING = 85.0
"""Minimum similarity (rapidfuzz ratio, 0..100) from which two long forms of an acronym count as
spellings of the same meaning. Such long forms are never negatives of each other."""

NEIGHBOURS = 4
"""Number of acronyms before and after an acronym, in alphabetical order, whose long forms become
negatives if the acronym itself has too few."""

CHUNK = 20_000
"""Number of samples that are tokenised at a time."""

LARGEST_VOCABULARY = 65_536
"""Maximum number of word pieces in a vocabulary, because their ids are stored as 16-bit
integers."""

ADVICE = ". Delete it: the run writes it again."
"""Last sentence of the error message about a damaged file of training samples."""

Array = NDArray[Any]


class Ragged:
    """Rows of different lengths, stored in a single flat array.

    Attributes:
        values: The values of all rows, one row after the other.
        offsets: Index in `values` at which each row starts, followed by the end of the last row,
            int64 [rows + 1].
    """

    def __init__(self, values: Array, offsets: Array) -> None:
        """Create the rows from the flat array of their values and the offsets of the rows."""
        self.values, self.offsets = values, offsets

    @classmethod
    def pack(cls, rows: Sequence[TokenIds], dtype: DTypeLike) -> "Ragged":
        """Store rows of integers in a flat array.

        Args:
            rows: Rows of integers, of any lengths.
            dtype: Type of the array, such as `np.uint16`.

        Returns:
            The same rows in the same order.
        """
        offsets = np.zeros(len(rows) + 1, dtype=np.int64)
        np.cumsum([len(row) for row in rows], out=offsets[1:])
        values = np.fromiter((x for row in rows for x in row), dtype=dtype, count=int(offsets[-1]))
        return cls(values, offsets)

    @property
    def lengths(self) -> Array:
        """Number of values in each row, int64 [rows]."""
        return np.diff(self.offsets)

    def __len__(self) -> int:
        """Return the number of rows."""
        return len(self.offsets) - 1

    def __getitem__(self, row: int) -> Array:
        """Return the values of a row, as a view of the flat array."""
        return self.values[self.offsets[row] : self.offsets[row + 1]]


@dataclass
class TrainingSet:
    """Tokenised samples, together with the long forms from which their negatives are drawn.

    A negative is a long form that a sample's acronym does not stand for.

    Attributes:
        windows: Ids of the word pieces in the window around each sample's mention.
        mentions: Start and end (exclusive) of the mention in each window, int16 [samples, 2].
        positives: For each sample, the row of its right long form in `long_forms`, int32 [samples].
        acronyms: For each sample, the row of its acronym in `pools`, int32 [samples].
        long_forms: Ids of the word pieces of each long form.
        pools: For each acronym, in alphabetical order, the rows of its long forms in `long_forms`.
        spellings: For each long form, the rows of long forms that count as spellings of the same
            meaning; see `SAME_MEANING`.
    """

    windows: Ragged
    mentions: Array
    positives: Array
    acronyms: Array
    long_forms: Ragged
    pools: Ragged
    spellings: Ragged

    def __len__(self) -> int:
        """Return the number of samples."""
        return len(self.positives)

    @classmethod
    def build(
        cls,
        samples: "Iterable[Sample]",
        pieces: WordPieces,
        window: int,
        candidates_of: Callable[[str], Iterable[str]] = lambda acronym: (),
    ) -> "TrainingSet":
        """Tokenise samples, and collect the long forms of their acronyms.

        Long forms with the same merge key, such as "neural network" and "Neural networks", share a
        row. The row is tokenised in the spelling that most samples have.

        Args:
            samples: Samples to tokenise.
            pieces: Tokenizer with at most `LARGEST_VOCABULARY` word pieces.
            window: Maximum number of word pieces in the window around a mention.
            candidates_of: Function that returns further long forms of an acronym, such as those of
                a dictionary. They can be drawn as negatives.

        Returns:
            The tokenised samples, in the order of `samples`.

        Raises:
            InputError: If there are no samples, or the vocabulary is too large.
        """
        vocabulary = pieces.tokenizer.get_vocab_size()
        if vocabulary > LARGEST_VOCABULARY:
            raise InputError(
                f"The vocabulary of {vocabulary} word pieces is too large. Choose a checkpoint "
                f"with at most {LARGEST_VOCABULARY} word pieces, because their ids are stored as "
                "16-bit integers."
            )
        windows: list[Array] = []
        mentions: list[tuple[int, int]] = []
        positives, acronyms = list[int](), list[int]()
        rows: dict[str, int] = {}
        key_of = cache(merge_key)  # many samples have the same long form
        surfaces: list[Counter[str]] = []
        acronym_rows: dict[str, int] = {}
        stream = iter(samples)
        while chunk := list(islice(stream, CHUNK)):
            contexts = [sample.mention for sample in chunk]
            for sample, view in zip(chunk, pieces.encode_windows(contexts, window), strict=True):
                row = rows.setdefault(key_of(sample.long_form), len(rows))
                if row == len(surfaces):
                    surfaces.append(Counter())
                surfaces[row][sample.long_form] += 1
                windows.append(np.array(view.ids, dtype=np.uint16))
                mentions.append(view.mention)
                positives.append(row)
                acronyms.append(acronym_rows.setdefault(sample.acronym, len(acronym_rows)))
        if not windows:
            raise InputError(
                "There are no samples to train on, or no samples of held-out acronyms (1 in 50 "
                "acronyms) to evaluate on. Collect samples of more acronyms with: spacy-gladis "
                "corpus extract"
            )
        pairs = set(zip(acronyms, positives, strict=True))
        for acronym, number in acronym_rows.items():
            for long_form in candidates_of(acronym):
                row = rows.setdefault(merge_key(long_form), len(rows))
                if row == len(surfaces):
                    surfaces.append(Counter([long_form]))
                pairs.add((number, row))
        spelt = [commonest(spellings) for spellings in surfaces]
        pools, acronyms_sorted = _pools(acronym_rows, acronyms, pairs)
        return cls(
            windows=Ragged.pack(windows, np.uint16),
            mentions=np.array(mentions, dtype=np.int16),
            positives=np.array(positives, dtype=np.int32),
            acronyms=acronyms_sorted,
            long_forms=Ragged.pack(pieces.encode_long_forms(spelt), np.uint16),
            pools=pools,
            spellings=_spellings(pools, spelt),
        )

    def save(self, path: Path) -> None:
        """Write the training set to a safetensors file.

        Args:
            path: Path of the file to write.
        """
        arrays: dict[str, Array] = {}
        for name, value in vars(self).items():
            parts = vars(value).items() if isinstance(value, Ragged) else [("", value)]
            arrays |= {f"{name}.{part}": array for part, array in parts}
        write_arrays(path, arrays)

    @classmethod
    def load(cls, path: Path) -> "TrainingSet":
        """Read a training set from a file that `save` wrote.

        Args:
            path: Path of the safetensors file.

        Returns:
            The training set that was saved.

        Raises:
            FormatError: If the file is damaged or is not a training set.
        """
        with reading_tensors(path, "not a training set", ADVICE) as file:
            parts: defaultdict[str, dict[str, Array]] = defaultdict(dict)
            for key in file.keys():  # noqa: SIM118
                name, _, part = key.partition(".")
                parts[name][part] = file.get_tensor(key)
            values: dict[str, Any] = {
                name: Ragged(**arrays) if len(arrays) > 1 else arrays[""]
                for name, arrays in parts.items()
            }
            return cls(**values)

    def take(self, count: int, seed: int) -> "TrainingSet":
        """Return a training set with a random subset of the samples.

        All long forms are kept, so they can still be drawn as negatives.

        Args:
            count: Maximum number of samples to take.
            seed: Random seed of the draw.

        Returns:
            A training set with the drawn samples, in random order.
        """
        chosen = np.random.default_rng(seed).permutation(len(self))[:count]
        return replace(
            self,
            windows=Ragged.pack([self.windows[i] for i in chosen], np.uint16),
            mentions=self.mentions[chosen],
            positives=self.positives[chosen],
            acronyms=self.acronyms[chosen],
        )

    def balanced(self, cap: int, rng: np.random.Generator) -> Array:
        """Draw the samples of an epoch, up to a maximum number for each (acronym, long form) pair.

        Without this limit, popular senses would dominate the training. GLADIS, section 5.2.2, calls
        the other senses overshadowed entities.

        Args:
            cap: Maximum number of samples per pair.
            rng: Random generator of the draw.

        Returns:
            Indices of the drawn samples in random order.
        """
        order = rng.permutation(len(self))
        pair = self.acronyms[order].astype(np.int64) * len(self.long_forms) + self.positives[order]
        by_pair = np.argsort(pair, kind="stable")
        return rng.permutation(order[by_pair[nth(pair)[by_pair] < cap]])

    def choices(self, samples: Array, count: int, rng: np.random.Generator) -> Array:
        """Draw the long forms among which a model has to find the right one of each sample.

        Args:
            samples: Indices of the samples, int [samples].
            count: Number of negatives per sample.
            rng: Random generator of the draw.

        Returns:
            Rows of the long forms in `long_forms`, [samples, 1 + count]. The right long form comes
            first.
        """
        rows = [[self.positives[i], *self.negatives(i, count, rng)] for i in samples.tolist()]
        return np.array(rows)

    def negatives(self, sample: int, count: int, rng: np.random.Generator) -> list[int]:
        """Draw the negatives of a sample: long forms that its acronym does not stand for here.

        Other long forms of the same acronym are drawn first ("ambiguous negatives", GLADIS, section
        4). If there are too few, those of the acronyms next to it in the alphabet follow, because
        they have similar first letters. Any other long forms are drawn last.

        GLADIS has two ambiguous negatives "for each mini-batch" (appendix A.4), and leaves open
        whether there are also random ones. Here, every sample has `count` negatives, and they are
        random only if there are too few others.

        Args:
            sample: Index of the sample.
            count: Number of negatives to draw.
            rng: Random generator of the draw.

        Returns:
            Rows of `count` long forms in `long_forms`.
        """
        acronym, positive = int(self.acronyms[sample]), int(self.positives[sample])
        taken = {positive, *self.spellings[positive].tolist()}
        chosen: list[int] = []
        low, high = max(0, acronym - NEIGHBOURS), min(len(self.pools), acronym + NEIGHBOURS + 1)
        around = self.pools.values[self.pools.offsets[low] : self.pools.offsets[high]]
        pools = (rng.permutation(pool).tolist() for pool in (self.pools[acronym], around))
        for row in chain.from_iterable(pools):  # neighbours only if the acronym's own run out
            if len(chosen) == count:
                return chosen
            if row not in taken:
                taken.add(row)
                chosen.append(row)
        while len(chosen) < count:
            row = int(rng.integers(len(self.long_forms)))
            if row not in taken or len(taken) >= len(self.long_forms):
                chosen.append(row)
        return chosen


def commonest(spellings: Counter[str]) -> str:
    """Return the most frequent of several spellings.

    Args:
        spellings: A mapping from each spelling to its count. It is not empty.

    Returns:
        The spelling with the highest count. On a tie, the first in alphabetical order.
    """
    return max(sorted(spellings), key=spellings.__getitem__)


def nth(keys: Array) -> Array:
    """Count for each element of an array how many equal elements come before it.

    For example, `[7, 5, 7, 7]` gives `[0, 0, 1, 2]`.

    Args:
        keys: Values to compare, such as the numbers of (acronym, long form) pairs, int [n].

    Returns:
        A count for each element, int64 [n].
    """
    order = np.argsort(keys, kind="stable")
    ordered = keys[order]
    first = np.flatnonzero(np.r_[True, ordered[1:] != ordered[:-1]])
    ranks = np.empty(len(keys), dtype=np.int64)
    ranks[order] = np.arange(len(keys)) - np.repeat(first, np.diff(np.r_[first, len(keys)]))
    return ranks


def _pools(
    acronym_rows: dict[str, int], acronyms: list[int], pairs: Iterable[tuple[int, int]]
) -> tuple[Ragged, Array]:
    """Group the rows of long forms by acronym, with the acronyms in alphabetical order.

    Args:
        acronym_rows: A mapping from each acronym to its number.
        acronyms: Number of each sample's acronym.
        pairs: Pairs of an acronym's number and the row of one of its long forms.

    Returns:
        The rows of each acronym's long forms, and for each sample the position of its acronym in
        this list.
    """
    names = sorted(acronym_rows, key=lambda name: (name.casefold(), name))
    position = np.empty(len(names), dtype=np.int32)
    position[[acronym_rows[name] for name in names]] = np.arange(len(names))
    pools: list[list[int]] = [[] for _ in names]
    for acronym, row in sorted(pairs):
        pools[position[acronym]].append(row)
    return Ragged.pack(pools, np.int32), position[np.array(acronyms)]


def _spellings(pools: Ragged, spelt: Sequence[str]) -> Ragged:
    """Return for each long form the similarly spelled long forms that share an acronym with it."""
    from rapidfuzz import fuzz  # not needed to load a set

    alike: defaultdict[int, set[int]] = defaultdict(set)
    pairs = (pair for row in range(len(pools)) for pair in combinations(pools[row].tolist(), 2))
    for first, second in pairs:
        if fuzz.ratio(spelt[first].casefold(), spelt[second].casefold(), score_cutoff=SAME_MEANING):
            alike[first].add(second)
            alike[second].add(first)
    return Ragged.pack([sorted(alike[row]) for row in range(len(spelt))], np.int32)
