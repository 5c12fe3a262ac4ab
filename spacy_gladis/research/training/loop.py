"""The training loop for any objective, with checkpoints and a log."""

import ctypes
import json
import math
import os
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from torch import nn

from ...errors import DeviceMemoryError, GladisError, InputError
from ...files import reading_tensors, writing
from .network import has_native_bf16
from .objective import Objective
from .processes import Processes


class Log:
    """The log file `log.jsonl` of a run.

    On resuming, records after the last checkpoint are removed, so that no step is logged twice.
    """

    def __init__(
        self, path: Path, done: int, report: Callable[[dict[str, Any]], None], *, writes: bool
    ) -> None:
        """Open the file and remove all records after the last checkpoint.

        Args:
            path: The log file.
            done: Number of steps done at the last checkpoint.
            report: Called with every new record.
            writes: Whether this process writes to the file and calls `report`.
        """
        self.path, self.report, self.writes = path, report, writes
        self.records = [record for record in read_log(path) if record["step"] <= done]
        if writes:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text("".join(json.dumps(r) + "\n" for r in self.records), "utf8")

    def add(self, record: dict[str, Any]) -> bool:
        """Append a record.

        Args:
            record: Figures of a step, including its number `step`.

        Returns:
            Whether the record has the best held-out score so far.
        """
        before = max(self.scores, default=-math.inf)
        self.records.append(record)
        if self.writes:
            with self.path.open("a", encoding="utf8") as file:
                file.write(json.dumps(record) + "\n")
            self.report(record)
        better: bool = record.get("score", -math.inf) > before
        return better

    @property
    def scores(self) -> list[float]:
        """Scores of all evaluations, in order."""
        return [record["score"] for record in self.records if "score" in record]

    @property
    def stale(self) -> int:
        """Number of evaluations since the best one."""
        scores = self.scores
        return len(scores) - 1 - scores.index(max(scores)) if scores else 0


def read_log(path: Path) -> list[dict[str, Any]]:
    """Read the records of a log file, skipping a damaged line.

    Args:
        path: The log file.

    Returns:
        The records, empty if there is no file.
    """
    records: list[Any] = []
    for line in path.read_text("utf8").splitlines() if path.is_file() else ():
        with suppress(ValueError):  # a killed run may leave a partial last line
            records.append(json.loads(line))
    return [record for record in records if isinstance(record, dict) and "step" in record]


NAME = "checkpoint.safetensors"


def save_checkpoint(
    folder: Path, module: nn.Module, optimizer: torch.optim.Optimizer, step: int
) -> None:
    """Save the weights and the optimizer's state to `checkpoint.safetensors`, atomically.

    Args:
        folder: Folder of the run.
        module: Network to save.
        optimizer: Optimizer to save.
        step: Number of steps done.
    """
    from safetensors.torch import save_file

    tensors = {f"module.{name}": value for name, value in module.state_dict().items()}
    for group_row, state in optimizer.state_dict()["state"].items():
        tensors |= {f"optimizer.{group_row}.{name}": value for name, value in state.items()}
    # The format refuses tied parameters, which share memory, so each is copied.
    tensors = {name: value.detach().clone().contiguous() for name, value in tensors.items()}
    with writing(folder / NAME) as temporary:
        save_file(tensors, temporary, {"step": json.dumps(step)})


def load_checkpoint(folder: Path, module: nn.Module, optimizer: torch.optim.Optimizer) -> int:
    """Restore the weights and the optimizer's state from the last checkpoint.

    Args:
        folder: Folder of the run.
        module: Network that receives the weights.
        optimizer: Optimizer that receives its state.

    Returns:
        The number of steps done, 0 if there is no checkpoint.

    Raises:
        FormatError: If the file is damaged.
    """
    path = folder / NAME
    if not path.is_file():
        return 0
    with reading_tensors(path, "broken checkpoint", ". Delete it to start anew.", "pt") as file:
        step = int(json.loads(file.metadata()["step"]))
        tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
    weights = {n.removeprefix("module."): t for n, t in tensors.items() if n.startswith("module.")}
    module.load_state_dict(weights)
    state: dict[int, dict[str, torch.Tensor]] = {}
    for name, value in tensors.items():
        if name.startswith("optimizer."):
            _, row, key = name.split(".", 2)
            state.setdefault(int(row), {})[key] = value
    optimizer.load_state_dict({**optimizer.state_dict(), "state": state})
    return step


class NotFiniteError(GladisError):
    """Raised when the loss is NaN or infinite."""


@dataclass(frozen=True)
class TrainingSettings:
    """Settings of the training loop.

    Attributes:
        steps: Number of optimizer steps.
        batch_size: Number of samples in a training step.
        accumulate: Number of parts in which a batch is processed, to save memory.
        learning_rate: Peak learning rate.
        warmup: Share of the steps over which the learning rate rises to its peak, 0..1.
        schedule: Schedule of the learning rate after the peak: "linear" (to zero), "constant", or
            "decay" (times 0.95 every 10,000 steps, GLADIS, A.4).
        weight_decay: Weight decay of AdamW.
        clip: Maximum norm of the gradient. Larger gradients are clipped.
        seed: Random seed of the whole run.
        precision: "bf16", "fp32" or "auto", which uses bf16 if the device supports it natively.
        log_every: Number of steps between log records.
        evaluate_every: Number of steps between evaluations.
        checkpoint_every: Number of steps between checkpoints.
        patience: Number of evaluations without a better score after which the run stops. 0 disables
            early stopping.
    """

    steps: int
    batch_size: int = 32
    accumulate: int = 1
    learning_rate: float = 5e-5
    warmup: float = 0.05
    schedule: str = "linear"
    weight_decay: float = 0.01
    clip: float = 1.0
    seed: int = 0
    precision: str = "auto"
    log_every: int = 50
    evaluate_every: int = 1000
    checkpoint_every: int = 500
    patience: int = 0

    def __post_init__(self) -> None:
        """Raise InputError if a setting is out of range."""
        for name in ("steps", "batch_size", "accumulate", "log_every", "checkpoint_every"):
            if getattr(self, name) < 1:
                raise InputError(f"{name} must be at least 1, got {getattr(self, name)}")
        if self.batch_size % self.accumulate:
            raise InputError(
                f"accumulate ({self.accumulate}) must divide batch_size ({self.batch_size})"
            )
        if self.schedule not in RATES:
            raise InputError(f"schedule must be one of {', '.join(RATES)}, got '{self.schedule}'")
        if self.precision not in ("auto", "bf16", "fp32"):
            raise InputError(f"precision must be auto, bf16 or fp32, got '{self.precision}'")

    def rate(self, step: int) -> float:
        """Return the learning rate of a step.

        Args:
            step: Number of the training step, starting at 0.

        Returns:
            The learning rate.
        """
        rising = min(1.0, (step + 1) / max(1.0, self.warmup * self.steps))
        return self.learning_rate * rising * RATES[self.schedule](step, self.steps)


RATES: dict[str, Callable[[int, int], float]] = {
    "linear": lambda step, steps: 1 - step / steps,
    "constant": lambda step, steps: 1.0,
    "decay": lambda step, steps: 0.95 ** (step // 10_000),
}


@dataclass
class Gradients:
    """Computes the gradients of a training step in the objective's network.

    Attributes:
        objective: Training objective with the network.
        processes: Processes that share the batch.
        settings: Settings of the loop.
        bf16: Whether to compute matrix products in bf16.
        microbatches: Number of slices of each part. It is doubled when the device runs out of
            memory.
    """

    objective: Objective
    processes: Processes
    settings: TrainingSettings
    bf16: bool
    microbatches: int = 1

    def compute(self, step: int) -> dict[str, float]:
        """Compute the loss of a step and its gradients.

        Args:
            step: Number of the training step, starting at 0.

        Returns:
            The loss and the objective's figures.

        Raises:
            DeviceMemoryError: If a single sample doesn't fit the device.
        """
        figures = self._own(step)
        while figures is None:
            # The failed pass's memory is only freed outside the exception handler.
            if self.processes.device.type == "cuda":
                torch.cuda.empty_cache()
            if self.microbatches * self.settings.accumulate >= self.settings.batch_size:
                raise DeviceMemoryError(
                    f"A single sample does not fit into the memory of {self.processes.device} at "
                    f"step {step}. Choose a smaller window, fewer negatives or a smaller "
                    "checkpoint."
                )
            self.microbatches *= 2
            figures = self._own(step)
        return self.processes.add_up(self.objective.module, figures)

    def _own(self, step: int) -> dict[str, float] | None:
        """Compute this process's share of the gradient, or return None if memory ran out."""
        self.objective.module.zero_grad(set_to_none=True)
        try:
            return self._backward(step)
        except torch.cuda.OutOfMemoryError:
            return None

    def _backward(self, step: int) -> dict[str, float]:
        sums: dict[str, float] = {}
        accumulate = self.settings.accumulate
        for part in self.processes.parts(accumulate):
            number = step * accumulate + part
            # Seed dropout by part, so that it doesn't depend on which process computes it.
            torch.manual_seed(self.settings.seed * 1_000_003 + number)
            batch = self.objective.batch(number)
            split = self.microbatches > 1
            microbatches = self.objective.split(batch, self.microbatches) if split else [batch]
            share = 1 / (accumulate * len(microbatches))
            for microbatch in microbatches:
                with torch.autocast(self.processes.device.type, torch.bfloat16, enabled=self.bf16):
                    loss, figures = self.objective.loss(microbatch)
                (loss * share).backward()
                for name, value in {"loss": loss.item(), **figures}.items():
                    sums[name] = sums.get(name, 0.0) + value * share
        return sums


def train(
    objective: Objective,
    settings: TrainingSettings,
    folder: Path,
    *,
    device: torch.device | str = "cpu",
    report: Callable[[dict[str, Any]], None] = lambda figures: None,
) -> dict[str, Any]:
    """Train the network of an objective, and load the best weights into it at the end.

    Processes started by torchrun share each batch's parts. An interrupted run resumes with the same
    result as an uninterrupted one. Call `run.claim` first to keep other runs out of the folder.

    Args:
        objective: Objective with the network to train.
        settings: Settings of the loop.
        folder: Folder of `checkpoint.safetensors`, `best.safetensors` and `log.jsonl`.
        device: Device to compute on.
        report: Called with each log record.

    Returns:
        The last log record.

    Raises:
        NotFiniteError: If the loss is not finite.
        FormatError: If the checkpoint is damaged.
        DeviceMemoryError: If a single sample doesn't fit the device.
    """
    from safetensors.torch import load_model, save_model

    bound_primitives()
    best = folder / "best.safetensors"
    processes = Processes.here(device)
    module = objective.module.to(processes.device)
    if processes.device.type == "cpu":
        keep_freed_memory()
    bf16 = settings.precision == "bf16" or (
        settings.precision == "auto" and has_native_bf16(processes.device)
    )
    gradients = Gradients(objective, processes, settings, bf16)
    optimizer = torch.optim.AdamW(_groups(module, settings.weight_decay), lr=0.0, fused=True)
    with processes.main_first():
        done = load_checkpoint(folder, module, optimizer)
        log = Log(folder / "log.jsonl", done, report, writes=processes.main)
    started, first = time.perf_counter(), done
    sums: dict[str, float] = {}
    counted = 0
    for step in range(done, settings.steps):
        for group in optimizer.param_groups:
            group["lr"] = settings.rate(step)
        module.train()
        figures = gradients.compute(step)
        if not math.isfinite(figures["loss"]):
            raise NotFiniteError(
                f"The loss is {figures['loss']} at step {step}. Lower the learning rate "
                f"(now {settings.learning_rate}); the last good checkpoint is kept in {folder}."
            )
        for name, value in figures.items():
            sums[name] = sums.get(name, 0.0) + value
        counted += 1
        torch.nn.utils.clip_grad_norm_(module.parameters(), settings.clip)
        optimizer.step()
        now = step + 1
        ended = now == settings.steps
        if now % settings.log_every == 0 or ended:
            rate = (now - first) * settings.batch_size / (time.perf_counter() - started)
            means = {name: round(value / counted, 5) for name, value in sums.items()}
            left = round((settings.steps - now) * settings.batch_size / rate)
            speed = {"samples_per_second": round(rate, 1), "seconds_left": left}
            log.add({"step": now, **means, **speed})
            sums, counted = {}, 0
        if now % settings.evaluate_every == 0 or ended:
            held_out: dict[str, float] = {}
            if processes.main:
                module.eval()
                with (
                    torch.inference_mode(),
                    torch.autocast(processes.device.type, torch.bfloat16, enabled=bf16),
                ):
                    held_out = objective.evaluate()
            held_out = processes.from_main(held_out)
            if held_out and log.add({"step": now, **held_out}) and processes.main:
                with writing(best) as temporary:
                    save_model(module, str(temporary))
        if (now % settings.checkpoint_every == 0 or ended) and processes.main:
            save_checkpoint(folder, module, optimizer, now)
        if settings.patience and log.stale >= settings.patience:
            break
    with processes.main_first():
        if best.is_file():
            load_model(module, best)
    return log.records[-1] if log.records else {}


def _groups(module: torch.nn.Module, decay: float) -> list[dict[str, Any]]:
    """Return parameter groups with weight decay for matrices, not biases, norms and scalars."""
    parameters = [p for p in module.parameters() if p.requires_grad]
    return [
        {"params": [p for p in parameters if p.ndim >= 2], "weight_decay": decay},
        {"params": [p for p in parameters if p.ndim < 2], "weight_decay": 0.0},
    ]


PRIMITIVES = "32"
"""Maximum number of kernels that oneDNN caches. It compiles a kernel for each shape and caches
1,024 by default, which took 9 GB in 700 steps of varying shapes. With 32 kernels, memory after 41
steps was 3.3 GB instead of 5.2 GB, at the same speed."""


def bound_primitives() -> None:
    """Limit the size of oneDNN's kernel cache unless the user has set a limit.

    Call this before any computation.
    """
    os.environ.setdefault("ONEDNN_PRIMITIVE_CACHE_CAPACITY", PRIMITIVES)
    os.environ.setdefault("LRU_CACHE_CAPACITY", PRIMITIVES)  # torch's own, in front of it


TRIM_THRESHOLD, MMAP_MAX = -1, -4
"""Parameters of glibc's `mallopt`; see malloc.h."""


def keep_freed_memory() -> None:
    """Make glibc keep freed memory for the next step. Has no effect with other C libraries.

    Each step on a CPU allocates the same gigabyte. Returning it to the system and page-faulting it
    in again costs a quarter of the time on two threads.
    """
    if not sys.platform.startswith("linux"):
        return
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt is not None:
        mallopt(MMAP_MAX, 0)
        mallopt(TRIM_THRESHOLD, 2**31 - 1)
