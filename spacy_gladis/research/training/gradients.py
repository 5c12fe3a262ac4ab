"""The gradient of one step: over the batch's parts, the processes, and what fits into memory."""

from dataclasses import dataclass

import torch

from ...errors import DeviceMemoryError
from .objective import Objective
from .processes import Processes


@dataclass
class Gradients:
    """Leaves the gradient of a step in the objective's network.

    accumulate: parts that a batch is computed in. samples: in a part. bf16: whether to multiply in
    bf16. seed: of dropout, whose draws depend on the part alone and not on who computes it.
    microbatches: that a part is divided into, doubled when the device is out of memory.
    """

    objective: Objective
    processes: Processes
    accumulate: int
    samples: int
    bf16: bool
    seed: int
    microbatches: int = 1

    def __post_init__(self) -> None:
        self.processes.parts(self.accumulate)  # raises where they cannot be shared out evenly

    def compute(self, step: int) -> dict[str, float]:
        """Backpropagate step `step`; returns the loss and the objective's figures.

        Raises DeviceMemoryError when a single sample does not fit the device.
        """
        figures = self._own(step)
        while figures is None:
            # Only here, out of the handler, is the memory of the failed pass free again.
            if self.processes.device.type == "cuda":
                torch.cuda.empty_cache()
            if self.microbatches >= self.samples:
                raise DeviceMemoryError(
                    f"a single sample does not fit the memory of {self.processes.device} at step "
                    f"{step}. Choose a smaller window, fewer negatives or a smaller checkpoint."
                )
            self.microbatches *= 2
            figures = self._own(step)
        return self.processes.add_up(self.objective.module, figures)

    def _own(self, step: int) -> dict[str, float] | None:
        """This process's share of the gradient; None when the device ran out of memory."""
        self.objective.module.zero_grad(set_to_none=True)
        try:
            return self._backward(step)
        except torch.cuda.OutOfMemoryError:
            return None

    def _backward(self, step: int) -> dict[str, float]:
        sums: dict[str, float] = {}
        for part in self.processes.parts(self.accumulate):
            number = step * self.accumulate + part
            torch.manual_seed(self.seed * 1_000_003 + number)
            batch = self.objective.batch(number)
            split = self.microbatches > 1
            microbatches = self.objective.split(batch, self.microbatches) if split else [batch]
            share = 1 / (self.accumulate * len(microbatches))
            for microbatch in microbatches:
                with torch.autocast(self.processes.device.type, torch.bfloat16, enabled=self.bf16):
                    loss, figures = self.objective.loss(microbatch)
                (loss * share).backward()
                for name, value in {"loss": loss.item(), **figures}.items():
                    sums[name] = sums.get(name, 0.0) + value * share
        return sums
