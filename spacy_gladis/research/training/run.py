"""A training run from a settings file: samples in, a folder of weights out."""

import json
import zlib
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import numpy as np
import torch

from ...errors import FormatError, InputError
from ...files import write_text
from ...linking.acrobert import AcroBERT, Settings
from ..datasets.sample import Sample, read_samples
from ..locks import holding
from .dataset import TrainingSet
from .distillation import distillation
from .loop import bound_primitives, train
from .processes import Processes
from .recipes import Model, Recipe, RunSettings, load_start, make_recipe
from .start import find_start

Report = Callable[[dict[str, Any]], None]

HELD_OUT = 50
"""One acronym in so many is never trained on: its samples choose the best weights and calibrate."""


def is_held_out(acronym: str) -> bool:
    """Whether an acronym's samples are kept from training."""
    return zlib.crc32(acronym.encode()) % HELD_OUT == 0


def samples_of(path: Path, *, held_out: bool) -> Iterator[Sample]:
    """The samples of acronyms that no run trains on, or all the others."""
    return (one for one in read_samples(path) if is_held_out(one.acronym) == held_out)


def tokenised(settings: RunSettings, model: Model, folder: Path, *, held_out: bool) -> TrainingSet:
    """The samples to train on, or those of held-out acronyms, as the model reads them.

    They are tokenised at a run's first start, and kept in its folder.
    """
    path = folder / ("held-out.safetensors" if held_out else "samples.safetensors")
    if not path.is_file():
        samples = samples_of(settings.samples, held_out=held_out)
        TrainingSet.build(samples, model.pieces, settings.window).save(path)
    return TrainingSet.load(path)


def run(
    settings: RunSettings,
    folder: Path,
    *,
    device: str = "cpu",
    report: Report = lambda record: None,
) -> Model:
    """Train what the settings say and write it to `folder / "model"`; an interrupted run goes on.

    device: "cpu", "cuda" or one GPU such as "cuda:1". Raises InputError when samples or start are
    missing or another run works in the folder, FormatError when the folder holds a run with other
    settings or the start is of another architecture.
    """
    bound_primitives()  # before the start reads
    if not settings.samples.exists():
        raise InputError(
            f"{settings.samples}: no such file or folder of samples. "
            "Make one with: spacy-gladis corpus extract"
        )
    processes = Processes.here(device)
    processes.parts(settings.training.accumulate)  # before an hour of tokenising
    folder.mkdir(parents=True, exist_ok=True)
    start = find_start(settings.start)
    with holding(folder) if processes.main else nullcontext():
        with processes.main_first():
            size = settings.samples.stat().st_size  # what is kept is of these very samples
            claim(folder, {**settings.source, "bytes": size})
            torch.manual_seed(settings.training.seed)
            recipe = _recipe(settings, start, folder, report)
        train(recipe.objective, settings.training, folder, device=device, report=report)
        model = recipe.model()
        if processes.main:
            model.save(folder / "model")
    return model


def _recipe(settings: RunSettings, start: Path, folder: Path, report: Report) -> Recipe:
    if settings.objective == "distilled":
        rng = np.random.default_rng(settings.training.seed)
        drawn = [one for one in read_samples(settings.samples) if rng.random() < settings.share]
        held_out = [one for one in drawn if is_held_out(one.acronym)][: settings.held_out]
        others = [one for one in drawn if not is_held_out(one.acronym)]
        return distillation(settings, start, others, held_out, folder / "lessons", report)
    model = load_start(settings, start)
    if isinstance(model, AcroBERT):
        model.settings = Settings(window=settings.window)
    training = tokenised(settings, model, folder, held_out=False)
    tests = tokenised(settings, model, folder, held_out=True)
    tests = tests.take(settings.held_out, seed=settings.training.seed)
    return make_recipe(settings, model, training, tests)


def claim(folder: Path, settings: dict[str, Any]) -> None:
    """Keep the settings beside the run, and refuse a folder that another run has."""
    path = folder / "settings.json"
    described = json.dumps(settings, indent=1, sort_keys=True, default=str) + "\n"
    if path.is_file():
        if path.read_text("utf8") != described:
            raise FormatError(
                f"{folder}: holds a run with other settings or samples ({path.name}). "
                "Give another output folder, or delete this one."
            )
        return
    write_text(path, described)
