"""Calibration of scores to probabilities.

A conditional logit weighs the evidence for each candidate. Its last alternative is NIL, which
stands for "none of the candidates". Boosted trees then rescale the probability of the first answer.
They use features that the logit has no term for, such as the acronym's shape and the document's
length, and interactions between features.
"""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from pathlib import Path

import numpy as np

from ..arrays import Floats, Ints, Numbers
from ..dictionary import Candidate
from ..encoder.encoder import STRICT
from ..errors import FormatError
from ..files import reading_tensors, write_arrays


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
        overlap: Number of the long form's words near the mention, see `features.count_overlap`.
        neighbours: Log ratio of the words next to the mention, see `neighbours.py`.
        texts: log(1 + the long form's count in texts). Only the trees use this feature.
        sources: log(1 + the number of text sources that have the long form).
        glossary: log(1 + the number of glossaries that have the long form).
        common: log(1 + the long form's count in the common lists).
        topic: Log agreement with the document's topics, see `topics.py`.
        phrase: Probability, 0..1, that a phrase of the document spells out the acronym this way.
        folder: Weight, 0..1, of definitions in other documents of the folder.
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

SIGNED = ("unseen", "seen", *NIL_FEATURES)
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


NAME = "confidence.safetensors"

COLUMNS = (
    *("logit", "second", "margin", "candidates", "attested", "dominance"),
    *("capitals", "small", "length", "words", "acronyms", "topic", "centroid"),
)
"""Names of the trees' features, in the order of their columns; `compute_confidence_features`
describes them."""

SUREST = 1e-4
"""Distance from 0 and 1 at which probabilities are clipped before their log odds are taken."""


class Confidence:
    """Boosted trees for the log odds that the first answer is right.

    All trees have the same depth. Their inner nodes are stored level by level, from left to right.
    A feature above a node's threshold leads to its right child.
    """

    def __init__(self, bias: float, columns: Ints, thresholds: Floats, values: Floats) -> None:
        """Create the trees from their arrays.

        Args:
            bias: Log odds to which the values of the trees are added.
            columns: Feature of each inner node, int64 [trees, 2**depth - 1].
            thresholds: Threshold of each inner node, float32 [trees, 2**depth - 1].
            values: Value of each leaf, float32 [trees, 2**depth].
        """
        self.bias, self.columns, self.thresholds, self.values = bias, columns, thresholds, values

    def __len__(self) -> int:
        """Return the number of trees."""
        return len(self.values)

    @classmethod
    def empty(cls) -> "Confidence":
        """Create an object without trees, for models that keep the probabilities of the logit."""
        return cls(0.0, np.zeros((0, 0), np.int64), *np.zeros((2, 0, 1), np.float32))

    def probabilities(self, rows: Floats) -> Floats:
        """Return the probabilities that first answers are right.

        Args:
            rows: Features of the answers, [answers, COLUMNS].

        Returns:
            Probabilities, float32 [answers].
        """
        trees, node = np.arange(len(self)), np.zeros((len(rows), len(self)), np.int64)
        inner = self.columns.shape[1]
        for _ in range((inner + 1).bit_length() - 1):
            features = np.take_along_axis(rows, self.columns[trees, node], axis=1)
            node = 2 * node + 1 + (features > self.thresholds[trees, node])
        odds = self.bias + self.values[trees, node - inner].sum(axis=1)
        probabilities: Floats = (1 / (1 + np.exp(-odds))).astype(np.float32)
        return probabilities

    def save(self, folder: Path) -> None:
        """Save the trees as `confidence.safetensors`.

        Args:
            folder: Folder of the model's weights.
        """
        arrays = {"columns": self.columns.astype(np.uint8), "bias": np.array([self.bias])}
        arrays |= {"thresholds": self.thresholds, "values": self.values}
        write_arrays(folder / NAME, arrays)

    @classmethod
    def load(cls, folder: Path) -> "Confidence":
        """Load `confidence.safetensors`.

        Args:
            folder: Folder of the model's weights.

        Returns:
            The trees, or an object without trees if the folder has no such file.

        Raises:
            FormatError: If the file is damaged.
        """
        path = folder / NAME
        if not path.is_file():
            return cls.empty()
        with reading_tensors(path, "the file is damaged or holds no confidence trees") as file:
            names = ("bias", "columns", "thresholds", "values")
            bias, columns, thresholds, values = (file.get_tensor(name) for name in names)
        shape = (len(values), values.shape[-1] - 1)
        is_consistent = columns.shape == thresholds.shape == shape and bias.shape == (1,)
        if not is_consistent or columns.max(initial=0) >= len(COLUMNS):
            raise FormatError(f"{path}: the file is damaged, because its tables differ in size.")
        return cls(float(bias[0]), columns.astype(np.int64), thresholds, values)


def reweigh(
    answers: list[tuple[Candidate, float]], probability: float
) -> list[tuple[Candidate, float]]:
    """Set the probability of the first answer and rescale the others.

    The other probabilities keep their ratios, but none exceeds that of the first answer.

    Args:
        answers: Candidates with their probabilities, best first; at least one.
        probability: New probability of the first answer, 0..1.

    Returns:
        The answers in the same order, with their new probabilities.
    """
    (best, before), others = answers[0], answers[1:]
    share = min(1.0, (1 - probability) / max(1 - before, SUREST))
    rescaled = [(candidate, min(old * share, probability)) for candidate, old in others]
    return [(best, probability), *rescaled]
