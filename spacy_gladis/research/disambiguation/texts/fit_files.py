"""`train evidence`: all weights of the evidence, from files of labelled texts to a model."""

from collections.abc import Callable, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from ....pipeline.acrobert_linker import AcroBERTLinker
from ....pipeline.load import load_pipeline
from ...datasets.texts import read_texts
from ..gladis.sets import read_sets, with_counts
from .fit import cross_validate, fit_evidence, folds_of, gather, weights_of
from .lone import (
    cross_validate_alone,
    cross_validate_given,
    fit_alone,
    fit_given,
    given_questions,
    lone_sentences,
)

ROUNDS = 3
"""How often the texts are gathered and the weights fitted."""

GIVEN = 5000
"""Rows taken of each evaluation set, at most."""


def fit_files(
    paths: Sequence[Path],
    output: Path,
    *,
    single: Path | None = None,
    model: Path | None = None,
    dictionary: Path | None = None,
    folds: int = 5,
    cache: Path | None = None,
    report: Callable[[int], None] = lambda done: None,
) -> dict[str, Any]:
    """Fit on files of labelled texts and write a model that weighs so; the figures of the folds.

    single: a folder of evaluation sets, for the weights where candidates are given; None: those
    stay as they are. The other arguments are those of `spacy-gladis train evidence`. Which long
    forms are read hangs on weights that all texts gave: of that, and of nothing else, the folds'
    figures know what was held out. Raises InputError and FormatError where a file cannot be used.
    """
    read = [(path.parent.name, one) for path in paths for one in read_texts(path)]
    evaluation = read_sets(single) if single else []
    sentences = lone_sentences(text for name, text in read if name == read[0][0])
    texts = [*(one for _, one in read), *sentences]
    sets = [*(name for name, _ in read), *("sentences" for _ in sentences)]
    nlp = load_pipeline(model, dictionary=dictionary)
    linker = nlp.get_pipe("acrobert_linker")
    assert isinstance(linker, AcroBERTLinker)
    if cache is not None:
        linker.configure(cache=str(cache))
    disambiguator = linker.open()
    known = disambiguator.dictionary
    counted = [with_counts(one, "dictionary", known) for one in evaluation]
    found = disambiguator.model
    parts = folds_of(texts, folds)
    for _ in range(ROUNDS):  # the weights choose which long forms are read
        gathered = gather(nlp, texts, report)
        whole = gathered.below(len(read))
        lone = [
            one
            for one in gathered.acronyms
            if one.text >= len(read) and one.group.alone and one.group.candidates
        ]
        questions = given_questions(disambiguator, counted, GIVEN)
        weights = weights_of(whole.acronyms, sets[: len(read)])
        calibration = fit_evidence(disambiguator, whole.acronyms, weights)
        alone = fit_alone(lone, calibration)
        given = fit_given(questions) if questions else found.settings.given
        found.settings = replace(found.settings, calibration=calibration, alone=alone, given=given)
    fitted = found.settings
    held_out: dict[str, Any] = cross_validate(disambiguator, whole, parts, sets, weights)
    held_out["sentences"] = cross_validate_alone(
        lone, [parts[one.text] for one in lone], calibration
    )
    if questions:
        held_out["given"] = cross_validate_given(questions, folds)
    found.settings = fitted
    found.save(output, compact=True)
    return {
        "folds": folds,
        "held_out": held_out,
        "weights": {
            name: weights
            for name, weights in asdict(fitted).items()
            if name in ("calibration", "alone", "given") and weights
        },
    }
