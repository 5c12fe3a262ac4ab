"""Run `train evidence` and `train precision`: from files of texts and results to a model."""

import json
from collections.abc import Callable, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from ...errors import FormatError, InputError
from ...files import write_json
from ...linking.acrobert import Settings
from ...pipeline.acrobert_linker import AcroBERTLinker
from ...pipeline.load import load_pipeline
from ..datasets.texts import read_texts
from ..tasks.disambiguation.sets import read_sets, with_counts
from ..tasks.results import Result, read_results
from ..tasks.texts.data import set_name
from .fit import (
    Gathered,
    cross_validate,
    fit_evidence,
    fit_trees,
    folds_of,
    gather,
    use,
    weights_of,
)
from .lone import (
    cross_validate_alone,
    cross_validate_given,
    fit_alone,
    fit_given,
    given_questions,
    lone_sentences,
)

SHORT = 500
"""Words of a text whose sentences are also read separately, at most."""

GIVEN = 5000
"""Rows taken from each evaluation set, at most."""


def fit_files(
    paths: Sequence[Path],
    output: Path,
    *,
    single: Path | None = None,
    model: Path | None = None,
    dictionary: Path | None = None,
    folds: int = 5,
    rounds: int = 3,
    cache: Path | None = None,
    report: Callable[[int], None] = lambda done: None,
) -> dict[str, Any]:
    """Fit the evidence weights on files of labelled texts and write a model with them.

    The fold figures are held out except for one thing: which long forms are read depends on weights
    fitted on all texts.

    Args:
        paths: Files of labelled texts.
        output: Folder of the new model.
        single: Folder of evaluation sets for the weights of given candidates. Without it, those
            stay.
        model: Model to start from; the packaged one by default.
        dictionary: Dictionary; the packaged one by default.
        folds: Folds of the cross-validation.
        rounds: Times that the texts are gathered and the weights fitted.
        cache: Folder that keeps the linker's vectors.
        report: Receives the number of texts done.

    Returns:
        The held-out figures and the weights.

    Raises:
        InputError: If a file cannot be read.
        FormatError: If a file is damaged.
    """
    files = {set_name(path): read_texts(path) for path in paths}
    read = [(name, one) for name, some in files.items() for one in some]
    evaluation = read_sets(single) if single else []
    short = {
        name: lone_sentences(one for one in some if len(one.text.split()) <= SHORT)
        for name, some in files.items()
    }
    sentences = [(name, one) for name, some in short.items() for one in some]
    texts = [one for _, one in (*read, *sentences)]
    sets = [name for name, _ in (*read, *sentences)]
    nlp = load_pipeline(model, dictionary=dictionary)
    component = nlp.get_pipe("acrobert_linker")
    assert isinstance(component, AcroBERTLinker)
    if cache is not None:
        component.configure(cache=str(cache))
    linker, known = component.open(), component.dictionary
    counted = [with_counts(one, "dictionary", known) for one in evaluation]
    found = linker.model
    each_set = (*files.values(), *short.values())
    parts = [fold for some in each_set for fold in folds_of(some, folds)]
    for _ in range(rounds):  # the weights choose which long forms are read
        gathered = gather(nlp, texts, report)
        whole = Gathered(
            [one for one in gathered.acronyms if one.text < len(read)],
            {text: count for text, count in gathered.lost.items() if text < len(read)},
        )
        lone = [
            one
            for one in gathered.acronyms
            if one.text >= len(read)
            and one.evidence.question.is_alone
            and one.evidence.question.candidates
        ]
        questions = given_questions(linker, counted, GIVEN)
        weights, of_lone = weights_of(whole.acronyms, sets), weights_of(lone, sets)
        calibration = fit_evidence(linker, whole.acronyms, weights)
        alone = fit_alone(lone, of_lone, calibration)
        given = fit_given(questions) if questions else found.settings.given
        found.settings = replace(found.settings, calibration=calibration, alone=alone, given=given)
    fitted = found.settings
    use(linker, fitted.calibration, whole.acronyms)
    found.settings = fitted
    trees = fit_trees(linker, whole.acronyms, weights)
    held_out: dict[str, Any] = cross_validate(linker, whole, parts, sets, weights)
    held_out["sentences"] = cross_validate_alone(
        lone, [parts[one.text] for one in lone], of_lone, calibration
    )
    if questions:
        held_out["given"] = cross_validate_given(questions, folds)
    found.settings, found.confidence = fitted, trees
    found.save(output, compact=True)
    made = {name: asdict(fitted)[name] for name in ("calibration", "alone", "given")}
    kept = {name: weights for name, weights in made.items() if weights}
    return {"folds": folds, "held_out": held_out, "weights": kept}


SETTINGS = "acrobert.json"


def precisions(results: Sequence[Result]) -> list[tuple[float, float]]:
    """Average the precision by sense at each threshold over the sets.

    Thresholds at which a set has no answer are left out.

    Args:
        results: Results of `evaluate texts`, one per set.

    Returns:
        Thresholds with their mean precision, 0..1.

    Raises:
        FormatError: If these are other results.
    """
    try:
        sets = [one.groups["threshold, by sense"] for one in results]
    except KeyError:
        raise FormatError("These are no results of 'evaluate texts'.") from None
    measured = []
    for threshold in sets[0] if sets else ():
        found = [one[threshold].metrics["precision"] for one in sets]
        known = [one for one in found if one is not None]
        if len(known) == len(found):
            measured.append((float(threshold), round(sum(known) / len(known), 4)))
    return measured


def write_precisions(paths: Sequence[Path], folder: Path) -> list[tuple[float, float]]:
    """Write the precisions of results files into a model's settings; see `precisions`.

    Args:
        paths: Results files.
        folder: Folder of the model.

    Returns:
        The precisions.

    Raises:
        InputError: If a file cannot be read.
        FormatError: If a file is damaged.
    """
    place = folder / SETTINGS
    try:
        found = precisions([one for path in paths for one in read_results(path)])
        record = json.loads(place.read_text("utf8"))
    except OSError as error:
        raise InputError(f"{error.filename} cannot be read: {error.strerror}.") from None
    except ValueError as error:
        raise FormatError(f"{place} is no JSON: {error}") from None
    settings = Settings.from_dict({**record, "precisions": found}, str(place))
    write_json(place, settings.to_dict())
    return found
