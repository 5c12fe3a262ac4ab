"""The training loop, which trains the network of any objective, with checkpoints and a log."""

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
    """The log of a training run, which is a file of JSON lines.

    When a run is resumed, the records after its last checkpoint are removed, because these steps
    are done again.
    """

    def __init__(
        self, path: Path, done: int, report: Callable[[dict[str, Any]], None], *, writes: bool
    ) -> None:
        """Open the log file and remove all records after the last checkpoint.

        Args:
            path: Path of the log file. It is created if it doesn't exist.
            done: Number of steps done at the last checkpoint.
            report: Function that is called with every new record.
            writes: Whether this process writes to the file and calls `report`. Only one process of
                a run does.
        """
        self.path, self.report, self.writes = path, report, writes
        self.records = [record for record in read_log(path) if record["step"] <= done]
        if writes:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text("".join(json.dumps(r) + "\n" for r in self.records), "utf8")

    def add(self, record: dict[str, Any]) -> bool:
        """Append a record to the log.

        Args:
            record: Figures of a step, including its number as `step`. A record of an evaluation has
                a `score`.

        Returns:
            Whether the record has a higher score than all records before it.
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
        """Scores of all evaluations in the log, in the order of their steps."""
        return [record["score"] for record in self.records if "score" in record]

    @property
    def stale(self) -> int:
        """Number of evaluations since the best one. It is 0 if there were none."""
        scores = self.scores
        return len(scores) - 1 - scores.index(max(scores)) if scores else 0


def read_log(path: Path) -> list[dict[str, Any]]:
    """Read the records of a log file.

    Damaged lines are skipped, because a run that was killed may leave an incomplete last line.

    Args:
        path: Path of the log file.

    Returns:
        The records in the order of the file. Empty if the file doesn't exist.
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
    """Save the weights of a network and the state of its optimizer to `checkpoint.safetensors`.

    The file is replaced atomically, so an interruption leaves the previous checkpoint intact.

    Args:
        folder: Folder of the run.
        module: Network whose weights are saved.
        optimizer: Optimizer whose state is saved.
        step: Number of steps done so far.
    """
    from safetensors.torch import save_file

    tensors = {f"module.{name}": value for name, value in module.state_dict().items()}
    for group_row, state in optimizer.state_dict()["state"].items():
        tensors |= {f"optimizer.{group_row}.{name}": value for name, value in state.items()}
    # Safetensors rejects parameters that share memory, so each parameter is copied.
    tensors = {name: value.detach().clone().contiguous() for name, value in tensors.items()}
    with writing(folder / NAME) as temporary:
        save_file(tensors, temporary, {"step": json.dumps(step)})


def load_checkpoint(folder: Path, module: nn.Module, optimizer: torch.optim.Optimizer) -> int:
    """Restore the weights of a network and its optimizer's state from `checkpoint.safetensors`.

    Args:
        folder: Folder of the run.
        module: Network that receives the weights.
        optimizer: Optimizer that receives the state.

    Returns:
        The number of steps done before the checkpoint was saved. 0 if there is no checkpoint.

    Raises:
        FormatError: If the checkpoint is damaged.
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
    """Raised when the loss of a training step is NaN or infinite."""


@dataclass(frozen=True)
class TrainingSettings:
    """The settings of the training loop.

    Attributes:
        steps: Number of optimizer steps.
        batch_size: Number of samples in a training step.
        accumulate: Number of parts in which a batch is processed, to save memory. It divides
            `batch_size`.
        learning_rate: Peak learning rate.
        warmup: Share of the steps over which the learning rate rises to its peak, 0..1.
        schedule: How the learning rate changes over the steps, in addition to the warm-up: "linear"
            (it falls to zero), "constant", or "decay" (it is multiplied by 0.95 every 10,000 steps;
            GLADIS, appendix A.4).
        weight_decay: Weight decay of AdamW. It applies to matrices only.
        clip: Maximum norm of the gradient. A larger gradient is scaled down to this norm.
        seed: Random seed of the dropout and of the batches.
        precision: "bf16", "fp32" or "auto", which uses bf16 if the device supports it natively.
        log_every: Number of steps between log records.
        evaluate_every: Number of steps between evaluations on held-out samples.
        checkpoint_every: Number of steps between checkpoints.
        patience: Number of evaluations without a new best score after which the run stops. 0
            disables early stopping.
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
        """Check the settings, and raise InputError if one is out of range."""
        counts = ("steps", "batch_size", "accumulate")
        intervals = ("log_every", "evaluate_every", "checkpoint_every")
        for name in (*counts, *intervals):
            if getattr(self, name) < 1:
                raise InputError(f"{name} must be at least 1, got {getattr(self, name)}.")
        if self.batch_size % self.accumulate:
            raise InputError(
                f"accumulate ({self.accumulate}) must divide batch_size ({self.batch_size})."
            )
        if self.schedule not in RATES:
            raise InputError(f"schedule must be one of {', '.join(RATES)}, got '{self.schedule}'.")
        if self.precision not in ("auto", "bf16", "fp32"):
            raise InputError(f"precision must be auto, bf16 or fp32, got '{self.precision}'.")

    def rate(self, step: int) -> float:
        """Return the learning rate of a training step, according to the warm-up and the schedule.

        Args:
            step: Number of the training step, starting at 0.
        """
        rising = min(1.0, (step + 1) / max(1.0, self.warmup * self.steps))
        return self.learning_rate * rising * RATES[self.schedule](step, self.steps)


RATES: dict[str, Callable[[int, int], float]] = {
    "linear": lambda step, steps: 1 - step / steps,
    "constant": lambda step, steps: 1.0,
    "decay": lambda step, steps: 0.95 ** (step // 10_000),
}
"""For each schedule, a function from a step and the number of steps to the factor of the learning
rate."""


@dataclass
class Gradients:
    """Computes the gradients of a training step, and adapts to the memory of the device.

    If the device runs out of memory, the step is repeated with smaller parts of the batch.

    Attributes:
        objective: Training objective, whose network receives the gradients.
        processes: The processes that share each batch.
        settings: Settings of the training loop.
        bf16: Whether to compute matrix products in bf16.
        microbatches: Number of slices into which each part of a batch is split. It is doubled
            whenever the device runs out of memory.
    """

    objective: Objective
    processes: Processes
    settings: TrainingSettings
    bf16: bool
    microbatches: int = 1

    def compute(self, step: int) -> dict[str, float]:
        """Compute the loss and the gradients of a training step over all processes.

        Args:
            step: Number of the training step, starting at 0.

        Returns:
            The mean `loss` and the other figures of the objective, averaged over the parts of the
            batch.

        Raises:
            DeviceMemoryError: If not even a single sample fits into the memory of the device.
        """
        figures = self._own(step)
        while figures is None:
            # The memory of the failed pass is only freed outside the exception handler.
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
        """Compute this process's share of the gradients, or return None if memory runs out."""
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

    The best weights are those with the highest score on held-out samples. An interrupted run
    resumes at its last checkpoint, with the same result as an uninterrupted run. Processes that
    torchrun started share the parts of each batch. Call `run.claim` first, so that no run with
    other settings uses the folder.

    Args:
        objective: Objective that provides the network, the batches and the loss.
        settings: Settings of the training loop.
        folder: Folder of the run, for `checkpoint.safetensors`, `best.safetensors` and `log.jsonl`.
        device: Device to train on, such as "cpu" or "cuda".
        report: Function that is called with each record of the log.

    Returns:
        The last record of the log. Empty if nothing was logged.

    Raises:
        NotFiniteError: If the loss is NaN or infinite.
        FormatError: If the checkpoint is damaged.
        DeviceMemoryError: If not even a single sample fits into the memory of the device.
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
    """Return parameter groups with weight decay for matrices, but not for other parameters."""
    parameters = [p for p in module.parameters() if p.requires_grad]
    return [
        {"params": [p for p in parameters if p.ndim >= 2], "weight_decay": decay},
        {"params": [p for p in parameters if p.ndim < 2], "weight_decay": 0.0},
    ]


PRIMITIVES = "32"
"""Maximum number of kernels that oneDNN caches. It compiles a kernel for each shape and caches
1,024 of them by default, which took 9 GB after 700 steps with varying shapes. With a limit of 32,
the process used 3.3 GB instead of 5.2 GB after 41 steps, at the same speed."""


def bound_primitives() -> None:
    """Limit the number of kernels that oneDNN caches, unless the user has set a limit.

    Without a limit, the memory of a training run on the CPU grows with every new batch shape. Call
    this function before any computation, because the limit is read only once.
    """
    os.environ.setdefault("ONEDNN_PRIMITIVE_CACHE_CAPACITY", PRIMITIVES)
    os.environ.setdefault("LRU_CACHE_CAPACITY", PRIMITIVES)  # torch's own, in front of it


TRIM_THRESHOLD, MMAP_MAX = -1, -4
"""Parameters of glibc's function `mallopt`, as defined in malloc.h."""


def keep_freed_memory() -> None:
    """Make glibc keep freed memory for the next training step.

    Each step on a CPU allocates about a gigabyte. Returning this memory to the system and
    requesting it again costs a quarter of the time on two threads. With other C libraries, this
    function has no effect.
    """
    if not sys.platform.startswith("linux"):
        return
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt is not None:
        mallopt(MMAP_MAX, 0)
        mallopt(TRIM_THRESHOLD, 2**31 - 1)
