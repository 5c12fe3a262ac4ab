"""Calibration: converts the scores of an acronym's candidates to probabilities.

A conditional logit model weighs the features of each candidate. Its last alternative is NIL, which
stands for "none of the candidates". Boosted trees then correct the probability of the best answer.
They also use features that the logit model doesn't have, such as the acronym's shape and the
document's length, and interactions between features.
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
    """Convert logits to probabilities that sum to 1 over the last axis.

    Args:
        logits: Logits of the alternatives, [..., alternatives]. The last axis may be empty.

    Returns:
        Probabilities in the same shape as the logits.
    """
    odds = np.exp(logits - logits.max(-1, keepdims=True, initial=-np.inf))
    probabilities: Floats = odds / odds.sum(-1, keepdims=True)
    return probabilities


def compute_nil_features(candidates: int, words: int, mentions: int) -> Floats:
    """Compute the features of NIL, the alternative that no candidate is right.

    Args:
        candidates: Number of the acronym's candidates.
        words: Number of words in the document.
        mentions: Number of mentions in the document whose acronym it does not define.

    Returns:
        The features in the order of `NIL_FEATURES`, float32 [NIL_FEATURES].
    """
    density = mentions / (words + 1)
    return np.array([1, np.log1p(candidates), np.log1p(words), density], np.float32)


@dataclass(frozen=True)
class Calibration:
    """The weights with which features add up to the logits of candidates and of NIL.

    Each attribute is the weight of the feature described below. The logit of NIL is the weighted
    sum of the features from `compute_nil_features`.

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
        """The weights of a candidate's features in the order of `FEATURES`, float32."""
        return np.array([getattr(self, name) for name in FEATURES], np.float32)

    def logits(self, features: Floats) -> Floats:
        """Return the logits of candidates, which are the weighted sums of their features.

        Args:
            features: Features of the candidates, [candidates, FEATURES], with the columns in the
                order of `FEATURES`.

        Returns:
            A logit for each candidate, float32 [candidates].
        """
        return features @ self.weights

    def nil_logit(self, features: Floats) -> float:
        """Return the logit of NIL, the alternative that no candidate is right.

        Args:
            features: Features of NIL, as returned by `compute_nil_features`, [NIL_FEATURES].
        """
        weights = np.array([getattr(self, name) for name in NIL_FEATURES], np.float32)
        return float(features @ weights)

    def probabilities(self, logits: Floats, nil: float | None = None) -> Floats:
        """Convert the logits of candidates to probabilities.

        The probabilities of all candidates and of NIL together sum to 1.

        Args:
            logits: Logits of the candidates, [candidates].
            nil: Logit of NIL. Defaults to its constant part, the weight `nil`.

        Returns:
            A probability for each candidate, [candidates].
        """
        nil = self.nil if nil is None else nil
        top = max(nil, float(logits.max(initial=nil)))
        weights = np.exp(logits - top)
        probabilities: Floats = weights / (weights.sum() + np.exp(nil - top))
        return probabilities


_WEIGHT_NAMES = tuple(field.name for field in fields(Calibration))
NIL_FEATURES = tuple(name for name in _WEIGHT_NAMES if name.startswith("nil"))
"""Names of NIL's features, in the order in which arrays contain them."""

FEATURES = tuple(name for name in _WEIGHT_NAMES if name not in NIL_FEATURES)
"""Names of a candidate's features, in the order in which arrays contain them."""

SIGNED = ("unseen", "seen", *NIL_FEATURES)
"""Names of the features whose weight may be negative. The weights of all other features are at
least 0, so a higher value never lowers a candidate's probability."""


@dataclass(frozen=True)
class SenseCalibration:
    """Converts the cosine between a mention and a single sense to a probability.

    The log odds that the mention has the sense are `cosine` times the cosine similarity, plus
    `bias`. The command `train memory` fits both numbers to a model.

    Attributes:
        cosine: Increase of the log odds per unit of the cosine.
        bias: Log odds at a cosine of 0.
    """

    __pydantic_config__ = STRICT
    cosine: float = 6.7188
    bias: float = -2.9081

    def probabilities(self, cosines: Sequence[float] | Numbers) -> Floats:
        """Return the probability that a mention has a sense, for each cosine similarity.

        Args:
            cosines: Cosine similarities of mentions and senses, [senses].

        Returns:
            A probability for each cosine, float32 [senses].
        """
        logits = self.cosine * np.asarray(cosines, dtype=np.float64) + self.bias
        probabilities: Floats = (1 / (1 + np.exp(-logits))).astype(np.float32)
        return probabilities


NAME = "confidence.safetensors"

COLUMNS = (
    *("logit", "second", "margin", "candidates", "attested", "dominance"),
    *("capitals", "small", "length", "words", "acronyms", "topic", "centroid"),
)
"""Names of the features of the boosted trees, in the order of their columns. See
`ranking.compute_confidence_features` for their meaning."""

SUREST = 1e-4
"""Probabilities are clipped to the range from SUREST to 1 - SUREST before their log odds are
computed."""


class Confidence:
    """Boosted decision trees that estimate how likely the linker's best answer is right.

    All trees have the same depth. Their inner nodes are stored level by level, from left to right.
    If a feature is above a node's threshold, the right child of the node comes next.
    """

    def __init__(self, bias: float, columns: Ints, thresholds: Floats, values: Floats) -> None:
        """Create the trees from their arrays.

        Args:
            bias: Log odds to which the values of the trees are added.
            columns: Index in `COLUMNS` of the feature that each inner node tests, int64
                [trees, 2**depth - 1].
            thresholds: Threshold of each inner node, float32 [trees, 2**depth - 1].
            values: Value of each leaf, float32 [trees, 2**depth].
        """
        self.bias, self.columns, self.thresholds, self.values = bias, columns, thresholds, values

    def __len__(self) -> int:
        """Return the number of trees."""
        return len(self.values)

    @classmethod
    def empty(cls) -> "Confidence":
        """Create an object without trees, which leaves the linker's probabilities unchanged."""
        return cls(0.0, np.zeros((0, 0), np.int64), *np.zeros((2, 0, 1), np.float32))

    def probabilities(self, rows: Floats) -> Floats:
        """Estimate the probability that each of several answers is right.

        Args:
            rows: Features of the answers, [answers, COLUMNS].

        Returns:
            A probability for each answer, float32 [answers].
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
        """Save the trees to the file `confidence.safetensors`.

        Args:
            folder: Folder of the model's weights.
        """
        arrays = {"columns": self.columns.astype(np.uint8), "bias": np.array([self.bias])}
        arrays |= {"thresholds": self.thresholds, "values": self.values}
        write_arrays(folder / NAME, arrays)

    @classmethod
    def load(cls, folder: Path) -> "Confidence":
        """Load the trees from the file `confidence.safetensors`.

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
    """Replace the probability of the best answer, and rescale those of the other answers.

    The other probabilities keep their ratios, but none exceeds that of the best answer.

    Args:
        answers: Pairs of a candidate and its probability, best first. There is at least one.
        probability: New probability of the best answer, 0..1.

    Returns:
        The same candidates in the same order, with their new probabilities.
    """
    (best, before), others = answers[0], answers[1:]
    share = min(1.0, (1 - probability) / max(1 - before, SUREST))
    rescaled = [(candidate, min(old * share, probability)) for candidate, old in others]
    return [(best, probability), *rescaled]
