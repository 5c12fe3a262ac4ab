"""Fitting of everything that the linker learns from labelled texts.

These are the projection of contexts, the weights of the features, and the scoring network. The
weight of definitions in other documents is fitted last, on top of all other evidence. No evaluation
set is read. The figures are measured on sources that were held out of the projection and of the
network's hidden layers. Only the weighted sum in the network was fitted on all texts.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any
from zlib import crc32

import numpy as np
from spacy.language import Language

from ...arrays import Floats
from ...dictionary import Dictionary
from ...errors import InputError
from ...linking import Linker
from ...linking.calibration import Calibration, ScoringNetwork
from ...linking.features import FOLDER
from ...linking.ranking import rank_candidates
from ...linking.sense_vectors import SenseProjection
from ...pipeline.acrobert_linker import AcroBERTLinker
from ...pipeline.learn import linker_of
from ...pipeline.load import load_pipeline
from ..datasets.texts import LabelledText
from ..training.scoring import ScoringExample, fit_network
from .fit import (
    Labelled,
    Outcome,
    figures,
    fit,
    gather,
    keep_likeliest,
    outcome,
    precisions,
    weights_of,
)
from .folder import fit_folder_weight, gather_together, make_folder_example
from .given import fit_given
from .projection import fit_projection, make_choices, update_matches
from .training_texts import derive_texts, find_attesting_sources, hide_own_meanings, source_of

FOLDS = 4
"""Number of folds. All texts of a source are in the same fold."""

CANDIDATES, OTHERS = 40, 16
"""Maximum number of an acronym's likely candidates, and of its other candidates, in a fit."""


def fit_texts(
    texts: Mapping[str, Sequence[LabelledText]],
    output: Path,
    *,
    model: Path | None = None,
    dictionary: Path | None = None,
    cache: Path | None = None,
    report: Callable[[str], None] = lambda message: None,
) -> dict[str, Any]:
    """Fit the projection, the weights and the scoring network on labelled texts, and write a model.

    The weights and the network are fitted on matches of projections that were trained on other
    sources, because the match of a text with a projection that saw it is too good.

    Args:
        texts: Labelled texts by the name of their set; see `training_texts.read_training_texts`.
            Without a set ``"documents"``, the weight of definitions in other documents isn't
            fitted.
        output: Folder to write the new model to.
        model: Folder of the model to start from. Defaults to the packaged model.
        dictionary: Path of the dictionary. Defaults to the packaged dictionary.
        cache: Folder in which the linker stores its vectors. None to store none.
        report: Function that is called with messages about the progress.

    Returns:
        The number of `folds`, the scores on held-out sources (`held_out`), the precisions by
        threshold and the fitted `weights`, as JSON types.

    Raises:
        InputError: If a file cannot be read.
        FormatError: If a file is damaged.
    """
    nlp = load_pipeline(model, dictionary=dictionary)
    component = nlp.get_pipe("acrobert_linker")
    assert isinstance(component, AcroBERTLinker)
    if cache is not None:
        component.configure(cache=str(cache))
    linker = component.open()
    sets = {**texts, **derive_texts(texts, Dictionary.open(dictionary))}
    labelled = [(name, text) for name, of_set in sets.items() for text in of_set]
    every_text = [text for _, text in labelled]

    def say(done: int) -> None:
        if done % 500 == 0:
            report(f"Read {done} of {len(every_text)} texts.")

    gathered = gather(nlp, every_text, say, lambda acronym: prune(acronym, linker))
    attesting = find_attesting_sources(text for of_set in texts.values() for text in of_set)
    acronyms = [
        hide_own_meanings(acronym, source_of(every_text[acronym.text]), attesting)
        for acronym in gathered.acronyms
    ]
    names = [name for name, _ in labelled]
    weights = weights_of(acronyms, names)
    parts = [crc32(source_of(text).encode()) % FOLDS for text in every_text]
    projections, projection = _project(linker, acronyms, weights, parts, report)
    report("Fitting the weights.")
    calibration = fit(acronyms, weights)
    given = fit_given(linker, acronyms, weights)
    examples = [
        _make_example(acronym, float(weight))
        for acronym, weight in zip(acronyms, weights, strict=True)
    ]
    networks, outcomes = _cross_validate(acronyms, examples, calibration, names, parts, report)
    lost: defaultdict[str, int] = defaultdict(int)
    for text, count in gathered.lost.items():
        lost[names[text]] += count
    held_out = {
        name: figures(of_set, lost[name])
        for name, of_set in outcomes.items()
        if any(item.answerable for item in of_set)
    }
    measured = precisions([outcomes[name] for name in texts])
    report("Training the network on all texts.")
    acrobert = linker.model
    acrobert.network = _fit_network(examples, calibration)
    acrobert.settings = replace(
        acrobert.settings, calibration=calibration, given=given, precisions=measured
    )
    if documents := texts.get("documents"):
        report("Fitting the weight of definitions in other documents.")
        models = list(zip(projections, networks, strict=True))
        _fit_folder_weights(nlp, documents, attesting, models)
    acrobert.projection = projection
    acrobert.save(output, compact=True)
    fitted = {"calibration": asdict(acrobert.settings.calibration), "given": asdict(given)}
    return {"folds": FOLDS, "held_out": held_out, "precisions": measured, "weights": fitted}


def prune(acronym: Labelled, linker: Linker) -> Labelled:
    """Remove the least likely candidates of an acronym, by the weights of the linker's model.

    Args:
        acronym: Labelled acronym with the features of its candidates.
        linker: Linker with the model.
    """
    weights = linker.model.settings.calibration
    return keep_likeliest(acronym, weights, CANDIDATES, OTHERS)


def _project(
    linker: Linker,
    acronyms: Sequence[Labelled],
    weights: Floats,
    parts: Sequence[int],
    report: Callable[[str], None],
) -> tuple[list[SenseProjection], SenseProjection]:
    """Compute the matches of each fold with a projection of the others.

    Returns:
        The projections, by the fold that they don't know, and a projection of all folds.
    """
    start = linker.model.settings.calibration
    choices = make_choices(linker, acronyms, weights, start)
    if not choices:
        raise InputError(
            "No labelled acronym has both a right and a wrong candidate. Use more texts, or a "
            "dictionary that lists their acronyms."
        )
    everything = fit_projection(choices)
    projections = []
    for fold in range(FOLDS):
        training = [choice for choice in choices if parts[choice.text] != fold]
        report(f"Fold {fold + 1} of {FOLDS}: {len(training)} acronyms with rivals.")
        projections.append(fit_projection(training) if training else everything)
        held_out = [acronym for acronym in acronyms if parts[acronym.text] == fold]
        update_matches(linker, projections[-1], held_out, start)
    return projections, everything


def _make_example(acronym: Labelled, weight: float) -> ScoringExample | None:
    """Return the training example of an acronym, or None if it has no candidates."""
    evidence = acronym.evidence
    if not evidence.question.candidates:
        return None
    right = np.isin(np.arange(len(evidence.mean_table)), acronym.right)
    return ScoringExample(evidence.question, evidence.mean_table, right, weight)


def _fit_network(
    examples: Sequence[ScoringExample | None], calibration: Calibration
) -> ScoringNetwork:
    return fit_network([example for example in examples if example is not None], calibration)


def _cross_validate(
    acronyms: Sequence[Labelled],
    examples: Sequence[ScoringExample | None],
    calibration: Calibration,
    names: Sequence[str],
    parts: Sequence[int],
    report: Callable[[str], None],
) -> tuple[list[ScoringNetwork], dict[str, list[Outcome]]]:
    """Answer the acronyms of each fold with a network that was trained on the other folds.

    Returns:
        The networks, by the fold that they don't know, and the outcomes of each data set.
    """
    outcomes: defaultdict[str, list[Outcome]] = defaultdict(list)
    networks = []
    for fold in range(FOLDS):
        report(f"Fold {fold + 1} of {FOLDS}: training the network.")
        is_held_out = [parts[acronym.text] == fold for acronym in acronyms]
        training = [
            example for example, held_out in zip(examples, is_held_out, strict=True) if not held_out
        ]
        networks.append(_fit_network(training, calibration))
        for acronym, example, held_out in zip(acronyms, examples, is_held_out, strict=True):
            if not held_out:
                continue
            answers = []
            if example is not None:
                logits = networks[-1].score(example.table, example.question)
                nil = networks[-1].score_nil(example.question)
                answers = rank_candidates(example.question, logits, nil)
            outcomes[names[acronym.text]].append(outcome(acronym, answers))
    return networks, outcomes


def _fit_folder_weights(
    nlp: Language,
    documents: Sequence[LabelledText],
    attesting: Mapping[tuple[str, str], Collection[str]],
    models: Sequence[tuple[SenseProjection, ScoringNetwork]],
) -> None:
    """Fit the weights of definitions in other documents, and set them in the linker's model.

    The weighted sum of the features and the scoring network each get a weight. A document is scored
    with a projection and a network that don't know its repository.

    Args:
        nlp: Pipeline whose linker has the fitted weights and network.
        documents: Labelled documents of several repositories.
        attesting: Sources that attest each meaning; see `find_attesting_sources`.
        models: A projection and a network for each fold, trained on the other folds.
    """
    linker = linker_of(nlp).open()
    model, calibration = linker.model, linker.model.settings.calibration
    weighted, of_network = [], []
    for strangers in (False, True):
        acronyms = gather_together(
            nlp, documents, attesting, lambda acronym: prune(acronym, linker), strangers=strangers
        )
        if not acronyms:
            continue
        weights = weights_of(acronyms, [text.repository for text in documents])
        for acronym, weight in zip(acronyms, weights.tolist(), strict=True):
            fold = crc32(source_of(documents[acronym.text]).encode()) % FOLDS
            projection, network = models[fold]
            update_matches(linker, projection, [acronym], calibration)
            evidence = acronym.evidence.without_folder()
            question, table = evidence.question, evidence.mean_table
            logits, nil = calibration.logits(table), calibration.nil_logit(question.nil)
            weighted.append(make_folder_example(acronym, logits, nil, weight))
            logits, nil = network.score(table, question), network.score_nil(question)
            of_network.append(make_folder_example(acronym, logits, nil, weight))
    if not weighted:
        return
    calibration = replace(calibration, folder=fit_folder_weight(weighted))
    model.settings = replace(model.settings, calibration=calibration)
    model.network.arrays["linear"][FOLDER] = fit_folder_weight(of_network)
