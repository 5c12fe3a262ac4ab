"""The loop, its checkpoints and the objective, on a network that trains in a blink."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from spacy_gladis.errors import FormatError, InputError
from spacy_gladis.research.training.loop import (
    NotFiniteError,
    TrainingSettings,
    train,
)


class Line:
    """Learns y = 2x + 1; a step may be told to fail."""

    def __init__(self, fail_at: int = -1, nan_at: int = -1) -> None:
        torch.manual_seed(0)
        self.module = torch.nn.Sequential(
            torch.nn.Linear(1, 4), torch.nn.Dropout(0.2), torch.nn.Linear(4, 1)
        )
        self.fail_at, self.nan_at = fail_at, nan_at

    def batch(self, step: int) -> tuple[torch.Tensor, int]:
        if step == self.fail_at:
            raise KeyboardInterrupt
        return torch.from_numpy(np.random.default_rng(step).normal(size=(8, 1)).astype("f4")), step

    def split(self, batch: Any, parts: int) -> Sequence[Any]:
        raise NotImplementedError("a batch of eight numbers fits any device")

    def loss(self, batch: tuple[torch.Tensor, int]) -> tuple[torch.Tensor, dict[str, float]]:
        x, step = batch
        loss = ((self.module(x) - 2 * x - 1) ** 2).mean()
        return loss * (float("nan") if step == self.nan_at else 1.0), {"size": float(len(x))}

    def evaluate(self) -> dict[str, float]:
        return {"score": -float(((self.module(torch.ones(1, 1)) - 3) ** 2).mean())}


def settings(**changes: Any) -> TrainingSettings:
    values: dict[str, Any] = {
        "steps": 40,
        "learning_rate": 0.05,
        "batch_size": 8,
        "log_every": 10,
        "evaluate_every": 20,
        "checkpoint_every": 10,
        "precision": "fp32",
    }
    return TrainingSettings(**(values | changes))


def weights(objective: Line) -> list[torch.Tensor]:
    return [value.clone() for value in objective.module.state_dict().values()]


def test_it_learns_and_logs(tmp_path: Path) -> None:
    objective = Line()
    seen: list[dict[str, Any]] = []
    train(objective, settings(steps=200), tmp_path, report=seen.append)
    losses = [record["loss"] for record in seen if "loss" in record]
    assert losses[-1] < 0.2 * losses[0]
    logged = [json.loads(line) for line in (tmp_path / "log.jsonl").read_text().splitlines()]
    assert logged == seen
    assert all(record["size"] == 8 for record in logged if "loss" in record)


@pytest.mark.parametrize("killed_at", [10, 23])
def test_a_killed_run_ends_as_if_it_had_not_been(tmp_path: Path, killed_at: int) -> None:
    whole = Line()
    train(whole, settings(), tmp_path / "whole")
    with pytest.raises(KeyboardInterrupt):
        train(Line(fail_at=killed_at), settings(), tmp_path / "killed")
    resumed = Line()
    train(resumed, settings(), tmp_path / "killed")
    for weight, other in zip(weights(whole), weights(resumed), strict=True):
        assert torch.equal(weight, other)

    def steps(name: str) -> list[int]:
        lines = (tmp_path / name / "log.jsonl").read_text().splitlines()
        return [json.loads(line)["step"] for line in lines]

    assert steps("whole") == steps("killed")


def test_a_broken_checkpoint_is_told(tmp_path: Path) -> None:
    train(Line(), settings(), tmp_path)
    path = tmp_path / "checkpoint.safetensors"
    path.write_bytes(path.read_bytes()[:100])
    with pytest.raises(FormatError, match="broken checkpoint"):
        train(Line(), settings(), tmp_path)


def test_a_loss_that_is_no_number_stops_the_run(tmp_path: Path) -> None:
    with pytest.raises(NotFiniteError, match="step 25"):
        train(Line(nan_at=25), settings(), tmp_path)
    assert (tmp_path / "checkpoint.safetensors").is_file()


def test_parts_of_a_batch_add_up(tmp_path: Path) -> None:
    train(Line(), settings(accumulate=2), tmp_path)
    with pytest.raises(InputError, match="divide"):
        settings(accumulate=3)


def test_patience_ends_a_run_that_gets_no_better(tmp_path: Path) -> None:
    class Stuck(Line):
        def evaluate(self) -> dict[str, float]:
            return {"score": 0.0}

    record = train(Stuck(), settings(steps=200, evaluate_every=10, patience=2), tmp_path)
    assert record["step"] == 30


@pytest.mark.parametrize(
    "wrong", [{"steps": 0}, {"schedule": "steep"}, {"precision": "fp8"}, {"batch_size": 0}]
)
def test_settings_that_make_no_sense(wrong: dict[str, Any]) -> None:
    with pytest.raises(InputError, match=next(iter(wrong))):
        settings(**wrong)


def test_rates() -> None:
    rising = settings(steps=100, warmup=0.1)
    assert rising.rate(0) < rising.rate(9) > rising.rate(99) > 0
    paper = settings(steps=30_000, schedule="decay", warmup=0.0, learning_rate=2e-5)
    assert paper.rate(0) == paper.rate(9_999) == 2e-5
    assert paper.rate(20_000) == pytest.approx(2e-5 * 0.95**2)
