"""Checkpoints: weights, optimiser state and position, in one safetensors file."""

import json
from pathlib import Path

import torch
from torch import nn

from ...errors import FormatError
from ...files import reading_tensors, writing

NAME = "checkpoint.safetensors"


def save_checkpoint(
    folder: Path, module: nn.Module, optimizer: torch.optim.Optimizer, step: int, settings: str
) -> None:
    """Write `checkpoint.safetensors`, whole or not at all. settings: fingerprint of the run."""
    from safetensors.torch import save_file

    tensors = {f"module.{name}": value for name, value in module.state_dict().items()}
    for group_row, state in optimizer.state_dict()["state"].items():
        tensors |= {f"optimizer.{group_row}.{name}": value for name, value in state.items()}
    # Tied parameters share memory, which the format refuses: each is written as its own copy.
    tensors = {name: value.detach().clone().contiguous() for name, value in tensors.items()}
    with writing(folder / NAME) as temporary:
        save_file(tensors, temporary, {"step": json.dumps(step), "settings": settings})


def load_checkpoint(
    folder: Path, module: nn.Module, optimizer: torch.optim.Optimizer, settings: str
) -> int:
    """Restore what `save_checkpoint` wrote; returns the number of steps done, 0 without one.

    Raises FormatError when the file is broken, or belongs to a run with other settings.
    """
    path = folder / NAME
    if not path.is_file():
        return 0
    with reading_tensors(path, "broken checkpoint", ". Delete it to start anew.", "pt") as file:
        metadata = file.metadata()
        tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
    if metadata["settings"] != settings:
        raise FormatError(
            f"{path}: written by a run with other settings. "
            "Give another output folder, or delete the checkpoint to start anew."
        )
    weights = {n.removeprefix("module."): t for n, t in tensors.items() if n.startswith("module.")}
    module.load_state_dict(weights)
    state: dict[int, dict[str, torch.Tensor]] = {}
    for name, value in tensors.items():
        if name.startswith("optimizer."):
            _, row, key = name.split(".", 2)
            state.setdefault(int(row), {})[key] = value
    optimizer.load_state_dict({**optimizer.state_dict(), "state": state})
    return int(json.loads(metadata["step"]))
