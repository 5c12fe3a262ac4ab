"""The processes that share a run: this one, or those that torchrun or accelerate started.

Each computes its parts of every batch; the gradients are added up before the step. So a run of
two processes takes the steps of a run of one with the same settings, and either resumes the other.
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
    """rank: this process's number from 0. count: of all. device: where this one computes."""

    rank: int
    count: int
    device: torch.device

    @classmethod
    def here(cls, device: torch.device | str) -> "Processes":
        """The processes this one belongs to.

        device: "cpu", "cuda" (each process gets its own GPU) or, for a single process, one GPU.
        Raises MissingExtraError when there are several and accelerate is not installed.
        """
        wanted = torch.device(device)
        if int(os.environ.get("WORLD_SIZE", "1")) == 1:
            return cls(0, 1, wanted)
        # The others wait while the main one tokenises, or reads with a teacher: for hours.
        state = require("accelerate", "train").PartialState(
            cpu=wanted.type == "cpu", timeout=timedelta(days=1)
        )
        return cls(state.process_index, state.num_processes, state.device)

    @property
    def main(self) -> bool:
        """Whether this is the one that evaluates and writes files."""
        return self.rank == 0

    def parts(self, accumulate: int) -> range:
        """The parts of a batch that fall to this process; InputError when they cannot be dealt."""
        if accumulate % self.count:
            raise InputError(
                f"training.accumulate is {accumulate}: it must be a multiple of the number of "
                f"processes ({self.count}), which share the parts of each batch"
            )
        return range(self.rank, accumulate, self.count)

    @contextmanager
    def main_first(self) -> Iterator[None]:
        """A block that the other processes enter when the main one has left it."""
        if self.count == 1:
            yield
            return
        from accelerate import PartialState

        with PartialState().main_process_first():
            yield

    def from_main(self, value: T) -> T:
        """The main process's value, in every process."""
        if self.count == 1:
            return value
        from accelerate.utils import broadcast_object_list

        values: list[Any] = broadcast_object_list([value])
        shared: T = values[0]
        return shared

    def add_up(self, module: torch.nn.Module, figures: dict[str, float]) -> dict[str, float]:
        """Replace each gradient by its sum over the processes; returns the figures' sums."""
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
        # One message a step: sending each gradient by itself waits for each by itself.
        flat = torch.cat([*(gradient.flatten() for gradient in gradients), log])
        total: torch.Tensor = reduce(flat, "sum")
        sizes = [gradient.numel() for gradient in gradients]
        *summed, log = total.split([*sizes, len(names)])
        for gradient, value in zip(gradients, summed, strict=True):
            gradient.copy_(value.view_as(gradient))
        return dict(zip(names, log.tolist(), strict=True))
