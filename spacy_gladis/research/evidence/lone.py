"""Fitting of separate feature weights for acronyms that are the only one in their text.

A sentence with a single acronym has no other acronyms that indicate its topics, and often few
words. Weights for such texts are fitted on the sentences of labelled texts that have only one
acronym. Weights for questions with given candidates are fitted on evaluation sets of single
sentences.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import NamedTuple
from zlib import crc32

import numpy as np
import spacy

from ...arrays import Floats
from ...linking import Linker
from ...linking.calibration import Calibration
from ...linking.ranking import rank_candidates
from ...text import merge_key
from ..datasets.split import by_folds
from ..datasets.texts import LabelledText
from ..tasks.disambiguation.sets import EvaluationSet
from ..tasks.disambiguation.systems.acrobert import as_mentions
from ..training.logit import fit_calibration
from .fit import FITTED, RIDGE, Labelled, figures, fit, outcome

FEW = 3e-3
"""Ridge penalty of the fit on sentences. It is larger than `RIDGE`, because there are few
sentences."""


class GivenQuestion(NamedTuple):
    """A mention with given candidates, one of which is right, so that NIL is not a possible answer.

    Attributes:
        features: Features of the candidates, float32 [candidates, FEATURES].
        right: Rows of the right candidates. There can be several, because spellings of the same
            long form are separate candidates.
        acronym: The acronym of the mention.
        name: Name of the evaluation set that the mention comes from.
    """

    features: Floats
    right: tuple[int, ...]
    acronym: str
    name: str


def lone_sentences(texts: Iterable[LabelledText]) -> list[LabelledText]:
    """Return the sentences of labelled texts that contain only one labelled acronym.

    The acronym may occur in the sentence several times. Sentences with two different acronyms or
    with none are left out.

    Args:
        texts: Texts with labelled mentions.

    Returns:
        The sentences as texts of their own. The offsets of their mentions are relative to the
        sentence.
    """
    nlp = spacy.blank("en")
    nlp.add_pipe("sentencizer")
    sentences = []
    for text in texts:
        for sentence in nlp(text.text).sents:
            start, end = sentence.start_char, sentence.end_char
            inside = [
                mention
                for mention in text.mentions
                if start <= mention.start and mention.end <= end
            ]
            if len({mention.acronym for mention in inside}) == 1:
                moved = [
                    mention._replace(start=mention.start - start, end=mention.end - start)
                    for mention in inside
                ]
                sentences.append(text._replace(text=sentence.text, mentions=tuple(moved)))
    return sentences


def given_questions(
    linker: Linker, sets: Sequence[EvaluationSet], limit: int
) -> list[GivenQuestion]:
    """Draw answerable rows from evaluation sets, and compute the features of their candidates.

    A row is answerable if its right long form is among the candidates. The same rows are drawn at
    each call.

    Args:
        linker: Linker that encodes the contexts and computes the features.
        sets: Evaluation sets, whose rows have candidates.
        limit: Maximum number of rows to draw from each set.

    Returns:
        A question for each drawn row, set by set.
    """
    questions = []
    for evaluation_set in sets:
        answerable = np.flatnonzero(np.array(evaluation_set.gold) >= 0)
        chosen = np.random.default_rng(0).permutation(answerable)[:limit].tolist()
        samples = [evaluation_set.samples[row] for row in chosen]
        options = [evaluation_set.candidates[row] for row in chosen]
        tables = linker.compute_features(as_mentions(samples), options)[0]
        for sample, candidates, features in zip(samples, options, tables, strict=True):
            key = merge_key(sample.long_form)
            right = [
                row
                for row, candidate in enumerate(candidates)
                if merge_key(candidate.long_form) == key
            ]
            questions.append(
                GivenQuestion(features, tuple(right), sample.acronym, evaluation_set.name)
            )
    return questions


def fit_alone(sentences: Sequence[Labelled], weights: Floats, document: Calibration) -> Calibration:
    """Fit the feature weights for sentences that have only one acronym.

    The weight of the feature `phrase` is copied from `document` instead. It can't be fitted,
    because a sentence rarely spells out an acronym without defining it.

    Args:
        sentences: The acronym of each sentence, with its evidence and right answers.
        weights: Weight of each sentence in the fit, [sentences].
        document: Feature weights that were fitted on whole texts.

    Returns:
        The fitted feature weights.
    """
    fitted = [name for name in FITTED if name != "phrase"]
    return fit(sentences, weights, Calibration(phrase=document.phrase), fitted, FEW)


def fit_given(questions: Sequence[GivenQuestion]) -> Calibration:
    """Fit the feature weights for mentions whose candidates are given.

    Each evaluation set has the same total weight, however many questions it has.

    Args:
        questions: Mentions with the features of their candidates, from one or more evaluation sets.

    Returns:
        The fitted feature weights.
    """
    names = [question.name for question in questions]
    return fit_calibration(
        [question.features for question in questions],
        [question.right for question in questions],
        Calibration(),
        FITTED,
        weights=np.array([1 / names.count(name) for name in names], np.float32),
        closed=np.ones(len(questions), bool),
        ridge=RIDGE,
    )


def cross_validate_alone(
    sentences: Sequence[Labelled], folds: Sequence[int], weights: Floats, document: Calibration
) -> dict[str, float]:
    """Evaluate the feature weights for sentences with one acronym by cross-validation.

    The acronyms of each fold are resolved with weights that were fitted on the other folds.

    Args:
        sentences: The acronym of each sentence, with its evidence and right answers.
        folds: Number of the fold that each sentence is in.
        weights: Weight of each sentence in the fit, [sentences].
        document: Feature weights that were fitted on whole texts; see `fit_alone`.

    Returns:
        Scores over all sentences, as returned by `figures`.
    """
    rows = []
    for training, held_out in by_folds(list(zip(sentences, weights, strict=True)), folds):
        train, counts = zip(*training, strict=True)
        fitted = fit_alone(train, np.array(counts), document)
        for sentence, _ in held_out:
            logits = fitted.logits(sentence.evidence.mean_table)
            rows.append(outcome(sentence, rank_candidates(sentence.evidence, logits, fitted)))
    return figures(rows, lost=0)


def cross_validate_given(questions: Sequence[GivenQuestion], number: int) -> dict[str, float]:
    """Evaluate the feature weights for given candidates by cross-validation.

    All questions with the same acronym are in the same fold.

    Args:
        questions: Mentions with the features of their candidates, from one or more evaluation sets.
        number: Number of folds.

    Returns:
        A mapping from each evaluation set to the percentage of its questions whose right candidate
        is ranked first.
    """
    right: defaultdict[str, list[bool]] = defaultdict(list)
    for training, held_out in by_folds(
        questions, [crc32(question.acronym.encode()) % number for question in questions]
    ):
        fitted = fit_given(training)
        for question in held_out:
            right[question.name].append(
                int(fitted.logits(question.features).argmax()) in question.right
            )
    return {
        name: round(100 * float(np.mean(outcomes)), 1) for name, outcomes in sorted(right.items())
    }
