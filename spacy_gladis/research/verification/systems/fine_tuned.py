"""What systems share that fine-tune an encoder."""

from collections.abc import Callable, Sequence
from pathlib import Path

from torch import Tensor, nn

from ...training.verification import VerificationObjective, finetune


class FineTunedVerifier:
    """An encoder that is fine-tuned from answers.

    start: folder of its weights. frozen: layers from the bottom, and the embeddings, that are not
    trained; 0 trains everything. epochs, learning_rate, batch_size: of the fine-tuning. device:
    where it computes, such as "cuda".
    """

    def __init__(
        self,
        start: Path,
        *,
        frozen: int = 0,
        epochs: int = 3,
        learning_rate: float = 5e-5,
        batch_size: int = 32,
        device: str = "cpu",
    ) -> None:
        self.start, self.frozen, self.epochs = start, frozen, epochs
        self.learning_rate, self.batch_size, self.device = learning_rate, batch_size, device

    def _finetune(
        self,
        network: nn.Module,
        logits: Callable[[list[int]], Tensor],
        labels: Sequence[bool],
        lengths: Sequence[int],
        seed: int,
    ) -> None:
        """Train `network`, whose `logits` are those of some rows; lengths in tokens."""
        objective = VerificationObjective(
            network, logits, labels, lengths, batch_size=self.batch_size, seed=seed
        )
        finetune(
            objective, epochs=self.epochs, learning_rate=self.learning_rate, device=self.device
        )


def freeze(encoder: nn.Module, layers: int) -> None:
    """Keep the embeddings and the first `layers` layers as they are; 0: train everything."""
    if not layers:
        return
    blocks = next(part for part in encoder.modules() if isinstance(part, nn.ModuleList))
    for part in (encoder.embeddings, *blocks[:layers]):
        part.requires_grad_(False)
