"""From trained weights to a model that ships: context centroids, calibration, compact weights."""

import json
from collections.abc import Callable
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from ...dictionary import Dictionary
from ...errors import FormatError, InputError
from ...modeling.acrobert import AcroBERT
from ...modeling.calibration import FEATURES, Calibration
from ..datasets.sample import read_samples
from .calibrate import calibrate, with_calibration
from .centroids import build_centroids
from .run import held_out_samples
from .sense_calibration import calibrate_sense

QUESTIONS = 4000
"""Samples that the odds of one sense are fitted and measured on, at most."""


def export(
    model: Path,
    samples: Path,
    dictionary: Path | None,
    output: Path,
    each: int,
    evidence: Path | None = None,
    report: Callable[[dict[str, Any]], None] = lambda record: None,
) -> dict[str, Any]:
    """Write the model of folder `model`, calibrated and compact, to `output`.

    A model that has context centroids keeps them, and is only calibrated anew.

    samples: those it was trained on, held-out acronyms included. each: contexts in a long form's
    centroid, at most. evidence: a JSON
    object of `Calibration`'s weights, chosen on development data, whose proportions are kept.
    Returns the figures measured on held-out acronyms.
    """
    weights = read_evidence(evidence) if evidence else None
    trained = AcroBERT.load(model)
    if trained.centroids.likelihood:
        raise InputError(
            f"{model}: 'train memory' gave these weights a likelihood of contexts. "
            "Fit its weight with 'train evidence'."
        )
    trained.save(output, compact=True)
    compact = AcroBERT.load(output)  # what ships is what is measured, rounding included
    calibration, figures = calibrate(
        compact, Dictionary.open(dictionary), held_out_samples(samples), evidence=weights
    )
    if not len(compact.centroids):
        compact.centroids = build_centroids(
            compact,
            read_samples(samples),
            each=each,
            report=lambda done: report({"contexts read": done}),
        )
    fitted, one_sense = calibrate_sense(compact, held_out_samples(samples), limit=QUESTIONS)
    calibrated = with_calibration(compact, calibration)
    calibrated.settings = replace(calibrated.settings, one_sense=fitted)
    calibrated.save(output, compact=True)
    return {
        **figures,
        "senses": len(compact.centroids),
        "calibration": asdict(calibration),
        "one_sense": {**one_sense, "sense_calibration": asdict(fitted)},
    }


def read_evidence(path: Path) -> Calibration:
    """Weights of evidence from a JSON object; those it does not name are 0."""
    try:
        given = {name: float(value) for name, value in json.loads(path.read_text("utf8")).items()}
    except (OSError, ValueError, TypeError, AttributeError) as error:
        raise FormatError(f"{path}: no JSON object of weights ({error})") from None
    if unknown := sorted(given.keys() - set(FEATURES)):
        raise FormatError(f"{path}: no evidence {unknown[0]!r}: name {', '.join(FEATURES)}.")
    beside = {"folder": Calibration().folder}  # of the documents beside one, which no sample has
    return Calibration(**(dict.fromkeys(FEATURES, 0.0) | beside | given))
