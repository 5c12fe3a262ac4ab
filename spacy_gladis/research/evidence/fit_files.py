"""Functions that read and write files for the commands `train evidence` and `train precision`."""

import json
from collections.abc import Callable, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from ...errors import FormatError, InputError
from ...files import write_json
from ...linking.acrobert import Settings
from ...linking.model_folder import SETTINGS_FILE
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
"""Maximum number of words of a text whose sentences are also used as texts of their own."""

GIVEN = 5000
"""Maximum number of rows that are drawn from each evaluation set."""


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
    """Fit the linker's feature weights on files of labelled texts, and write a model with them.

    The scores are measured on held-out texts by cross-validation. There is one exception: the
    weights that decide which long forms are encoded were fitted on all texts.

    Args:
        paths: Files of labelled texts; see `read_texts`.
        output: Folder to write the new model to.
        single: Folder of evaluation sets on which the weights for given candidates are fitted. None
            to keep these weights of the model.
        model: Folder of the model to start from. Defaults to the packaged model.
        dictionary: Path of the dictionary. Defaults to the packaged dictionary.
        folds: Number of folds of the cross-validation.
        rounds: Number of times that the texts are processed and the weights are fitted. The weights
            of a round decide which long forms are encoded in the next round.
        cache: Folder in which the linker stores its vectors. None to store none.
        report: Function that is called after each text with the number of texts processed so far in
            the round.

    Returns:
        The number of `folds`, the scores on held-out texts (`held_out`) and the fitted `weights`,
        as JSON types.

    Raises:
        InputError: If a file cannot be read.
        FormatError: If a file is damaged.
    """
    files = {set_name(path): read_texts(path) for path in paths}
    labelled = [(name, text) for name, group in files.items() for text in group]
    evaluation = read_sets(single) if single else []
    short = {
        name: lone_sentences(text for text in group if len(text.text.split()) <= SHORT)
        for name, group in files.items()
    }
    sentences = [(name, text) for name, group in short.items() for text in group]
    texts = [text for _, text in (*labelled, *sentences)]
    sets = [name for name, _ in (*labelled, *sentences)]
    nlp = load_pipeline(model, dictionary=dictionary)
    component = nlp.get_pipe("acrobert_linker")
    assert isinstance(component, AcroBERTLinker)
    if cache is not None:
        component.configure(cache=str(cache))
    linker, opened_dictionary = component.open(), component.dictionary
    counted = [
        with_counts(evaluation_set, "dictionary", opened_dictionary)
        for evaluation_set in evaluation
    ]
    acrobert = linker.model
    each_set = (*files.values(), *short.values())
    parts = [fold for group in each_set for fold in folds_of(group, folds)]
    for _ in range(rounds):  # the weights determine which long forms are encoded
        gathered = gather(nlp, texts, report)
        whole = Gathered(
            [acronym for acronym in gathered.acronyms if acronym.text < len(labelled)],
            {text: count for text, count in gathered.lost.items() if text < len(labelled)},
        )
        lone = [
            acronym
            for acronym in gathered.acronyms
            if acronym.text >= len(labelled)
            and acronym.evidence.question.is_alone
            and acronym.evidence.question.candidates
        ]
        questions = given_questions(linker, counted, GIVEN)
        weights, of_lone = weights_of(whole.acronyms, sets), weights_of(lone, sets)
        calibration = fit_evidence(linker, whole.acronyms, weights)
        alone = fit_alone(lone, of_lone, calibration)
        for_given = fit_given(questions) if questions else acrobert.settings.given
        acrobert.settings = replace(
            acrobert.settings, calibration=calibration, alone=alone, given=for_given
        )
    fitted = acrobert.settings
    use(linker, fitted.calibration, whole.acronyms)
    acrobert.settings = fitted
    trees = fit_trees(linker, whole.acronyms, weights)
    held_out: dict[str, Any] = cross_validate(linker, whole, parts, sets, weights)
    held_out["sentences"] = cross_validate_alone(
        lone, [parts[acronym.text] for acronym in lone], of_lone, calibration
    )
    if questions:
        held_out["given"] = cross_validate_given(questions, folds)
    acrobert.settings, acrobert.confidence = fitted, trees
    acrobert.save(output, compact=True)
    made = {name: asdict(fitted)[name] for name in ("calibration", "alone", "given")}
    kept = {name: weights for name, weights in made.items() if weights}
    return {"folds": folds, "held_out": held_out, "weights": kept}


def precisions(results: Sequence[Result]) -> list[tuple[float, float]]:
    """Compute the linker's precision at each threshold, averaged over data sets.

    An answer counts as right if its long form has the same sense as the gold long form. Thresholds
    at which a data set has no answers are left out.

    Args:
        results: Results of the command `evaluate texts`, one for each data set.

    Returns:
        Pairs of a threshold and its mean precision, both in 0..1, in the order of the results.

    Raises:
        FormatError: If a result was not written by `evaluate texts`.
    """
    try:
        sets = [result.groups["threshold, by sense"] for result in results]
    except KeyError:
        raise FormatError(
            "The files have no results by threshold. Give files written by 'evaluate texts'."
        ) from None
    measured = []
    for threshold in sets[0] if sets else ():
        values = [groups[threshold].metrics["precision"] for groups in sets]
        defined = [value for value in values if value is not None]
        if len(defined) == len(values):
            measured.append((float(threshold), round(sum(defined) / len(defined), 4)))
    return measured


def write_precisions(paths: Sequence[Path], folder: Path) -> list[tuple[float, float]]:
    """Measure the mean precision at each threshold, and store it in the settings of a model.

    `Settings.find_threshold` then finds the threshold for a target precision. See `precisions` for
    how the mean is computed.

    Args:
        paths: Files with results of the command `evaluate texts`.
        folder: Folder of the model, whose `acrobert.json` is updated.

    Returns:
        Pairs of a threshold and its mean precision, both in 0..1.

    Raises:
        InputError: If a file cannot be read.
        FormatError: If a file is damaged, or was not written by `evaluate texts`.
    """
    settings_path = folder / SETTINGS_FILE
    try:
        measured = precisions([result for path in paths for result in read_results(path)])
        record = json.loads(settings_path.read_text("utf8"))
    except OSError as error:
        raise InputError(f"{error.filename} cannot be read: {error.strerror}.") from None
    except json.JSONDecodeError as error:
        raise FormatError(f"{settings_path} is not valid JSON: {error}.") from None
    settings = Settings.from_dict({**record, "precisions": measured}, str(settings_path))
    write_json(settings_path, settings.to_dict())
    return measured
