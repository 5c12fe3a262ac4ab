"""Tokenised training samples, stored as arrays of word pieces that can be memory-mapped."""

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
"""Minimum similarity (rapidfuzz ratio, 0..100) of two long forms of an acronym that are treated as
spellings of one meaning, and therefore never serve as each other's negatives."""

NEIGHBOURS = 4
"""Number of alphabetical neighbours on each side whose long forms are negatives of an acronym with
too few of its own."""

CHUNK = 20_000

LARGEST_VOCABULARY = 65_536

ADVICE = ". Delete it: the run writes it again."
"""Last sentence of the error message about a damaged file."""

Array = NDArray[Any]


class Ragged:
    """A list of rows of different lengths, stored in one flat array.

    Attributes:
        values: The concatenated rows.
        offsets: Start of each row in `values`, and the end of the last row, [rows + 1].
    """

    def __init__(self, values: Array, offsets: Array) -> None:
        """Create the rows from the two arrays."""
        self.values, self.offsets = values, offsets

    @classmethod
    def pack(cls, rows: Sequence[TokenIds], dtype: DTypeLike) -> "Ragged":
        """Store rows of integers in one flat array.

        Args:
            rows: Rows of integers.
            dtype: Type of the values.

        Returns:
            The rows.
        """
        offsets = np.zeros(len(rows) + 1, dtype=np.int64)
        np.cumsum([len(row) for row in rows], out=offsets[1:])
        values = np.fromiter((x for row in rows for x in row), dtype=dtype, count=int(offsets[-1]))
        return cls(values, offsets)

    @property
    def lengths(self) -> Array:
        """Length of each row, [rows]."""
        return np.diff(self.offsets)

    def __len__(self) -> int:
        """Return the number of rows."""
        return len(self.offsets) - 1

    def __getitem__(self, row: int) -> Array:
        """Return a row."""
        return self.values[self.offsets[row] : self.offsets[row + 1]]


@dataclass
class TrainingSet:
    """Tokenised samples, together with the long forms from which their negatives are drawn.

    Attributes:
        windows: Word pieces of each sample's context.
        mentions: Start and end of the mention's word pieces in its context, [n, 2].
        positives: Row of each sample's long form, [n].
        acronyms: Row of each sample's acronym in `pools`, [n].
        long_forms: Word pieces of each long form.
        pools: Rows of each acronym's long forms.
        spellings: Rows of the long forms that mean the same as each long form.
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
        """Tokenise samples and collect the long forms of their acronyms.

        Long forms with the same merge key share a row, which is tokenised in its most frequent
        spelling.

        Args:
            samples: Samples to tokenise.
            pieces: The tokenizer, with at most LARGEST_VOCABULARY word pieces.
            window: Number of word pieces in a context window.
            candidates_of: Function that returns further long forms of an acronym, such as those of
                a dictionary.

        Returns:
            The tokenised samples.

        Raises:
            InputError: If there are no samples or the vocabulary is too large.
        """
        vocabulary = pieces.tokenizer.get_vocab_size()
        if vocabulary > LARGEST_VOCABULARY:
            raise InputError(
                f"The vocabulary of {vocabulary} word pieces is too large for training sets with "
                f"16-bit numbers. Choose a checkpoint with at most {LARGEST_VOCABULARY}."
            )
        windows: list[Array] = []
        mentions: list[tuple[int, int]] = []
        positives, acronyms = list[int](), list[int]()
        rows: dict[str, int] = {}
        key_of = cache(merge_key)  # a long form has many samples
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
                "There are no training samples, or none of held-out acronyms (1 in 50). Give "
                "samples of more acronyms: spacy-gladis corpus extract"
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
            path: Path of the file.
        """
        arrays: dict[str, Array] = {}
        for name, value in vars(self).items():
            parts = vars(value).items() if isinstance(value, Ragged) else [("", value)]
            arrays |= {f"{name}.{part}": array for part, array in parts}
        write_arrays(path, arrays)

    @classmethod
    def load(cls, path: Path) -> "TrainingSet":
        """Read a training set from a file written by `save`.

        Args:
            path: Path of the file.

        Returns:
            The training set.

        Raises:
            FormatError: If the file is not a training set.
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
        """Return a random subset of the samples, with all long forms.

        Args:
            count: Maximum number of samples to take.
            seed: Random seed of the draw.

        Returns:
            A training set with the chosen samples.
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
        """Draw the samples of an epoch, with a maximum number for each (acronym, long form) pair.

        Without the cap, popular senses would dominate training (overshadowed entities, GLADIS,
        section 5.2.2).

        Args:
            cap: Maximum number of samples per pair.
            rng: Random generator.

        Returns:
            Sample indices in random order.
        """
        order = rng.permutation(len(self))
        pair = self.acronyms[order].astype(np.int64) * len(self.long_forms) + self.positives[order]
        by_pair = np.argsort(pair, kind="stable")
        return rng.permutation(order[by_pair[nth(pair)[by_pair] < cap]])

    def choices(self, samples: Array, count: int, rng: np.random.Generator) -> Array:
        """Draw the long forms among which the model has to find each sample's own.

        Args:
            samples: Sample indices.
            count: Number of negatives per sample.
            rng: Random generator.

        Returns:
            Long form rows, the right one first, [samples, 1 + count].
        """
        rows = [[self.positives[i], *self.negatives(i, count, rng)] for i in samples.tolist()]
        return np.array(rows)

    def negatives(self, sample: int, count: int, rng: np.random.Generator) -> list[int]:
        """Draw negatives for a sample, that is, long forms that it doesn't stand for.

        Other long forms of the same acronym come first ("ambiguous negatives", GLADIS, section 4),
        then those of alphabetical neighbours, which share its first letters.

        Args:
            sample: Sample index.
            count: Number of negatives to draw.
            rng: Random generator.

        Returns:
            Row numbers of `count` long forms.
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
    """Return the most frequent spelling, the first in alphabetical order on a tie.

    Args:
        spellings: Counts of one or more spellings.

    Returns:
        The most frequent spelling.
    """
    return max(sorted(spellings), key=spellings.__getitem__)


def nth(keys: Array) -> Array:
    """Count for each key how many equal keys come before it.

    Args:
        keys: Keys, [n].

    Returns:
        Counts, int64 [n].
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
    """Return the long form rows of each acronym in alphabetical order, and the samples' rows there.

    Args:
        acronym_rows: Number of each acronym.
        acronyms: Acronym number of each sample.
        pairs: Acronym number and long form row of each pair.
    """
    names = sorted(acronym_rows, key=lambda name: (name.casefold(), name))
    position = np.empty(len(names), dtype=np.int32)
    position[[acronym_rows[name] for name in names]] = np.arange(len(names))
    pools: list[list[int]] = [[] for _ in names]
    for acronym, row in sorted(pairs):
        pools[position[acronym]].append(row)
    return Ragged.pack(pools, np.int32), position[np.array(acronyms)]


def _spellings(pools: Ragged, spelt: Sequence[str]) -> Ragged:
    """Return for each long form the other long forms of its acronyms with a similar spelling."""
    from rapidfuzz import fuzz  # not needed to load a set

    alike: defaultdict[int, set[int]] = defaultdict(set)
    pairs = (pair for row in range(len(pools)) for pair in combinations(pools[row].tolist(), 2))
    for first, second in pairs:
        if fuzz.ratio(spelt[first].casefold(), spelt[second].casefold(), score_cutoff=SAME_MEANING):
            alike[first].add(second)
            alike[second].add(first)
    return Ragged.pack([sorted(alike[row]) for row in range(len(spelt))], np.int32)
