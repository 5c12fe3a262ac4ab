"""The processes that share a training run, as torchrun or accelerate starts them.

Each process computes its parts of every batch, and the gradients of all processes are added up
before the step. A run of two processes therefore takes the same steps as a run of one process, and
either can resume the other.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, TypeVar

import torch

from ...errors import InputError, require

T = TypeVar("T")


@dataclass(frozen=True)
class Processes:
    """The rank of this process among the processes that share a training run.

    Attributes:
        rank: Number of this process, starting at 0.
        count: Number of processes.
        device: Device that this process computes on.
    """

    rank: int
    count: int
    device: torch.device

    @classmethod
    def here(cls, device: torch.device | str) -> "Processes":
        """Detect the rank of this process and the number of processes of the run.

        Args:
            device: "cpu", "cuda" (each process uses a GPU of its own) or, for a single process, a
                GPU such as "cuda:1".

        Returns:
            The rank and the device of this process, and the number of processes.

        Raises:
            MissingExtraError: If there are several processes and accelerate is not installed.
        """
        requested = torch.device(device)
        if int(os.environ.get("WORLD_SIZE", "1")) == 1:
            return cls(0, 1, requested)
        # Other processes may wait for hours while the main process tokenises or runs a teacher.
        state = require("accelerate", "train").PartialState(
            cpu=requested.type == "cpu", timeout=timedelta(days=1)
        )
        return cls(state.process_index, state.num_processes, state.device)

    @property
    def main(self) -> bool:
        """Whether this process evaluates the network and writes the files of the run."""
        return self.rank == 0

    def parts(self, accumulate: int) -> range:
        """Return the numbers of the parts of a batch that this process computes.

        Args:
            accumulate: Number of parts into which each batch is divided.

        Returns:
            The numbers of the parts, starting at 0. Every process has the same number of parts.

        Raises:
            InputError: If the number of parts is not a multiple of the number of processes.
        """
        if accumulate % self.count:
            raise InputError(
                f"training.accumulate is {accumulate}. It must be a multiple of the number of "
                f"processes ({self.count}), which share the parts of each batch."
            )
        return range(self.rank, accumulate, self.count)

    @contextmanager
    def main_first(self) -> Iterator[None]:
        """Run a block of code in the main process first, and then in the other processes.

        Files that the main process writes in the block can be read by the others.
        """
        if self.count == 1:
            yield
            return
        from accelerate import PartialState

        with PartialState().main_process_first():
            yield

    def from_main(self, value: T) -> T:
        """Send a value from the main process to all other processes.

        Args:
            value: Value to send. Values of other processes than the main one are ignored.

        Returns:
            The value of the main process, in every process.
        """
        if self.count == 1:
            return value
        from accelerate.utils import broadcast_object_list

        values: list[Any] = broadcast_object_list([value])
        shared: T = values[0]
        return shared

    def add_up(self, module: torch.nn.Module, figures: dict[str, float]) -> dict[str, float]:
        """Add up the gradients of all processes in place, and add up their figures.

        Args:
            module: Network whose gradients are replaced by their sums.
            figures: Figures of this process, such as its share of the loss.

        Returns:
            For each figure, the sum over all processes.
        """
        if self.count == 1:
            return figures
        from accelerate.utils import reduce

        parameters = [p for p in module.parameters() if p.requires_grad]
        for parameter in parameters:
            if parameter.grad is None:
                parameter.grad = torch.zeros_like(parameter)
        gradients = [p.grad for p in parameters if p.grad is not None]
        names = sorted(figures)
        log = torch.tensor([figures[name] for name in names], device=self.device)
        # All values are sent in a single message, because each message has its own latency.
        flat = torch.cat([*(gradient.flatten() for gradient in gradients), log])
        total: torch.Tensor = reduce(flat, "sum")
        sizes = [gradient.numel() for gradient in gradients]
        *summed, log = total.split([*sizes, len(names)])
        for gradient, value in zip(gradients, summed, strict=True):
            gradient.copy_(value.view_as(gradient))
        return dict(zip(names, log.tolist(), strict=True))
