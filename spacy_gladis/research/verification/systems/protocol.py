"""What a system for target sense verification offers; the lower bound, always yes; what systems
share that fine-tune an encoder, one pair at a time."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional as F  # noqa: N812

from ....arrays import Doubles
from ...datasets.wic_tsv import TargetSense
from ...training.loop import TrainingSettings, train
from ...training.order import equal_parts


class Verifier:
    """A system that learns from answered target senses and answers others."""

    def fit(self, senses: Sequence[TargetSense], labels: Sequence[bool], seed: int) -> None:
        """Learn anew; the same seed gives the same system."""

    def predict(self, senses: Sequence[TargetSense]) -> Doubles:
        """For each the probability, 0..1, that the target has this sense; 0.5 and more is yes."""
        raise NotImplementedError


class AlwaysTrue(Verifier):
    """Answers yes, whatever it is asked (WiC-TSV's own lower bound)."""

    def predict(self, senses: Sequence[TargetSense]) -> Doubles:
        return np.ones(len(senses))


@dataclass
class FineTunedVerifier(Verifier):
    """An encoder that is fine-tuned from answers.

    start: folder of its weights. frozen: layers from the bottom, and the embeddings, that are not
    trained; 0 trains everything. epochs, learning_rate, batch_size: of the fine-tuning. device:
    where it computes, such as "cuda".
    """

    start: Path
    frozen: int = 0
    epochs: int = 3
    learning_rate: float = 5e-5
    batch_size: int = 32
    device: str = "cpu"

    def _finetune(
        self,
        network: nn.Module,
        logits: Callable[[list[int]], Tensor],
        labels: Sequence[bool],
        lengths: Sequence[int],
        seed: int,
    ) -> None:
        """Train `network` in place, whose `logits` are those of some rows; lengths in tokens."""
        answers = torch.tensor(labels, dtype=torch.float32)
        objective = VerificationObjective(network, logits, answers, lengths, self.batch_size, seed)
        steps = self.epochs * objective.batches
        settings = TrainingSettings(
            steps=steps,
            batch_size=self.batch_size,
            learning_rate=self.learning_rate,
            warmup=0.1,
            seed=seed,
            log_every=max(1, objective.batches // 4),
            checkpoint_every=steps,
            evaluate_every=steps,
        )
        torch.manual_seed(seed)
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
