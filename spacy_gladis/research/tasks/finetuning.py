"""Fine-tuning a network on numbered rows, in epochs of batches of like length."""

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
    """The mean loss of some rows; nothing is held out.

    Attributes:
        module: The network to train.
        row_loss: Gives the mean loss of the rows with these numbers.
        lengths: The rows' lengths in tokens; rows of like length make a batch.
        batch_size: Rows a batch.
        seed: Every epoch is drawn from this seed and its own number.
    """

    module: nn.Module
    row_loss: Callable[[list[int]], Tensor]
    lengths: Sequence[int]
    batch_size: int
    seed: int

    @property
    def batches(self) -> int:
        return max(1, round(len(self.lengths) / self.batch_size))

    def batch(self, step: int) -> list[int]:
        epoch, position = divmod(step, self.batches)
        rng = np.random.default_rng([self.seed, epoch])
        # Lengths are blurred, so that no two epochs have the same batches.
        blurred = np.asarray(self.lengths) * rng.uniform(0.7, 1.3, len(self.lengths))
        parts = np.array_split(np.argsort(blurred, kind="stable"), self.batches)
        rows: list[int] = parts[rng.permutation(self.batches)[position]].tolist()
        return rows

    def split(self, batch: list[int], parts: int) -> list[list[int]]:
        return [batch[first:last] for first, last in equal_parts(len(batch), parts)]

    def loss(self, batch: list[int]) -> tuple[Tensor, dict[str, float]]:
        return self.row_loss(batch), {}

    def evaluate(self) -> dict[str, float]:
        return {}

    def train(self, epochs: int, learning_rate: float, device: str = "cpu") -> None:
        """Train the network in place, with a linear schedule from this peak learning rate."""
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
