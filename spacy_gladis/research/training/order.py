"""What makes the batch of a step: epochs, balanced and bucketed by length, and their negatives."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from .dataset import Array, TrainingSet

BUCKET_BATCHES = 50
"""Batches are cut from runs of this many batches, sorted by length: little padding, and still
a random mixture."""


class BatchOrder:
    """The samples of every batch, a function of the seed and the batch's number alone.

    batch_size: samples a batch. cap: samples of one (acronym, long form) an epoch.
    """

    def __init__(self, data: TrainingSet, batch_size: int, cap: int, seed: int) -> None:
        self.data, self.batch_size, self.cap, self.seed = data, batch_size, cap, seed
        self._epoch = lru_cache(maxsize=2)(self._draw)  # the first, and the one that is read

    def __getitem__(self, number: int) -> Array:
        """Indices of the samples of batch `number`; any number, epochs follow one another."""
        # Epochs are equally long, each drawn from its own seed: any batch is found at once.
        epoch, row = divmod(number, len(self._epoch(0)))
        indices: Array = self._epoch(epoch)[row]
        return indices

    def _draw(self, epoch: int) -> Array:
        rng = np.random.default_rng([self.seed, epoch])
        order = self.data.balanced(self.cap, rng)
        order = np.resize(order, max(len(order) // self.batch_size, 1) * self.batch_size)
        lengths = self.data.windows.lengths
        run = BUCKET_BATCHES * self.batch_size
        by_length = [
            part[np.argsort(lengths[part], kind="stable")]
            for part in (order[i : i + run] for i in range(0, len(order), run))
        ]
        return rng.permutation(np.concatenate(by_length).reshape(-1, self.batch_size))


class Draw(NamedTuple):
    """Samples of a training set for one batch.

    samples: their indices. rows: of long forms [samples, 1 + negatives], the one meant first.
    rng: for what else of the batch is drawn.
    """

    data: TrainingSet
    samples: Array
    rows: Array
    rng: np.random.Generator


@dataclass(kw_only=True)
class SampleSource:
    """Draws the batches of training and held-out samples, each from a seed of its own.

    negatives: wrong long forms a sample, ambiguous ones first (GLADIS, section 4). batch_size:
    samples a batch. cap: samples of one (acronym, long form) an epoch. pad_id: of the tokenizer.
    """

    training: TrainingSet = field(kw_only=False)
    batch_size: int
    negatives: int = 2
    cap: int = 4
    seed: int = 0
    held_out: TrainingSet | None = None
    pad_id: int = 0

    def __post_init__(self) -> None:
        self.order = BatchOrder(self.training, self.batch_size, self.cap, self.seed)

    def draw(self, step: int) -> Draw:
        return self._draw(self.training, self.order[step], [self.seed, 1, step])

    def held_out_draws(self) -> Iterator[Draw]:
        """The held-out samples, always with the same negatives."""
        if self.held_out is None:
            return
        total = len(self.held_out)
        for start in range(0, total, self.batch_size):
            samples = np.arange(start, min(start + self.batch_size, total))
            yield self._draw(self.held_out, samples, [self.seed, 2, start])

    def _draw(self, data: TrainingSet, samples: Array, seed: list[int]) -> Draw:
        rng = np.random.default_rng(seed)
        return Draw(data, samples, data.choices(samples, self.negatives, rng), rng)


def equal_parts(size: int, parts: int) -> list[tuple[int, int]]:
    """First and last of `parts` slices of `size` things, as equal as can be, none empty."""
    ends = np.linspace(0, size, min(parts, size) + 1).round().astype(int).tolist()
    return list(pairwise(ends))
