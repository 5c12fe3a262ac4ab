"""Shared base of the systems that fine-tune an encoder on labelled target senses."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import torch
import typer
from torch import Tensor, nn
from torch.nn import functional as F  # noqa: N812

from ...training.start import find_start
from ..finetuning import RowObjective
from ..options import Base, Device, Epochs, LearningRate, Model
from .system import VerificationSystem


@dataclass
class FineTuned(VerificationSystem):
    """Base class of systems that fine-tune an encoder.

    Attributes:
        base: Checkpoint of the encoder to start from. None for AcroBERT's.
        model: Folder with AcroBERT's weights. None for the packaged weights.
        frozen: Number of lowest layers to freeze, together with the embeddings. 0 trains all
            layers.
        epochs: Number of passes over the training set.
        learning_rate: Peak learning rate.
        batch_size: Number of items in a training step.
        device: The device to compute on.
        seed: Random seed of the         ew layer and the batches.
    """

    base: Base = None
    model: Model = None
    frozen: Annotated[
        int, typer.Option(min=0, help="Number of lower layers that fine-tuning doesn't change.")
    ] = 0
    epochs: Epochs = 3
    learning_rate: LearningRate = 5e-5
    batch_size: int = 32
    device: Device = "cpu"
    seed: int = 0

    @property
    def start(self) -> Path:
        """Folder of the encoder to start from."""
        return find_start(self.base or self.model)

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
            logits: Function that returns the network's logits of the given rows.
            labels: The gold labels of all rows.
            lengths: Number of tokens of each row.
        """
        answers = torch.tensor(labels, dtype=torch.float32)

        def loss(rows: list[int]) -> Tensor:
            predicted = logits(rows)
            return F.binary_cross_entropy_with_logits(predicted, answers[rows].to(predicted.device))

        objective = RowObjective(network, loss, lengths, self.batch_size, self.seed)
        objective.train(self.epochs, self.learning_rate, self.device)


def freeze(encoder: nn.Module, layers: int) -> None:
    """Exclude the embeddings and the lowest layers from training.

    Args:
        encoder: The encoder.
        layers: Number of layers to freeze. 0 trains everything.
    """
    if not layers:
        return
    blocks = next(part for part in encoder.modules() if isinstance(part, nn.ModuleList))
    for part in (encoder.embeddings, *blocks[:layers]):
        part.requires_grad_(False)
