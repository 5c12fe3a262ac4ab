"""What systems share that fine-tune an encoder from answered target senses."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated

import numpy as np
import torch
import typer
from torch import Tensor, nn
from torch.nn import functional as F  # noqa: N812

from ....linking.acrobert import PACKAGED
from ...training.loop import TrainingSettings, train
from ...training.order import equal_parts
from ...training.start import find_start
from ..options import Base, Device, Epochs, LearningRate, Model
from .system import VerificationSystem


@dataclass
class FineTuned(VerificationSystem):
    """An encoder that is fine-tuned from answers.

    Attributes:
        base: The encoder to start from; None for AcroBERT's.
        model: AcroBERT's folder; None for the packaged one.
        frozen: Layers from the bottom, and the embeddings, that are not trained; 0 trains all.
        epochs: Passes over the training set.
        learning_rate: Peak learning rate.
        batch_size: Items a step.
        device: Where it computes.
        seed: Of the new layer and of the batches.
    """

    base: Base = None
    model: Model = None
    frozen: Annotated[
        int, typer.Option(min=0, help="Layers that fine-tuning leaves as they are.")
    ] = 0
    epochs: Epochs = 3
    learning_rate: LearningRate = 5e-5
    batch_size: int = 32
    device: Device = "cpu"
    seed: int = 0

    @property
    def start(self) -> Path:
        """The folder of the encoder to start from."""
        return find_start(self.base) if self.base else (self.model or PACKAGED)

    def finetune(
        self,
        network: nn.Module,
        logits: Callable[[list[int]], Tensor],
        labels: Sequence[bool],
        lengths: Sequence[int],
    ) -> None:
        """Train a network in place.

        Args:
            network: The network.
            logits: Gives its logits of some rows.
            labels: The answers of all rows.
            lengths: The rows' lengths in tokens.
        """
        answers = torch.tensor(labels, dtype=torch.float32)
        objective = VerificationObjective(
            network, logits, answers, lengths, self.batch_size, self.seed
        )
        steps = self.epochs * objective.batches
        settings = TrainingSettings(
            steps=steps,
            batch_size=self.batch_size,
            learning_rate=self.learning_rate,
            warmup=0.1,
            seed=self.seed,
            log_every=max(1, objective.batches // 4),
            checkpoint_every=steps,
            evaluate_every=steps,
        )
        torch.manual_seed(self.seed)
        with TemporaryDirectory() as folder:
            train(objective, settings, Path(folder), device=self.device)


@dataclass
class VerificationObjective:
    """Mean binary cross-entropy of `logits(rows)` against the labels of these rows.

    module: the network that `logits` asks. batch_size: rows a batch. Batches are of rows of
    similar length, so that little is padding; every epoch is drawn from its own seed.
    """

    module: nn.Module
    logits: Callable[[list[int]], Tensor]
    labels: Tensor
    lengths: Sequence[int]
    batch_size: int
    seed: int

    @property
    def batches(self) -> int:
        return max(1, round(len(self.labels) / self.batch_size))

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
        """The loss of a batch, and its accuracy for the log."""
        logits = self.logits(batch)
        labels = self.labels[batch].to(logits.device)
        accuracy = ((logits > 0) == (labels > 0)).float().mean().item()
        return F.binary_cross_entropy_with_logits(logits, labels), {"accuracy": accuracy}

    def evaluate(self) -> dict[str, float]:
        """Nothing is held out: the last weights are the result."""
        return {}


def freeze(encoder: nn.Module, layers: int) -> None:
    """Keep the embeddings and the first `layers` layers as they are; 0: train everything."""
    if not layers:
        return
    blocks = next(part for part in encoder.modules() if isinstance(part, nn.ModuleList))
    for part in (encoder.embeddings, *blocks[:layers]):
        part.requires_grad_(False)
