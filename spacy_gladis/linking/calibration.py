"""Calibration: converts the scores of an acronym's candidates to probabilities.

A conditional logit model weighs the features of each candidate. Its last alternative is NIL, which
stands for "none of the candidates". The probabilities of this model select the candidates that are
encoded, and estimate the topics of a document. The final scores come from the scoring network (see
`scoring_network.py`), if the model has one.
"""

from collections.abc import Sequence
from dataclasses import dataclass, fields

import numpy as np

from ..arrays import Floats, Numbers
from ..dictionary import Candidate
from ..encoder.encoder import STRICT


def softmax(logits: Floats) -> Floats:
    """Convert logits to probabilities that sum to 1 over the last axis.

    Args:
        logits: Logits of the alternatives, [..., alternatives]. The last axis may be empty.

    Returns:
        Probabilities between 0 and 1, in the same shape as `logits`.
    """
    odds = np.exp(logits - logits.max(-1, keepdims=True, initial=-np.inf))
    probabilities: Floats = odds / odds.sum(-1, keepdims=True)
    return probabilities


def compute_nil_features(candidates: int, words: int, mentions: int) -> Floats:
    """Compute the features of NIL, the answer that none of an acronym's candidates is right.

    Args:
        candidates: Number of the acronym's candidates.
        words: Number of words in the document, separated by white space.
        mentions: Number of acronym mentions that the document doesn't define.

    Returns:
        The constant 1, log(1 + `candidates`), log(1 + `words`), and the number of mentions divided
        by `words` + 1, in the order of `NIL_FEATURES`, float32 [NIL_FEATURES].
    """
    density = mentions / (words + 1)
    return np.array([1, np.log1p(candidates), np.log1p(words), density], np.float32)


@dataclass(frozen=True)
class Calibration:
    """The weights with which the features of a candidate, or of NIL, add up to its logit.

    NIL is the answer that none of an acronym's candidates is right. Each attribute is the weight of
    the feature that is described next to it. The attributes that begin with ``nil`` weigh the
    features of NIL (see `compute_nil_features`), and all others the features of candidates.

    Attributes:
        cosine: Cosine between the vectors of the mention's context and of the candidate, multiplied
            by the model's scale.
        match: Cosine between the projected vector of the context (see
            `sense_vectors.SenseProjection`) and the vector of the candidate, multiplied by the
            model's scale.
        centroid: Similarity of the context to the contexts in which the long form was seen in
            training.
        unseen: 1 if the long form was never seen in a context, else 0.
        seen: log(1 + the number of contexts in which the long form was seen).
        initials: 1 if the long form's initials spell the acronym, else 0.
        attested: 1 if the initials spell the acronym or a source lists the long form, else 0.
        overlap: Number of the long form's words that also occur near the mention (see
            `overlap.count_overlap`).
        neighbours: Sum of the log ratios of the words next to the mention (see `neighbours.py`).
        texts: log(1 + the long form's count in text sources).
        sources: log(1 + the number of text sources that list the long form).
        glossary: log(1 + the number of glossaries and concept inventories that list the long form).
        common: log(1 + the long form's count in lists of common acronyms).
        gloss: log(1 + the number of the gloss's words that also occur near the mention; see
            `overlap.count_gloss_words`).
        glossed: 1 if the sense has a gloss, else 0.
        topic: Log agreement of the candidate with the document's topics (see `topics.py`).
        document: Cosine between the mean context of the document's other acronyms and the vector
            of the candidate, multiplied by the model's scale. If there are no other acronyms, the
            acronym's own context is used.
        coherence: Cosine between the likely senses of the document's other acronyms and the vector
            of the candidate, multiplied by the model's scale.
        phrase: Probability, between 0 and 1, that a phrase in the document spells out the acronym
            as this long form.
        folder: Weight, between 0 and 1, of definitions in other documents of the folder.
        nil: Constant part of NIL's logit.
        nil_candidates: log(1 + the number of candidates).
        nil_words: log(1 + the number of words in the document).
        nil_density: Mentions of undefined acronyms per word of the document.
    """

    __pydantic_config__ = STRICT
    cosine: float = 1.0
    match: float = 0.0
    centroid: float = 0.0
    unseen: float = 0.0
    seen: float = 0.0
    initials: float = 0.0
    attested: float = 0.0
    overlap: float = 0.0
    neighbours: float = 0.0
    texts: float = 0.0
    sources: float = 0.0
    glossary: float = 0.0
    common: float = 0.0
    gloss: float = 0.0
    glossed: float = 0.0
    topic: float = 0.0
    document: float = 0.0
    coherence: float = 0.0
    phrase: float = 0.0
    folder: float = 12.0
    nil: float = 0.0
    nil_candidates: float = 0.0
    nil_words: float = 0.0
    nil_density: float = 0.0

    @property
    def weights(self) -> Floats:
        """The weights of a candidate's features, a float32 array in the order of `FEATURES`."""
        return np.array([getattr(self, name) for name in FEATURES], np.float32)

    @property
    def nil_weights(self) -> Floats:
        """The weights of the features of NIL, a float32 array in the order of `NIL_FEATURES`."""
        return np.array([getattr(self, name) for name in NIL_FEATURES], np.float32)

    def logits(self, features: Floats) -> Floats:
        """Return the logits of an acronym's candidates.

        The logit of a candidate is the weighted sum of its features.

        Args:
            features: Features of the candidates, [candidates, FEATURES], with the columns in the
                order of `FEATURES`.

        Returns:
            A logit for each candidate, float32 [candidates].
        """
        return features @ self.weights

    def nil_logit(self, features: Floats) -> float:
        """Return the logit of NIL, the answer that no candidate is right.

        Args:
            features: Features of NIL, as returned by `compute_nil_features`, [NIL_FEATURES].
        """
        return float(features @ self.nil_weights)


def compute_probabilities(logits: Floats, nil: float) -> Floats:
    """Convert the logits of an acronym's candidates to probabilities.

    The probabilities of all candidates and of NIL, the answer that no candidate is right, sum to 1.

    Args:
        logits: Logits of the candidates, [candidates].
        nil: Logit of NIL.

    Returns:
        A probability for each candidate, [candidates]. The probability of NIL is not included.
    """
    top = max(nil, float(logits.max(initial=nil)))
    weights = np.exp(logits - top)
    probabilities: Floats = weights / (weights.sum() + np.exp(nil - top))
    return probabilities


_WEIGHT_NAMES = tuple(field.name for field in fields(Calibration))
NIL_FEATURES = tuple(name for name in _WEIGHT_NAMES if name.startswith("nil"))
"""Names of the features of NIL, the answer that no candidate is right, in the order in which arrays
contain them."""

FEATURES = tuple(name for name in _WEIGHT_NAMES if name not in NIL_FEATURES)
"""Names of a candidate's features, in the order in which arrays contain them."""

SIGNED = ("unseen", "seen", "glossed", *NIL_FEATURES)
"""Names of the features whose weight may be negative. The weights of all other features are at
least 0, so a higher value never lowers a candidate's probability."""


@dataclass(frozen=True)
class SenseCalibration:
    """Converts the cosine similarity of a mention and a single sense to a probability.

    Use it to verify a given sense, when there are no other candidates to compare with. The log odds
    that the mention has the sense are ``cosine * similarity + bias``. The command `train memory`
    fits both numbers to a model.

    Attributes:
        cosine: Slope: how much the log odds increase if the similarity increases by 1.
        bias: Log odds at a similarity of 0.
    """

    __pydantic_config__ = STRICT
    cosine: float = 6.7188
    bias: float = -2.9081

    def probabilities(self, cosines: Sequence[float] | Numbers) -> Floats:
        """Convert cosine similarities to probabilities that mentions have the proposed senses.

        Args:
            cosines: Cosine similarity of each pair of a mention and a sense, between -1 and 1,
                [pairs].

        Returns:
            A probability for each pair, float32 [pairs].
        """
        logits = self.cosine * np.asarray(cosines, dtype=np.float64) + self.bias
        probabilities: Floats = (1 / (1 + np.exp(-logits))).astype(np.float32)
        return probabilities


SUREST = 1e-4
"""Lower limit of the denominator 1 - p when probabilities are rescaled."""


def reweigh(
    answers: list[tuple[Candidate, float]], probability: float
) -> list[tuple[Candidate, float]]:
    """Replace the probability of an acronym's best answer, and rescale those of the other answers.

    The probabilities of the other answers keep their ratios. None of them exceeds the new
    probability of the best answer.

    Args:
        answers: Pairs of a candidate and its probability, best first. There is at least one pair.
        probability: New probability of the best answer, between 0 and 1.

    Returns:
        The same candidates in the same order, with their new probabilities.
    """
    (best, before), others = answers[0], answers[1:]
    share = min(1.0, (1 - probability) / max(1 - before, SUREST))
    rescaled = [(candidate, min(old * share, probability)) for candidate, old in others]
    return [(best, probability), *rescaled]
