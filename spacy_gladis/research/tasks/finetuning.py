"""Fine-tuning of a network on rows of data, in batches of similar length."""

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
    """An objective for `training.loop.train` that minimises the mean loss over rows of data.

    No rows are held out.

    Attributes:
        module: The network to train.
        row_loss: Function that returns the mean loss of the rows with the given indices.
        lengths: Number of tokens of each row. A batch has rows of similar length.
        batch_size: Number of rows in a batch.
        seed: Random seed. Each epoch is shuffled by the seed and the epoch's number.
    """

    module: nn.Module
    row_loss: Callable[[list[int]], Tensor]
    lengths: Sequence[int]
    batch_size: int
    seed: int

    @property
    def batches(self) -> int:
        """Return the number of batches in an epoch."""
        return max(1, round(len(self.lengths) / self.batch_size))

    def batch(self, step: int) -> list[int]:
        """Return the rows of a training step.

        Args:
            step: Number of the training step, starting at 0.

        Returns:
            Row numbers.
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

        Args:
            batch: Row numbers.
            parts: The number of parts.

        Returns:
            The row numbers of each part.
        """
        return [batch[first:last] for first, last in equal_parts(len(batch), parts)]

    def loss(self, batch: list[int]) -> tuple[Tensor, dict[str, float]]:
        """Compute the mean loss of rows.

        Args:
            batch: Row numbers.

        Returns:
            The loss, a scalar, and no further figures.
        """
        return self.row_loss(batch), {}

    def evaluate(self) -> dict[str, float]:
        """Return no scores, because nothing is held out.

        Returns:
            An empty mapping.
        """
        return {}

    def train(self, epochs: int, learning_rate: float, device: str = "cpu") -> None:
        """Train the network in place, with a linear learning rate schedule.

        Args:
            epochs: Number of passes over the rows.
            learning_rate: The peak learning rate.
            device: A torch device, such as "cuda:1".
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
