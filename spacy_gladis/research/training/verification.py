"""Fine-tuning on target senses: yes or no, one pair at a time."""

from collections.abc import Callable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional as F  # noqa: N812

from .loop import TrainingSettings, train
from .order import equal_parts

Rows = list[int]


class VerificationObjective:
    """Mean binary cross-entropy of `logits(rows)` against the labels of these rows.

    module: the network that `logits` asks. batch_size: rows a batch. Batches are of rows of
    similar length, so that little is padding; every epoch is drawn from its own seed.
    """

    def __init__(
        self,
        module: nn.Module,
        logits: Callable[[Rows], Tensor],
        labels: Sequence[bool],
        lengths: Sequence[int],
        *,
        batch_size: int,
        seed: int,
    ) -> None:
        self.module, self.logits = module, logits
        self.labels = torch.tensor(labels, dtype=torch.float32)
        self.lengths, self.batch_size, self.seed = np.asarray(lengths), batch_size, seed
        self.batches = max(1, round(len(labels) / batch_size))

    def batch(self, step: int) -> Rows:
        """The rows of step `step`."""
        epoch, position = divmod(step, self.batches)
        rng = np.random.default_rng([self.seed, epoch])
        # Lengths are blurred, so that no two epochs have the same batches.
        blurred = self.lengths * rng.uniform(0.7, 1.3, len(self.lengths))
        parts = np.array_split(np.argsort(blurred, kind="stable"), self.batches)
        rows: Rows = parts[rng.permutation(self.batches)[position]].tolist()
        return rows

    def split(self, batch: Rows, parts: int) -> list[Rows]:
        """Equal parts of a batch."""
        return [batch[first:last] for first, last in equal_parts(len(batch), parts)]

    def loss(self, batch: Rows) -> tuple[Tensor, dict[str, float]]:
        """The loss of a batch, and its accuracy for the log."""
        logits = self.logits(batch)
        labels = self.labels[batch].to(logits.device)
        accuracy = ((logits > 0) == (labels > 0)).float().mean().item()
        return F.binary_cross_entropy_with_logits(logits, labels), {"accuracy": accuracy}

    def evaluate(self) -> dict[str, float]:
        """Nothing is held out: the last weights are the result."""
        return {}


def finetune(
    objective: VerificationObjective,
    *,
    epochs: int,
    learning_rate: float,
    device: str = "cpu",
) -> None:
    """Train the objective's module in place, and leave it on `device`."""
    steps = epochs * objective.batches
    settings = TrainingSettings(
        steps=steps,
        batch_size=objective.batch_size,
        learning_rate=learning_rate,
        warmup=0.1,
        seed=objective.seed,
        log_every=max(1, objective.batches // 4),
        checkpoint_every=steps,
        evaluate_every=steps,
    )
    torch.manual_seed(objective.seed)
    with TemporaryDirectory() as folder:
        train(objective, settings, Path(folder), device=device)
