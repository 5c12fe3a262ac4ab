"""Training runs, which read a settings file and samples, and write a folder with a model."""

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
"""One in this many acronyms is excluded from training. The samples of these acronyms select the
best weights and calibrate the model."""


def is_held_out(acronym: str) -> bool:
    """Return whether the samples of an acronym are excluded from training.

    A hash selects one in `HELD_OUT` acronyms, so the answer is the same in every run.

    Args:
        acronym: The acronym, as written in the samples.
    """
    return zlib.crc32(acronym.encode()) % HELD_OUT == 0


def samples_of(path: Path, *, held_out: bool) -> Iterator[Sample]:
    """Read either the samples of held-out acronyms or those of all other acronyms.

    Args:
        path: Path of the samples; see `read_samples`.
        held_out: True to read the samples of held-out acronyms, False to read all other samples.

    Returns:
        An iterator over the samples, in the order of the file.
    """
    return (sample for sample in read_samples(path) if is_held_out(sample.acronym) == held_out)


def tokenised(settings: RunSettings, model: Model, folder: Path, *, held_out: bool) -> TrainingSet:
    """Load the tokenised samples of a run, and create their file if it doesn't exist yet.

    Negatives are drawn from the long forms that have samples. GLADIS (section 4) draws them from
    its whole dictionary.

    Args:
        settings: Settings of the run.
        model: Model whose tokenizer is used.
        folder: Folder of the run, in which the tokenised samples are stored.
        held_out: True to load the samples of held-out acronyms, False to load the training samples.

    Returns:
        The tokenised samples.
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
    """Train a model according to its settings, and write it to `folder / "model"`.

    Call the function again with the same arguments to resume an interrupted run.

    Args:
        settings: Settings of the run.
        folder: Folder of the run, with its samples, checkpoints, log and model.
        device: Device to train on: "cpu", "cuda", or a single GPU such as "cuda:1".
        report: Function that is called with each record of the log.

    Returns:
        The trained model.

    Raises:
        InputError: If the samples or the checkpoint are missing, or another run uses the folder at
            the same time.
        FormatError: If the folder contains a run with other settings or samples, or the checkpoint
            has another architecture.
    """
    bound_primitives()  # before the start model computes anything
    if not settings.samples.exists():
        raise InputError(
            f"{settings.samples} does not exist. Create samples with: spacy-gladis corpus extract"
        )
    processes = Processes.here(device)
    processes.parts(settings.training.accumulate)  # fail early, before tokenising
    folder.mkdir(parents=True, exist_ok=True)
    start = find_start(settings.start)
    with holding(folder) if processes.main else nullcontext():
        with processes.main_first():
            size = settings.samples.stat().st_size  # tells other samples from the tokenised ones
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
        drawn = [
            sample for sample in read_samples(settings.samples) if rng.random() < settings.share
        ]
        held_out = [sample for sample in drawn if is_held_out(sample.acronym)][: settings.held_out]
        remaining = [sample for sample in drawn if not is_held_out(sample.acronym)]
        return distillation(settings, start, remaining, held_out, folder / "lessons", report)
    model = load_start(settings, start)
    if isinstance(model, AcroBERT):
        model.settings = Settings(window=settings.window)
    training = tokenised(settings, model, folder, held_out=False)
    tests = tokenised(settings, model, folder, held_out=True)
    tests = tests.take(settings.held_out, seed=settings.training.seed)
    return make_recipe(settings, model, training, tests)


def claim(folder: Path, settings: dict[str, Any]) -> None:
    """Write the settings of a run to its folder, or check that the folder has the same settings.

    This prevents a run from resuming the checkpoint of a different run.

    Args:
        folder: Folder of the run.
        settings: Settings that identify the run. Values that JSON can't represent are stored as
            strings.

    Raises:
        FormatError: If the folder contains a run with other settings.
    """
    path = folder / "settings.json"
    described = json.dumps(settings, indent=1, sort_keys=True, default=str) + "\n"
    if path.is_file():
        if path.read_text("utf8") != described:
            raise FormatError(
                f"{folder} contains a run with other settings or samples (see {path.name}). Choose "
                "another output folder, or delete this one."
            )
        return
    write_text(path, described)
