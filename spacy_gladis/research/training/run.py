"""A training run from a settings file: samples in, a folder of weights out."""

import hashlib
import json
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import nullcontext
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
import torch

from ...errors import FormatError, InputError
from ...files import write_text
from ...modeling.encoder import EncoderConfig
from ..datasets.sample import Sample, read_samples
from ..locks import holding
from .dataset import TrainingSet
from .distillation import distillation
from .loop import bound_primitives, train
from .processes import Processes
from .recipes import Model, Recipe, RunSettings, make_recipe, pieces_of
from .start import find_start

Report = Callable[[dict[str, Any]], None]

HELD_OUT = 50
"""One acronym in so many is never trained on: its samples choose the best weights and calibrate."""


def is_held_out(acronym: str) -> bool:
    """Whether an acronym's samples are kept from training."""
    return zlib.crc32(acronym.encode()) % HELD_OUT == 0


def parted(samples: Iterable[Sample]) -> tuple[list[Sample], list[Sample]]:
    """The samples to train on, and those of held-out acronyms."""
    others: list[Sample] = []
    held_out: list[Sample] = []
    for sample in samples:
        (held_out if is_held_out(sample.acronym) else others).append(sample)
    return others, held_out


def prepare(settings: RunSettings, folder: Path) -> tuple[TrainingSet, TrainingSet]:
    """The training and the held-out set, tokenised at the first call and read after that."""
    pieces = pieces_of(settings.objective, find_start(settings.start))
    described = [str(settings.samples), settings.samples.stat().st_size, settings.window]
    if not pieces.markers:
        described.append("unmarked")
    key = hashlib.sha256(json.dumps(described).encode()).hexdigest()[:12]
    sets = []
    for name, held_out in (("train", False), ("held-out", True)):
        path = folder / f"{name}-{key}.safetensors"
        if not path.is_file():
            chosen = (
                s for s in read_samples(settings.samples) if is_held_out(s.acronym) == held_out
            )
            first = next(chosen, None)
            if first is None:
                kind = "a held-out" if held_out else "a training"
                raise InputError(
                    f"{settings.samples}: no sample of {kind} acronym (one in {HELD_OUT} is "
                    "held out). Give samples of more acronyms: spacy-gladis corpus extract"
                )
            TrainingSet.build(chain([first], chosen), pieces, settings.window).save(path)
        sets.append(TrainingSet.load(path))
    return sets[0], sets[1]


def held_out_samples(path: Path) -> Iterator[Sample]:
    """The samples of acronyms that no run trains on."""
    return (sample for sample in read_samples(path) if is_held_out(sample.acronym))


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
    if start.is_dir():
        EncoderConfig.from_file(start / "config.json")  # another architecture is told at once
    with holding(folder) if processes.main else nullcontext():
        with processes.main_first():
            claim(folder, settings.source)
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
        drawn = (one for one in read_samples(settings.samples) if rng.random() < settings.share)
        others, held_out = parted(drawn)
        lessons = folder / "lessons"
        return distillation(settings, start, others, held_out[: settings.held_out], lessons, report)
    training, tests = prepare(settings, folder)
    tests = tests.take(settings.held_out, seed=settings.training.seed)
    return make_recipe(settings, start, training, tests)


def claim(folder: Path, settings: dict[str, Any]) -> None:
    """Keep the settings beside the run, and refuse a folder that another run has."""
    path = folder / "settings.json"
    described = json.dumps(settings, indent=1, sort_keys=True, default=str) + "\n"
    if path.is_file():
        if path.read_text("utf8") != described:
            raise FormatError(
                f"{folder}: holds a run with other settings ({path.name}). "
                "Give another output folder, or delete this one."
            )
        return
    write_text(path, described)
