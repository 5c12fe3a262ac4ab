"""Fine-tuning of a network on the rows of a data set, in batches of rows of similar length."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import torch
from torch import Tensor, nn

from ..training.loop import TrainingSettings, train
from ..training.order import equal_parts


@dataclass
class RowObjective:
    """Training objective that minimises the mean loss over the rows of a data set.

    The training loop (`training.loop.train`) takes its batches and losses from this object. All
    rows are used for training, and none is held out for evaluation.

    Attributes:
        module: The network to train.
        row_loss: Function that takes the indices of rows and returns their mean loss, a scalar.
        lengths: Number of tokens of each row. Rows of similar length are put in the same batch.
        batch_size: Number of rows in a batch. Batches may be slightly smaller or larger, because
            each epoch is divided into batches of equal size.
        seed: Random seed. It determines the batches of every epoch.
    """

    module: nn.Module
    row_loss: Callable[[list[int]], Tensor]
    lengths: Sequence[int]
    batch_size: int
    seed: int

    @property
    def batches(self) -> int:
        """Number of batches in an epoch, at least 1."""
        return max(1, round(len(self.lengths) / self.batch_size))

    def batch(self, step: int) -> list[int]:
        """Return the rows to train on in a given step.

        Args:
            step: Number of the training step over all epochs, starting at 0.

        Returns:
            Indices of the rows.
        """
        epoch, position = divmod(step, self.batches)
        rng = np.random.default_rng([self.seed, epoch])
        # Noise on the lengths gives each epoch different batches.
        blurred = np.asarray(self.lengths) * rng.uniform(0.7, 1.3, len(self.lengths))
        parts = np.array_split(np.argsort(blurred, kind="stable"), self.batches)
        rows: list[int] = parts[rng.permutation(self.batches)[position]].tolist()
        return rows

    def split(self, batch: list[int], parts: int) -> list[list[int]]:
        """Split a batch into parts of about equal size.

        The training loop processes the parts one after another, to save memory.

        Args:
            batch: Indices of the batch's rows.
            parts: Maximum number of parts. A batch of fewer rows has a part for each row.

        Returns:
            The indices of each part's rows.
        """
        return [batch[first:last] for first, last in equal_parts(len(batch), parts)]

    def loss(self, batch: list[int]) -> tuple[Tensor, dict[str, float]]:
        """Compute the mean loss of the rows of a batch.

        Args:
            batch: Indices of the batch's rows.

        Returns:
            The loss as a scalar tensor, and an empty mapping, because there are no other figures to
            log.
        """
        return self.row_loss(batch), {}

    def evaluate(self) -> dict[str, float]:
        """Return the scores on held-out rows, of which there are none.

        Returns:
            An empty mapping.
        """
        return {}

    def train(self, epochs: int, learning_rate: float, device: str = "cpu") -> None:
        """Train the network in place.

        The learning rate rises to its peak over the first 10 % of the steps, then falls linearly to
        zero.

        Args:
            epochs: Number of passes over all rows.
            learning_rate: Peak learning rate.
            device: Name of the torch device to train on, such as "cpu" or "cuda:1".
        """
        steps = epochs * self.batches
        settings = TrainingSettings(
            steps=steps,
            batch_size=self.batch_size,
            learning_rate=learning_rate,
            warmup=0.1,
            seed=self.seed,
            log_every=max(1, self.batches // 4),
            checkpoint_every=steps,
            evaluate_every=steps,
        )
        torch.manual_seed(self.seed)
        with TemporaryDirectory() as folder:
            train(self, settings, Path(folder), device=device)
