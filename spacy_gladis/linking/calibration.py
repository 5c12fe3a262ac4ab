"""Calibration of scores to probabilities.

A conditional logit weighs the evidence for each candidate. Its last alternative is NIL, which
stands for "none of the candidates". The trees of `reranking.py` then score the best candidates.
"""

from collections.abc import Sequence
from dataclasses import dataclass, fields

import numpy as np

from ..arrays import Floats, Numbers
from ..encoder.encoder import STRICT


def softmax(logits: Floats) -> Floats:
    """Convert logits to probabilities over the last axis.

    Args:
        logits: Logits, [..., alternatives]. The last axis may be empty.

    Returns:
        Probabilities of the same shape.
    """
    odds = np.exp(logits - logits.max(-1, keepdims=True, initial=-np.inf))
    probabilities: Floats = odds / odds.sum(-1, keepdims=True)
    return probabilities


def compute_nil_features(candidates: int, words: int, mentions: int) -> Floats:
    """Compute the features of the alternative NIL.

    Args:
        candidates: Number of candidates of the acronym.
        words: Number of words in the document.
        mentions: Number of mentions of acronyms that the document does not define.

    Returns:
        Features, float32 [NIL_FEATURES].
    """
    density = mentions / (words + 1)
    return np.array([1, np.log1p(candidates), np.log1p(words), density], np.float32)


@dataclass(frozen=True)
class Calibration:
    """Weights of the features of a candidate, and of the alternative NIL.

    Each weight is multiplied by the feature of the same name. The logit of NIL is the sum of its
    own weighted features, see `compute_nil_features`.

    Attributes:
        cosine: Scaled cosine of the context and the sense.
        centroid: Similarity of the context to the contexts that the long form was seen in.
        unseen: 1 if the long form was never seen in a context, else 0.
        seen: log(1 + the number of contexts that the long form was seen in).
        initials: 1 if the long form's initials spell the acronym, else 0.
        attested: 1 if the initials spell the acronym or a source counts the long form, else 0.
        overlap: Number of the long form's words near the mention, see `overlap.count_overlap`.
        neighbours: Log ratio of the words next to the mention, see `neighbours.py`.
        texts: log(1 + the long form's count in texts). Only the trees use this feature.
        sources: log(1 + the number of text sources that have the long form).
        glossary: log(1 + the number of glossaries that have the long form).
        common: log(1 + the long form's count in the common lists).
        topic: Log agreement with the document's topics, see `topics.py`.
        phrase: Probability, 0..1, that a phrase of the document spells out the acronym this way.
        folder: Weight, 0..1, of definitions in other documents of the folder.
        glossed: 1 if the dictionary describes the sense with a gloss, else 0.
        gloss: log(1 + the number of the gloss's words near the mention), see
            `overlap.count_gloss_words`.
        nil: Constant part of the logit of NIL.
        nil_candidates: log(1 + the number of candidates).
        nil_words: log(1 + the number of words in the document).
        nil_density: Mentions of undefined acronyms per word of the document.
    """

    __pydantic_config__ = STRICT
    cosine: float = 1.0
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
    topic: float = 0.0
    phrase: float = 0.0
    folder: float = 12.0
    glossed: float = 0.0
    gloss: float = 0.0
    nil: float = 0.0
    nil_candidates: float = 0.0
    nil_words: float = 0.0
    nil_density: float = 0.0

    @property
    def weights(self) -> Floats:
        """Weights of the candidates' features, float32 [FEATURES]."""
        return np.array([getattr(self, name) for name in FEATURES], np.float32)

    def logits(self, features: Floats) -> Floats:
        """Return the logits of candidates.

        Args:
            features: Features, [candidates, FEATURES], with columns in the order of `FEATURES`.

        Returns:
            Logits, float32 [candidates].
        """
        return features @ self.weights

    def nil_logit(self, features: Floats) -> float:
        """Return the logit of NIL.

        Args:
            features: Features of NIL as `compute_nil_features` returns them, [NIL_FEATURES].
        """
        weights = np.array([getattr(self, name) for name in NIL_FEATURES], np.float32)
        return float(features @ weights)

    def probabilities(self, logits: Floats, nil: float | None = None) -> Floats:
        """Return the probabilities of candidates. They sum to 1 together with that of NIL.

        Args:
            logits: Logits of the candidates, [candidates].
            nil: Logit of NIL; None to use its constant part.

        Returns:
            Probabilities, [candidates].
        """
        nil = self.nil if nil is None else nil
        top = max(nil, float(logits.max(initial=nil)))
        weights = np.exp(logits - top)
        probabilities: Floats = weights / (weights.sum() + np.exp(nil - top))
        return probabilities


_WEIGHT_NAMES = tuple(field.name for field in fields(Calibration))
NIL_FEATURES = tuple(name for name in _WEIGHT_NAMES if name.startswith("nil"))
"""Names of the features of NIL, in the order of their columns."""

FEATURES = tuple(name for name in _WEIGHT_NAMES if name not in NIL_FEATURES)
"""Names of the features of a candidate, in the order of their columns."""

SIGNED = ("unseen", "seen", "glossed", *NIL_FEATURES)
"""Features whose weight may be negative. A higher value of any other feature never lowers a
candidate's probability."""


@dataclass(frozen=True)
class SenseCalibration:
    """Logistic calibration of the cosine of one sense, without other candidates.

    The log odds that the sense fits are `cosine` times the cosine similarity, plus `bias`. The
    command `train memory` fits both to a model. The defaults are for models without a fit.

    Attributes:
        cosine: Slope of the log odds.
        bias: Log odds at a cosine of 0.
    """

    __pydantic_config__ = STRICT
    cosine: float = 6.7188
    bias: float = -2.9081

    def probabilities(self, cosines: Sequence[float] | Numbers) -> Floats:
        """Return the probabilities that senses fit.

        Args:
            cosines: Cosine similarities, [senses].

        Returns:
            Probabilities, float32 [senses].
        """
        logits = self.cosine * np.asarray(cosines, dtype=np.float64) + self.bias
        probabilities: Floats = (1 / (1 + np.exp(-logits))).astype(np.float32)
        return probabilities
