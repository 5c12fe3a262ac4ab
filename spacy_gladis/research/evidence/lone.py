"""Fitting of evidence weights for acronyms that are the only one in their text.

A sentence with a single acronym has no other acronyms that indicate its topics, and often few
words. Separate weights are fitted on such sentences of labelled texts, and on evaluation sets of
single sentences with given candidates.
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
"""Ridge penalty of a fit on sentences, of which there are few."""


class GivenQuestion(NamedTuple):
    """A mention whose meaning is known to be among its candidates, so that NIL is excluded.

    Attributes:
        features: Features of the candidates, [candidates, FEATURES].
        right: Rows of the right candidates.
        acronym: The acronym.
        name: Name of the evaluation set.
    """

    features: Floats
    right: tuple[int, ...]
    acronym: str
    name: str


def lone_sentences(texts: Iterable[LabelledText]) -> list[LabelledText]:
    """Return the sentences that contain only one labelled acronym, once or several times.

    Args:
        texts: Labelled texts.

    Returns:
        The sentences as labelled texts.
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
    """Draw rows of evaluation sets with a right candidate, and compute the candidates' features.

    Args:
        linker: Linker that computes the features.
        sets: Evaluation sets.
        limit: Maximum number of rows per set.

    Returns:
        The questions.
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
    """Fit the weights for sentences with one acronym.

    The weight of the phrase evidence is taken from `document`, because a sentence rarely spells out
    an acronym without defining it.

    Args:
        sentences: The acronyms of the sentences.
        weights: Weight of each sentence, [sentences].
        document: Weights for texts of several acronyms.

    Returns:
        The fitted weights.
    """
    fitted = [name for name in FITTED if name != "phrase"]
    return fit(sentences, weights, Calibration(phrase=document.phrase), fitted, FEW)


def fit_given(questions: Sequence[GivenQuestion]) -> Calibration:
    """Fit the weights for questions with given candidates.

    All evaluation sets have the same total weight.

    Args:
        questions: Mentions to disambiguate, with their candidates.

    Returns:
        The fitted weights.
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
    """Evaluate the weights for sentences with one acronym by cross-validation.

    Args:
        sentences: The acronyms of the sentences.
        folds: Fold of each sentence.
        weights: Weight of each sentence, [sentences].
        document: Weights for texts of several acronyms.

    Returns:
        The figures; see `figures`.
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
    """Evaluate the weights for given candidates on each set, by cross-validation over acronyms.

    Args:
        questions: Mentions to disambiguate, with their candidates.
        number: Number of folds.

    Returns:
        For each set, the percentage of questions whose right candidate is ranked first.
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
