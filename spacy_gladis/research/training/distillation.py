"""Weights that read mention by mention, and samples: what makes a reader of shared windows."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from ...dictionary import Dictionary
from ...errors import InputError
from ...modeling.acrobert import AcroBERT
from ..datasets.sample import Sample, read_samples
from .distilled import DistilledObjective
from .recipes import Recipe
from .settings import RunSettings
from .taught import lessons

LONG_FORM_EVERY = 40
"""The long form of one sample in so many may be drawn to keep its vector."""


def distillation(
    settings: RunSettings,
    start: Path,
    training: Sequence[Sample],
    held_out: Sequence[Sample],
    folder: Path,
    report: Callable[[dict[str, Any]], None],
) -> Recipe:
    """Training of the start to read shared windows as it reads mention by mention.

    folder: keeps what the start says as it is. report: is told how many texts are read. The trained
    model has all that the start has, but for how precise its answers were.
    """
    if len(training) < settings.training.batch_size:
        raise InputError(
            f"{settings.samples}: {len(training)} texts at a share of {settings.share}: too few "
            "for a batch. Raise objective.share."
        )
    teacher = AcroBERT.load(start)
    if not (start / "acrobert.json").is_file() or teacher.settings.shared:
        raise InputError(
            f"{start}: the teacher has to be weights of AcroBERT that read each mention by itself, "
            "such as those of configs/acrobert.cfg. Give them with --start."
        )
    student = AcroBERT.load(start)
    student.settings = replace(student.settings, shared=True, precisions=())
    known = Dictionary.open()
    seed = settings.training.seed
    rng = np.random.default_rng(seed)
    taught = [
        lessons(teacher, samples, known, folder, rng, lambda done: report({"texts read": done}))
        for samples in (held_out, training)
    ]
    named = islice(read_samples(settings.samples), 0, None, LONG_FORM_EVERY)
    objective = DistilledObjective(
        student,
        teacher,
        taught[1],
        taught[0],
        [sample.long_form for sample in named],
        batch_size=settings.training.batch_size // settings.training.accumulate,
        seed=seed,
    )

    def model() -> AcroBERT:
        return student.with_weights(objective.module.weights())

    return Recipe(objective, model)
