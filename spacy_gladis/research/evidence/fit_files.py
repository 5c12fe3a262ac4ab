"""Run `train evidence` and `train precision`: from training texts and results to a model."""

import json
from collections.abc import Callable, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np

from ...errors import FormatError, InputError
from ...files import write_json
from ...linking.acrobert import Settings
from ...linking.model_folder import SETTINGS_FILE
from ...pipeline.acrobert_linker import AcroBERTLinker
from ...pipeline.load import load_pipeline
from ...text import merge_key
from ..metrics.equal_wordings import EqualWordings, read_equal_wordings
from ..tasks.results import Result, read_results
from .fit import (
    Source,
    balance,
    count_weights,
    cross_validate,
    fit_evidence,
    fit_reranker,
    gather,
    make_rows,
)
from .held_out import PASSAGES, TaughtPairs, hold_out, read_training_texts
from .lone import fit_alone, fit_given, given_questions, lone_sentences

SENTENCES = 3000
"""Sentences with one acronym that are read, at most."""

GIVEN = 7000
"""Questions with given candidates, at most."""


def fit_model(
    labels: Path,
    shared: Path,
    output: Path,
    *,
    model: Path | None = None,
    dictionary: Path | None = None,
    folds: int = 5,
    report: Callable[[str], None] = lambda line: None,
) -> dict[str, Any]:
    """Fit the evidence weights and the reranker on the training texts, and write a model with them.

    Args:
        labels: Folder with the labels of the training texts, and wordings judged equal to labels.
        shared: Folder with the texts: `training/`, `corpus/` and `glossaries/`.
        output: Folder of the new model.
        model: Model to start from; the packaged one by default.
        dictionary: Dictionary; the packaged one by default.
        folds: Folds of the sources, for the held-out figures.
        report: Receives lines on progress.

    Returns:
        The held-out figures and the weights.

    Raises:
        InputError: If a file is missing.
        FormatError: If a file is damaged.
        MissingExtraError: If LightGBM or torch is not installed.
    """
    texts = read_training_texts(labels, shared)
    pairs = TaughtPairs(texts, shared / "glossaries" / "project_glossaries.tsv")
    equal = labels / "equal_wordings.tsv"
    wordings = read_equal_wordings() + (read_equal_wordings(equal) if equal.is_file() else [])
    same = EqualWordings(merge_key, wordings)
    nlp = load_pipeline(model, dictionary=dictionary)
    component = nlp.get_pipe("acrobert_linker")
    assert isinstance(component, AcroBERTLinker)
    acrobert = component.open().model
    linker, held_out = hold_out(component.open(), pairs)
    documents = [Source(text, source) for text, source, _ in texts]
    passages = [Source(text, source) for text, source, set_name in texts if set_name == PASSAGES]
    shuffled = [passages[i] for i in np.random.default_rng(0).permutation(len(passages))]
    lone = [
        Source(sentence, source) for text, source in shuffled for sentence in lone_sentences([text])
    ][:SENTENCES]

    def say(kind: str, number: int) -> Callable[[int], None]:
        return lambda done: report(f"{kind}: {done} of {number}") if done % 200 == 0 else None

    acronyms = gather(nlp, linker, held_out, documents, same, say("texts", len(documents)))
    sentences = gather(nlp, linker, held_out, lone, same, say("sentences", len(lone)))
    start = acrobert.settings.calibration
    sets = [texts[acronym.text].set_name for acronym in acronyms]
    counts = count_weights(acronyms)
    calibration = fit_evidence(linker, acronyms, balance(counts, sets), start)
    report(f"weights: {calibration}")
    single = [
        acronym
        for acronym in sentences
        if acronym.mentions
        and acronym.evidence.question.is_alone
        and acronym.evidence.question.candidates
    ]
    alone = fit_alone(single, count_weights(single), calibration)
    questions = given_questions(shuffled, linker, held_out, same, GIVEN)
    given = fit_given(questions, calibration)
    report(f"weights of {len(single)} sentences and {len(questions)} questions")
    rows = [
        make_rows(acronym, calibration, float(count), documents[acronym.text].source, set_name)
        for acronym, count, set_name in zip(acronyms, counts, sets, strict=True)
        if count and acronym.evidence.question.candidates
    ] + [
        make_rows(acronym, alone, float(count), lone[acronym.text].source, "sentences")
        for acronym, count in zip(single, count_weights(single), strict=True)
    ]
    acrobert.settings = replace(
        acrobert.settings, calibration=calibration, alone=alone, given=given
    )
    acrobert.reranker = fit_reranker(rows)
    acrobert.save(output, compact=True)
    report(f"{output}: written")
    fitted = {"calibration": calibration, "alone": alone, "given": given}
    return {
        "texts": len(texts),
        "folds": folds,
        "held_out": cross_validate(rows, folds),
        "weights": {name: asdict(weights) for name, weights in fitted.items()},
    }


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
        sets = [result.groups["threshold, by sense"] for result in results]
    except KeyError:
        raise FormatError("These are no results of 'evaluate texts'.") from None
    measured = []
    for threshold in sets[0] if sets else ():
        values = [groups[threshold].metrics["precision"] for groups in sets]
        defined = [value for value in values if value is not None]
        if len(defined) == len(values):
            measured.append((float(threshold), round(sum(defined) / len(defined), 4)))
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
    settings_path = folder / SETTINGS_FILE
    try:
        measured = precisions([result for path in paths for result in read_results(path)])
        record = json.loads(settings_path.read_text("utf8"))
    except OSError as error:
        raise InputError(f"{error.filename} cannot be read: {error.strerror}.") from None
    except ValueError as error:
        raise FormatError(f"{settings_path} is no JSON: {error}") from None
    settings = Settings.from_dict({**record, "precisions": measured}, str(settings_path))
    write_json(settings_path, settings.to_dict())
    return measured
