"""Fitting of everything that the linker learns from the labelled training passages.

These are the projection of contexts, the weights of the features, and the boosted trees. No
evaluation set is read. The dictionary must not contain the meanings that were found in the labelled
passages, or the fit would learn that it knows everything.
"""

from collections.abc import Callable, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any
from zlib import crc32

import numpy as np

from ...pipeline.acrobert_linker import AcroBERTLinker
from ...pipeline.load import load_pipeline
from ..datasets.split import by_folds
from ..datasets.texts import LabelledText
from .fit import (
    Gathered,
    Labelled,
    cross_validate,
    fit_evidence,
    fit_trees,
    gather,
    keep_likeliest,
    use,
    weights_of,
)
from .lone import GivenQuestion, cross_validate_alone, fit_alone, fit_given, lone_sentences
from .projection import fit_projection, make_choices, update_matches

FOLDS = 4
"""Number of folds. All passages of a source are in the same fold."""

CANDIDATES = 24
"""Maximum number of wrong candidates of an acronym in a fit. The likeliest are used."""

SENTENCES = 3000
"""Maximum number of sentences with one acronym. They are drawn at random."""

PASSAGES = "passages"
"""Name of the data set in the figures."""


def fit_passages(
    passages: Sequence[LabelledText],
    output: Path,
    *,
    model: Path | None = None,
    dictionary: Path | None = None,
    cache: Path | None = None,
    report: Callable[[str], None] = lambda message: None,
) -> dict[str, Any]:
    """Fit the projection, the weights and the trees on labelled passages, and write a model.

    The weights and trees are fitted on matches of projections that were trained on other sources,
    because the match of a passage with a projection that saw it is too good.

    Args:
        passages: Passages in which all abbreviations are labelled.
        output: Folder to write the new model to.
        model: Folder of the model to start from. Defaults to the packaged model.
        dictionary: Path of a dictionary without the meanings that were found in the passages.
            Defaults to the packaged dictionary.
        cache: Folder in which the linker stores its vectors. None to store none.
        report: Function that is called with messages about the progress.

    Returns:
        The number of `folds`, the scores on held-out sources (`held_out`) and the fitted
        `weights`, as JSON types.

    Raises:
        InputError: If a file cannot be read.
        FormatError: If a file is damaged.
    """
    sentences = lone_sentences(passages)
    drawn = np.random.default_rng(0).permutation(len(sentences))[:SENTENCES]
    texts = [*passages, *(sentences[i] for i in sorted(drawn.tolist()))]
    nlp = load_pipeline(model, dictionary=dictionary)
    component = nlp.get_pipe("acrobert_linker")
    assert isinstance(component, AcroBERTLinker)
    if cache is not None:
        component.configure(cache=str(cache))
    linker = component.open()

    def say(done: int) -> None:
        if done % 500 == 0:
            report(f"Read {done} of {len(texts)} texts.")

    gathered = gather(nlp, texts, say)
    start = linker.model.settings.calibration
    acronyms = [keep_likeliest(acronym, start, CANDIDATES) for acronym in gathered.acronyms]
    parts = [crc32(text.repository.encode()) % FOLDS for text in texts]
    folds = [parts[acronym.text] for acronym in acronyms]
    is_whole = [acronym.text < len(passages) for acronym in acronyms]
    whole = [acronym for acronym, of_passage in zip(acronyms, is_whole, strict=True) if of_passage]
    counts = weights_of(whole, [PASSAGES] * len(texts))
    choices = make_choices(linker, whole, counts, start)
    choice_folds = [parts[choice.text] for choice in choices]
    for fold, (training, _) in enumerate(by_folds(choices, choice_folds)):
        report(f"Fold {fold + 1} of {FOLDS}: {len(training)} acronyms with rivals.")
        held_out = [a for a, of_fold in zip(acronyms, folds, strict=True) if of_fold == fold]
        update_matches(linker, fit_projection(training), held_out, start)
    lost = {text: count for text, count in gathered.lost.items() if text < len(passages)}
    lone = [
        acronym
        for acronym, of_passage in zip(acronyms, is_whole, strict=True)
        if not of_passage and acronym.evidence.question.is_alone
    ]
    lone = [acronym for acronym in lone if acronym.evidence.question.candidates]
    of_lone = weights_of(lone, [PASSAGES] * len(texts))
    report("Fitting the weights.")
    calibration = fit_evidence(linker, whole, counts)
    alone, given = fit_alone(lone, of_lone, calibration), fit_given(_with_right(whole))
    settings = replace(linker.model.settings, calibration=calibration, alone=alone, given=given)
    use(linker, calibration, whole)
    linker.model.settings = settings
    trees = fit_trees(linker, whole, counts)
    report("Measuring the fit on held-out sources.")
    sets = [PASSAGES] * len(texts)
    held_out_scores = cross_validate(linker, Gathered(whole, lost), parts, sets, counts)
    lone_folds = [parts[acronym.text] for acronym in lone]
    held_out_scores["sentences"] = cross_validate_alone(lone, lone_folds, of_lone, calibration)
    linker.model.settings, linker.model.confidence = settings, trees
    linker.model.projection = fit_projection(choices)
    linker.model.save(output, compact=True)
    fitted = {"calibration": calibration, "alone": alone, "given": given}
    weights = {name: asdict(of_name) for name, of_name in fitted.items()}
    return {"folds": FOLDS, "held_out": held_out_scores, "weights": weights}


def _with_right(acronyms: Sequence[Labelled]) -> list[GivenQuestion]:
    """Return the acronyms of which a candidate is right, as questions with given candidates."""
    return [
        GivenQuestion(
            acronym.evidence.mean_table,
            acronym.right,
            acronym.evidence.question.acronym,
            PASSAGES,
        )
        for acronym in acronyms
        if 0 < len(acronym.right) < len(acronym.evidence.question.candidates)
    ]
