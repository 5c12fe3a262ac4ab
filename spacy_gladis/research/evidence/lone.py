"""Fit weights for acronyms that are alone in their text.

A sentence with one acronym has no other acronyms to indicate its topics, and often few words. Its
weights are fitted on such sentences of the training texts. Questions with given candidates have
weights of their own, too.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import NamedTuple

import numpy as np
import spacy
from spacy.language import Language

from ...arrays import Floats
from ...linking import Linker
from ...linking.calibration import Calibration
from ...text import Mention, Offsets
from ..datasets.texts import GoldMention, LabelledText
from ..metrics.equal_wordings import EqualWordings
from ..training.logit import fit_calibration
from .fit import FITTED, RIDGE, Labelled, Source, find_right, fit, limit_candidates
from .held_out import HeldOutDictionary

FEW = 3e-3
"""Ridge of a fit on sentences, which are few."""


class GivenQuestion(NamedTuple):
    """A mention whose meaning is one of its candidates, so that NIL is excluded.

    Attributes:
        features: Features of the candidates, float32 [candidates, FEATURES].
        right: Rows of the right candidates.
    """

    features: Floats
    right: tuple[int, ...]


def _split(text: str) -> list[Offsets]:
    """Split a text into sentences."""
    return [(sentence.start_char, sentence.end_char) for sentence in _sentencizer()(text).sents]


@cache
def _sentencizer() -> Language:
    nlp = spacy.blank("en")
    nlp.add_pipe("sentencizer")
    return nlp


def lone_sentences(texts: Iterable[LabelledText]) -> list[LabelledText]:
    """Return the sentences that contain a single labelled acronym, possibly repeated.

    Args:
        texts: Labelled texts.

    Returns:
        The sentences as labelled texts.
    """
    sentences = []
    for text in texts:
        for start, end in _split(text.text):
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
                sentences.append(text._replace(text=text.text[start:end], mentions=tuple(moved)))
    return sentences


def given_questions(
    texts: Iterable[Source],
    linker: Linker,
    dictionary: HeldOutDictionary,
    same: EqualWordings,
    limit: int,
) -> list[GivenQuestion]:
    """Ask for the meaning of labelled mentions in their sentences, among candidates that hold it.

    Args:
        texts: The texts, of which each meaning is asked for once.
        linker: Linker that computes the features, with the dictionary.
        dictionary: Dictionary that leaves out the source of each text.
        same: Says which long forms have the same sense.
        limit: Questions, at most.

    Returns:
        The questions, text by text.
    """
    questions: list[GivenQuestion] = []
    for number, (text, source) in enumerate(texts):
        if len(questions) >= limit:
            break
        dictionary.held_out = source
        mentions, options, rights, asked = [], [], [], set()
        for sentence, gold in _in_sentences(text):
            candidates = dictionary.lookup(gold.acronym)
            right = find_right(candidates, gold.long_forms, same)
            if (gold.acronym, gold.long_forms) not in asked and right and len(candidates) > 1:
                asked.add((gold.acronym, gold.long_forms))
                mentions.append(Mention(sentence, gold.start, gold.end, number))
                options.append(candidates)
                rights.append(right)
        tables = linker.compute_features(mentions, options)[0]
        questions += map(GivenQuestion, tables, rights)
    return questions[:limit]


def _in_sentences(text: LabelledText) -> Iterator[tuple[str, GoldMention]]:
    """Yield each sentence with each mention that has a meaning, at its offsets in the sentence."""
    for start, end in _split(text.text):
        for mention in text.mentions:
            if (
                mention.long_forms
                and not mention.defined
                and start <= mention.start < end >= mention.end
            ):
                moved = mention._replace(start=mention.start - start, end=mention.end - start)
                yield text.text[start:end], moved


def fit_alone(sentences: Sequence[Labelled], weights: Floats, document: Calibration) -> Calibration:
    """Fit the weights for sentences with one acronym.

    The phrase weight is taken from `document`, since sentences rarely spell an acronym out without
    defining it.

    Args:
        sentences: The sentences' acronyms.
        weights: Weight of each, [sentences].
        document: Weights for texts of several acronyms.

    Returns:
        The fitted weights.
    """
    fitted = [name for name in FITTED if name != "phrase"]
    return fit(sentences, weights, Calibration(phrase=document.phrase), fitted, FEW)


def fit_given(questions: Sequence[GivenQuestion], start: Calibration) -> Calibration:
    """Fit the weights for questions with given candidates.

    Args:
        questions: The questions.
        start: Weights that choose the candidates to compare.

    Returns:
        The fitted weights.
    """
    pairs = [limit_candidates(features, right, start) for features, right in questions]
    return fit_calibration(
        [table for table, _ in pairs],
        [right for _, right in pairs],
        Calibration(),
        FITTED,
        closed=np.ones(len(questions), bool),
        ridge=RIDGE,
    )
