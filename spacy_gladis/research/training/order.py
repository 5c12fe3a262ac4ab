"""Which samples make the batch of a step: epochs, balanced and bucketed by length."""

from itertools import pairwise

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
        self._epoch = -1
        self._order = np.empty((0, batch_size), dtype=np.int64)

    def __getitem__(self, number: int) -> Array:
        """Indices of the samples of batch `number`; any number, epochs follow one another."""
        if self._epoch < 0:
            self._draw(0)
        # Epochs are equally long, each drawn from its own seed: any batch is found at once.
        epoch, row = divmod(number, len(self._order))
        if epoch != self._epoch:
            self._draw(epoch)
        indices: Array = self._order[row]
        return indices

    def _draw(self, epoch: int) -> None:
        rng = np.random.default_rng([self.seed, epoch])
        order = self.data.balanced(self.cap, rng)
        order = np.resize(order, max(len(order) // self.batch_size, 1) * self.batch_size)
        lengths = self.data.windows.lengths
        run = BUCKET_BATCHES * self.batch_size
        by_length = [
            part[np.argsort(lengths[part], kind="stable")]
            for part in (order[i : i + run] for i in range(0, len(order), run))
        ]
        self._order = rng.permutation(np.concatenate(by_length).reshape(-1, self.batch_size))
        self._epoch = epoch


def equal_parts(size: int, parts: int) -> list[tuple[int, int]]:
    """First and last of `parts` slices of `size` things, as equal as can be, none empty."""
    ends = np.linspace(0, size, min(parts, size) + 1).round().astype(int).tolist()
    return list(pairwise(ends))
