"""From trained weights to a model that ships: context centroids, calibration, compact weights."""

import json
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from copy import copy
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any, NamedTuple
from zlib import crc32

import numpy as np

from ...arrays import Floats
from ...dictionary import Candidate, Dictionary
from ...errors import FormatError, InputError
from ...modeling.acrobert import AcroBERT
from ...modeling.answers import meanings
from ...modeling.calibration import FEATURES, Calibration
from ...modeling.disambiguator import Disambiguator
from ...modeling.evidence import (
    ATTESTED,
    CENTROID,
    INITIALS,
    SEEN,
    UNSEEN,
)
from ...modeling.sense_vectors import ContextCentroids
from ...rules import merge_key
from ..datasets.sample import Sample, read_samples
from ..metrics.calibration import expected_calibration_error, precision_at_coverage
from .centroids import build_centroids
from .logit import fit_calibration, sharpen
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


COVERAGES = (0.5, 0.7, 0.9, 1.0)

FORGOTTEN = 0.5
"""Share of the candidates whose counts and contexts are hidden for the fit: a user's own long forms
have none, and all that was mined has."""


class Questions(NamedTuple):
    """Features of each question's candidates, the rows that spell the right meaning (none where
    the dictionary does not have it), and the row that stands for each row's meaning."""

    features: list[Floats]
    answers: list[list[int]]
    meanings: list[list[int]]


def calibrate(
    model: AcroBERT,
    dictionary: Dictionary,
    samples: Iterable[Sample],
    *,
    evidence: Calibration | None = None,
    limit: int = 4000,
    seed: int = 0,
) -> tuple[Calibration, dict[str, Any]]:
    """Fit the weights on half of the held-out acronyms and measure on the other half.

    The situation of a user is played through: half of the documents are what the package knows
    (dictionary counts and context centroids), the other half are new texts. Long forms that only
    the new half has are rightly answered with "not in the dictionary".

    samples: of acronyms the model was not trained on (`run.held_out_samples`), with their
        documents' ids. evidence: weights whose proportions are kept, so that only the temperature
        and the weight of NIL are fitted. limit: questions in each half.
    Returns the calibration and the figures on the half that it was not fitted on. Raises
    InputError when there are too few samples to fit anything.
    """
    known, new = _split_by_document(samples)
    if len(new) < 20:
        raise InputError(f"{len(new)} held-out samples of new documents: too few to calibrate on")
    candidates = _known_candidates(known, dictionary)
    rng = np.random.default_rng(seed)
    chosen = [new[i] for i in rng.permutation(len(new))]
    # Not by the checksum that held them out: of those acronyms it tells little but the length.
    number = {acronym: index for index, acronym in enumerate(sorted({s.acronym for s in new}))}
    halves: list[list[Sample]] = [[], []]
    for sample in chosen:
        half = halves[number[sample.acronym] % 2]
        if candidates.get(sample.acronym) and len(half) < limit:
            half.append(sample)
    # From the default weights, in which every piece of evidence is asked for.
    model = with_calibration(model, Calibration())
    centroids = build_centroids(model, known)
    fitted, measured = (_ask(model, centroids, dictionary, half, candidates) for half in halves)
    if evidence is None:
        hidden = [_forget(features, rng) for features in fitted.features]
        evidence = fit_calibration([*fitted.features, *hidden], fitted.answers * 2)
    calibration = sharpen(fitted.features, fitted.answers, evidence)
    return calibration, {"fitted_on": len(fitted.answers), **measure(calibration, measured)}


def measure(calibration: Calibration, questions: Questions) -> dict[str, Any]:
    """Accuracy, calibration error and precision by coverage of answered questions."""
    right, sure, open_right = [], [], []
    for features, answer, groups in zip(*questions, strict=True):
        probabilities = np.bincount(
            groups, calibration.probabilities(calibration.logits(features)), len(groups)
        )
        best = int(probabilities.argmax())
        right.append(any(groups[row] == best for row in answer))
        sure.append(min(1.0, float(probabilities[best])))
        if answer:
            open_right.append(right[-1])
    precisions = precision_at_coverage(sure, right, COVERAGES)
    return {
        "measured_on": len(right),
        "in_dictionary": len(open_right),
        "accuracy_in_dictionary": round(float(np.mean(open_right)), 4),
        "accuracy_best_guess": round(float(np.mean(right)), 4),
        "expected_calibration_error": round(expected_calibration_error(sure, right), 4),
        "precision_at_coverage": dict(
            zip(map(str, COVERAGES), (round(value, 4) for value in precisions), strict=True)
        ),
    }


def _forget(features: Floats, rng: np.random.Generator) -> Floats:
    """The features as if nothing were known of some of the candidates but their names."""
    hidden = features.copy()
    lost = rng.random(len(features)) < FORGOTTEN
    for column in (CENTROID, SEEN):
        hidden[lost, column] = 0
    hidden[lost, ATTESTED] = hidden[lost, INITIALS]
    hidden[lost, UNSEEN] = 1
    return hidden


def _split_by_document(samples: Iterable[Sample]) -> tuple[list[Sample], list[Sample]]:
    halves: tuple[list[Sample], list[Sample]] = ([], [])
    for sample in samples:
        halves[crc32(sample.document.encode()) % 2].append(sample)
    return halves


def _known_candidates(
    known: Sequence[Sample], dictionary: Dictionary
) -> dict[str, list[Candidate]]:
    """The dictionary's candidates as if it had been built from the known half alone."""
    counts: defaultdict[str, defaultdict[str, Counter[str]]] = defaultdict(
        lambda: defaultdict(Counter)
    )
    for sample in known:
        if sample.kind == "definition":
            counts[sample.acronym][merge_key(sample.long_form)][sample.domain] += 1
    candidates = {}
    for acronym, by_key in counts.items():
        found = []
        for candidate in dictionary.candidates(acronym):
            own = by_key.get(merge_key(candidate.long_form))
            if own:
                found.append(candidate._replace(counts=dict(own), total=own.total()))
        candidates[acronym] = found
    return candidates


def _ask(
    model: AcroBERT,
    centroids: ContextCentroids,
    dictionary: Dictionary,
    samples: Sequence[Sample],
    candidates: dict[str, list[Candidate]],
) -> Questions:
    mentions = [sample.mention._replace(document=number) for number, sample in enumerate(samples)]
    options = [candidates[sample.acronym] for sample in samples]
    remembering = copy(model)
    remembering.centroids = centroids
    features = Disambiguator(remembering, dictionary).features(mentions, options)
    answers, groups = [], []
    for sample, found in zip(samples, options, strict=True):
        wanted = merge_key(sample.long_form)
        spoken_for = meanings(found)
        of = {spoken_for[i] for i, one in enumerate(found) if merge_key(one.long_form) == wanted}
        answers.append([row for row, group in enumerate(spoken_for) if group in of])
        groups.append(spoken_for)
    return Questions(features, answers, groups)


def with_calibration(model: AcroBERT, calibration: Calibration) -> AcroBERT:
    """The model with other weights of evidence."""
    made = copy(model)
    made.settings = replace(model.settings, calibration=calibration)
    return made
