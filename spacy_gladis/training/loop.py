"""The one training loop: every objective, on CPU or GPU, interrupted and resumed at will."""

import hashlib
import json
import math
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import torch

from ..errors import GladisError, InputError
from ..modeling.precision import has_native_bf16
from .checkpoint import load_checkpoint, save_checkpoint
from .objective import Objective


class NotFiniteError(GladisError):
    """The loss is NaN or infinite."""


@dataclass(frozen=True)
class TrainingSettings:
    """Settings of a run.

    steps: optimiser steps. batch_size: samples a step. accumulate: parts a batch is computed in.
    learning_rate: peak rate. warmup: share of the steps it rises over. schedule: "linear" (to
    zero), "constant", or "decay" (times 0.95 every 10,000 steps, GLADIS section 4.2).
    weight_decay, clip: AdamW's decay and the largest gradient norm. seed: of everything random.
    precision: "bf16", "fp32", or "auto" (bf16 where the processor multiplies it natively).
    log_every, evaluate_every, checkpoint_every: in steps. patience: evaluations without a better
    score before the run ends; 0 never ends it early.
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
        """Learning rate of step `step`, counted from 0."""
        rising = min(1.0, (step + 1) / max(1.0, self.warmup * self.steps))
        return self.learning_rate * rising * RATES[self.schedule](step, self.steps)

    def fingerprint(self) -> str:
        """Identifies the settings that change the result."""
        decisive = {k: v for k, v in asdict(self).items() if not k.endswith("_every")}
        return hashlib.sha256(json.dumps(decisive, sort_keys=True).encode()).hexdigest()[:16]


RATES: dict[str, Callable[[int, int], float]] = {
    "linear": lambda step, steps: 1 - step / steps,
    "constant": lambda step, steps: 1.0,
    "decay": lambda step, steps: 0.95 ** (step // 10_000),
}


def train(
    objective: Objective,
    settings: TrainingSettings,
    folder: Path,
    *,
    device: torch.device | str = "cpu",
    report: Callable[[dict[str, Any]], None] = lambda figures: None,
) -> dict[str, Any]:
    """Train `objective.module` and leave the best weights in it.

    folder: takes `checkpoint.safetensors`, `best.safetensors` and `log.jsonl`; a run that was
        interrupted goes on from there, and ends as if it had not been.
    report: is given each log record, for a progress bar.
    Returns the last record. Raises NotFiniteError when the loss is no number, FormatError when
    the folder holds a run with other settings.
    """
    device = torch.device(device)
    module = objective.module.to(device)
    optimizer = torch.optim.AdamW(_groups(module, settings.weight_decay), lr=0.0)
    run = settings.fingerprint()
    done = load_checkpoint(folder, module, optimizer, run)
    folder.mkdir(parents=True, exist_ok=True)
    log = _Log(folder / "log.jsonl", done)
    bf16 = settings.precision == "bf16" or (
        settings.precision == "auto" and has_native_bf16(device)
    )
    best = max((r["score"] for r in log.records if "score" in r), default=-math.inf)
    stale = 0
    record: dict[str, Any] = log.records[-1] if log.records else {}
    started, first = time.perf_counter(), done
    sums: dict[str, float] = {}
    for step in range(done, settings.steps):
        torch.manual_seed(settings.seed * 1_000_003 + step)
        for group in optimizer.param_groups:
            group["lr"] = settings.rate(step)
        module.train()
        optimizer.zero_grad(set_to_none=True)
        for part in range(settings.accumulate):
            batch = objective.batch(step * settings.accumulate + part)
            with torch.autocast(device.type, torch.bfloat16, enabled=bf16):
                loss, figures = objective.loss(batch)
            if not torch.isfinite(loss):
                raise NotFiniteError(
                    f"the loss is {loss.item()} at step {step}. Lower the learning rate "
                    f"(now {settings.learning_rate}); the last good checkpoint is kept in {folder}."
                )
            (loss / settings.accumulate).backward()
            for name, value in {"loss": loss.item(), **figures}.items():
                sums[name] = sums.get(name, 0.0) + value / settings.accumulate
        torch.nn.utils.clip_grad_norm_(module.parameters(), settings.clip)
        optimizer.step()
        now = step + 1
        ended = now == settings.steps
        if now % settings.log_every == 0 or ended:
            seconds = time.perf_counter() - started
            rate = (now - first) * settings.batch_size / seconds
            span = settings.log_every if now % settings.log_every == 0 else now % settings.log_every
            record = {
                "step": now,
                **{name: round(value / span, 5) for name, value in sums.items()},
                "samples_per_second": round(rate, 1),
                "seconds_left": round((settings.steps - now) * settings.batch_size / rate),
            }
            sums = {}
            log.write(record)
            report(record)
        if now % settings.evaluate_every == 0 or ended:
            module.eval()
            with torch.inference_mode(), torch.autocast(device.type, torch.bfloat16, enabled=bf16):
                held_out = objective.evaluate()
            if held_out:
                record = {"step": now, **held_out}
                log.write(record)
                report(record)
                stale = 0 if held_out["score"] > best else stale + 1
                if held_out["score"] > best:
                    best = held_out["score"]
                    _save_best(folder, module)
        if now % settings.checkpoint_every == 0 or ended:
            save_checkpoint(folder, module, optimizer, now, run)
        if settings.patience and stale >= settings.patience:
            break
    _load_best(folder, module)
    return record


class _Log:
    """`log.jsonl`, cut back to the checkpoint so that a resumed run writes no step twice."""

    def __init__(self, path: Path, done: int) -> None:
        self.path = path
        lines = path.read_text("utf8").splitlines() if path.is_file() else []
        self.records = [r for line in lines if (r := _record(line)) and r["step"] <= done]
        path.write_text("".join(json.dumps(r) + "\n" for r in self.records), "utf8")

    def write(self, record: dict[str, Any]) -> None:
        with self.path.open("a", encoding="utf8") as file:
            file.write(json.dumps(record) + "\n")


def _record(line: str) -> dict[str, Any] | None:
    try:
        record = json.loads(line)
    except ValueError:  # the last line of a killed run
        return None
    return record if isinstance(record, dict) and "step" in record else None


def _groups(module: torch.nn.Module, decay: float) -> list[dict[str, Any]]:
    """Matrices decay; biases, norms and scalars do not."""
    parameters = [p for p in module.parameters() if p.requires_grad]
    return [
        {"params": [p for p in parameters if p.ndim >= 2], "weight_decay": decay},
        {"params": [p for p in parameters if p.ndim < 2], "weight_decay": 0.0},
    ]


def _save_best(folder: Path, module: torch.nn.Module) -> None:
    from safetensors.torch import save_model

    from ..files import writing

    with writing(folder / "best.safetensors") as temporary:
        save_model(module, str(temporary))


def _load_best(folder: Path, module: torch.nn.Module) -> None:
    from safetensors.torch import load_model

    path = folder / "best.safetensors"
    if path.is_file():
        load_model(module, path)
