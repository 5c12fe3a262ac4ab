"""Selection of the samples and the negatives of each training step."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from .dataset import Array, TrainingSet

BUCKET_BATCHES = 50
"""Number of batches whose samples are sorted by length together, before they are divided into
batches. Samples of similar length need little padding, and batches are still random."""


class BatchOrder:
    """Assigns samples to numbered batches.

    A batch depends only on the seed and its number, so an interrupted run can resume with any
    batch.
    """

    def __init__(self, data: TrainingSet, batch_size: int, cap: int, seed: int) -> None:
        """Prepare the assignment of samples to batches.

        Args:
            data: Tokenised samples.
            batch_size: Number of samples in a batch.
            cap: Maximum number of samples of an (acronym, long form) pair in an epoch.
            seed: Random seed of the batches.
        """
        self.data, self.batch_size, self.cap, self.seed = data, batch_size, cap, seed
        self._epoch = lru_cache(maxsize=2)(self._draw)  # the first epoch and the current one

    def __getitem__(self, number: int) -> Array:
        """Return the sample indices of a batch. Batches are numbered from 0 through all epochs."""
        # All epochs have the same length and their own seed, so any batch can be drawn directly.
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
    """The samples of a batch, with their negatives.

    Attributes:
        data: Training set that contains the samples.
        samples: Indices of the samples, int [samples].
        rows: For each sample, the rows of its right long form and of its negatives, in this order,
            [samples, 1 + negatives].
        rng: Random generator for further random choices in this batch.
    """

    data: TrainingSet
    samples: Array
    rows: Array
    rng: np.random.Generator


@dataclass(kw_only=True)
class SampleSource:
    """Draws batches of training and held-out samples, together with their negatives.

    A batch depends only on the seed and its number.

    Attributes:
        training: Samples to train on.
        batch_size: Number of samples in a batch.
        negatives: Number of wrong long forms per sample. Those of the same acronym are drawn first
            (GLADIS, section 4).
        cap: Maximum number of samples of an (acronym, long form) pair in an epoch.
        seed: Random seed of the batches.
        held_out: Samples to evaluate on. None for no evaluation.
        pad_id: Id of the padding token.
    """

    training: TrainingSet = field(kw_only=False)
    batch_size: int
    negatives: int = 2
    cap: int = 4
    seed: int = 0
    held_out: TrainingSet | None = None
    pad_id: int = 0

    def __post_init__(self) -> None:
        """Prepare the assignment of the training samples to batches."""
        self.order = BatchOrder(self.training, self.batch_size, self.cap, self.seed)

    def draw(self, step: int) -> Draw:
        """Draw the training samples of a batch, with their negatives.

        Args:
            step: Number of the batch, starting at 0.

        Returns:
            The samples and their negatives.
        """
        return self._draw(self.training, self.order[step], [self.seed, 1, step])

    def held_out_draws(self) -> Iterator[Draw]:
        """Draw all held-out samples in batches. They have the same negatives at every call.

        Yields:
            The samples of each batch and their negatives. Nothing if there are no held-out samples.
        """
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
    """Divide a range of items into slices whose sizes differ by at most 1.

    Args:
        size: Number of items to divide.
        parts: Maximum number of slices. There are fewer if there are fewer items.

    Returns:
        Start and end (exclusive) of each slice, in order. No slice is empty.
    """
    ends = np.linspace(0, size, min(parts, size) + 1).round().astype(int).tolist()
    return list(pairwise(ends))
