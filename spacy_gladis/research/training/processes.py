"""The processes that share a training run, as started by torchrun or accelerate.

Each process computes its parts of every batch, and the gradients are summed before the step. A run
of two processes therefore takes the same steps as a run of one, and either can resume the other.
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
        rank: Number of this process, from 0.
        count: Number of processes.
        device: Device that this process computes on.
    """

    rank: int
    count: int
    device: torch.device

    @classmethod
    def here(cls, device: torch.device | str) -> "Processes":
        """Detect the processes of this run.

        Args:
            device: "cpu", "cuda" (one GPU for each process) or, for a single process, a GPU such as
                "cuda:1".

        Returns:
            The rank of this process, the number of processes and the device.

        Raises:
            MissingExtraError: If there are several processes and accelerate is not installed.
        """
        requested = torch.device(device)
        if int(os.environ.get("WORLD_SIZE", "1")) == 1:
            return cls(0, 1, requested)
        # Other processes may wait hours while the main one tokenises or runs a teacher.
        state = require("accelerate", "train").PartialState(
            cpu=requested.type == "cpu", timeout=timedelta(days=1)
        )
        return cls(state.process_index, state.num_processes, state.device)

    @property
    def main(self) -> bool:
        """Whether this process evaluates and writes files."""
        return self.rank == 0

    def parts(self, accumulate: int) -> range:
        """Return the parts of a batch that this process computes.

        Args:
            accumulate: Number of parts of a batch.

        Returns:
            Numbers of the parts.

        Raises:
            InputError: If the parts can't be shared equally.
        """
        if accumulate % self.count:
            raise InputError(
                f"training.accumulate is {accumulate}. It must be a multiple of the number of "
                f"processes ({self.count}), which share the parts of each batch."
            )
        return range(self.rank, accumulate, self.count)

    @contextmanager
    def main_first(self) -> Iterator[None]:
        """Run a block in the main process first, then in the other processes."""
        if self.count == 1:
            yield
            return
        from accelerate import PartialState

        with PartialState().main_process_first():
            yield

    def from_main(self, value: T) -> T:
        """Return the main process's value in every process.

        Args:
            value: This process's value.

        Returns:
            The value of the main process.
        """
        if self.count == 1:
            return value
        from accelerate.utils import broadcast_object_list

        values: list[Any] = broadcast_object_list([value])
        shared: T = values[0]
        return shared

    def add_up(self, module: torch.nn.Module, figures: dict[str, float]) -> dict[str, float]:
        """Sum the gradients over all processes in place.

        Args:
            module: Network with the gradients.
            figures: Figures that are also summed.

        Returns:
            The sums of the figures.
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
        # Send one message per step, because each message has its own latency.
        flat = torch.cat([*(gradient.flatten() for gradient in gradients), log])
        total: torch.Tensor = reduce(flat, "sum")
        sizes = [gradient.numel() for gradient in gradients]
        *summed, log = total.split([*sizes, len(names)])
        for gradient, value in zip(gradients, summed, strict=True):
            gradient.copy_(value.view_as(gradient))
        return dict(zip(names, log.tolist(), strict=True))
