"""Base class of the systems that verify senses by fine-tuning an encoder on labelled examples."""

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
    """Base class of systems that verify senses by fine-tuning an encoder.

    The WiC-TSV paper does not report training settings, so the default settings are ours.

    Attributes:
        base: Checkpoint of the encoder to start from: a folder, `package:NAME` or a Hugging Face
            name. None to start from AcroBERT.
        model: Folder with AcroBERT's weights, which are used if `base` is None. None for the
            packaged weights.
        frozen: Number of lowest layers that are not trained. If it is positive, the embeddings are
            not trained either. 0 trains all layers.
        epochs: Number of passes over the training set.
        learning_rate: Peak learning rate.
        batch_size: Number of questions in a training step.
        device: Torch device to compute on, such as "cuda".
        seed: Random seed of the new layer's weights and of the batches.
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
        """Local folder of the encoder from which fine-tuning starts."""
        return find_start(self.base or self.model)

    def finetune(
        self,
        network: nn.Module,
        logits: Callable[[list[int]], Tensor],
        labels: Sequence[bool],
        lengths: Sequence[int],
    ) -> None:
        """Train a network in place with the binary cross-entropy loss.

        Args:
            network: Network to train.
            logits: Function that takes the indices of questions and returns the network's logits
                for them, [questions].
            labels: Gold label of every training question.
            lengths: Number of tokens of every training question.
        """
        answers = torch.tensor(labels, dtype=torch.float32)

        def loss(rows: list[int]) -> Tensor:
            predicted = logits(rows)
            return F.binary_cross_entropy_with_logits(predicted, answers[rows].to(predicted.device))

        objective = RowObjective(network, loss, lengths, self.batch_size, self.seed)
        objective.train(self.epochs, self.learning_rate, self.device)


def freeze(encoder: nn.Module, layers: int) -> None:
    """Exclude the embeddings and the lowest layers of an encoder from training.

    Args:
        encoder: Encoder to change in place.
        layers: Number of layers to exclude, starting with the lowest. With 0, nothing is excluded,
            not even the embeddings.
    """
    if not layers:
        return
    blocks = next(part for part in encoder.modules() if isinstance(part, nn.ModuleList))
    for part in (encoder.embeddings, *blocks[:layers]):
        part.requires_grad_(False)
