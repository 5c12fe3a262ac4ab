"""What the training loop needs of a task: a network, batches, and a loss over one batch."""

from collections.abc import Sequence
from typing import Any, Protocol

from torch import Tensor, nn


class Objective(Protocol):
    """A training task. `Batch` is whatever `batch` makes and `loss` takes."""

    @property
    def module(self) -> nn.Module:
        """The network to train."""

    def batch(self, step: int) -> Any:
        """The batch of step `step`: the same whenever it is asked for, so that runs resume."""

    def split(self, batch: Any, parts: int) -> Sequence[Any]:
        """The batch in `parts` equal ones, for a device without memory for the whole."""

    def loss(self, batch: Any) -> tuple[Tensor, dict[str, float]]:
        """The loss to minimise, a mean over the samples, and figures for the log."""

    def evaluate(self) -> dict[str, float]:
        """Figures on held-out data; the key `score` chooses the best weights. May be empty."""
