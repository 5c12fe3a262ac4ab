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
            `features.count_overlap`).
        neighbours: Sum of the log ratios of the words next to the mention (see `neighbours.py`).
        texts: log(1 + the long form's count in text sources). Only the boosted trees use this
            feature.
        sources: log(1 + the number of text sources that list the long form).
        glossary: log(1 + the number of glossaries and concept inventories that list the long form).
        common: log(1 + the long form's count in lists of common acronyms).
        topic: Log agreement of the candidate with the document's topics (see `topics.py`).
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
    topic: float = 0.0
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
        weights = np.array([getattr(self, name) for name in NIL_FEATURES], np.float32)
        return float(features @ weights)

    def probabilities(self, logits: Floats, nil: float | None = None) -> Floats:
        """Convert the logits of an acronym's candidates to probabilities.

        The probabilities of all candidates and of NIL, the answer that no candidate is right, sum
        to 1.

        Args:
            logits: Logits of the candidates, [candidates].
            nil: Logit of NIL. None uses its constant part, the weight `nil`.

        Returns:
            A probability for each candidate, [candidates]. The probability of NIL is not included.
        """
        nil = self.nil if nil is None else nil
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

SIGNED = ("unseen", "seen", *NIL_FEATURES)
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


NAME = "confidence.safetensors"

COLUMNS = (
    *("logit", "second", "margin", "candidates", "attested", "dominance"),
    *("capitals", "small", "length", "words", "acronyms", "topic", "centroid"),
)
"""Names of the features of the boosted trees, in the order of their columns. See
`ranking.compute_confidence_features` for their meaning."""

SUREST = 1e-4
"""Limit for extreme probabilities. Before log odds are computed, probabilities are clipped to the
range from SUREST to 1 - SUREST."""


class Confidence:
    """Boosted decision trees that estimate the probability that the linker's best answer is right.

    All trees have the same depth. Their inner nodes are stored level by level, from left to right.
    Evaluation goes to the right child of a node if the node's feature is above its threshold, and
    to the left child otherwise.
    """

    def __init__(self, bias: float, columns: Ints, thresholds: Floats, values: Floats) -> None:
        """Create boosted decision trees from the arrays in which they are stored.

        Args:
            bias: Log odds to which the values of the reached leaves are added.
            columns: Index in `COLUMNS` of the feature that each inner node tests, int64 [trees,
                2**depth - 1].
            thresholds: Threshold of each inner node, float32 [trees, 2**depth - 1].
            values: Value of each leaf, in log odds, float32 [trees, 2**depth].
        """
        self.bias, self.columns, self.thresholds, self.values = bias, columns, thresholds, values

    def __len__(self) -> int:
        """Return the number of decision trees."""
        return len(self.values)

    @classmethod
    def empty(cls) -> "Confidence":
        """Create an object without trees, for models that don't correct their probabilities.

        With such an object, the linker keeps the probabilities that follow from the logits.
        """
        return cls(0.0, np.zeros((0, 0), np.int64), *np.zeros((2, 0, 1), np.float32))

    def probabilities(self, rows: Floats) -> Floats:
        """Estimate the probability that each of several answers of the linker is right.

        Args:
            rows: Features of each answer, [answers, COLUMNS], as returned by
                `ranking.compute_confidence_features`.

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
        """Save the decision trees to the file `confidence.safetensors`.

        Args:
            folder: Existing folder that contains the model's weights.
        """
        arrays = {"columns": self.columns.astype(np.uint8), "bias": np.array([self.bias])}
        arrays |= {"thresholds": self.thresholds, "values": self.values}
        write_arrays(folder / NAME, arrays)

    @classmethod
    def load(cls, folder: Path) -> "Confidence":
        """Load the decision trees from the file `confidence.safetensors`.

        Args:
            folder: Folder that contains the model's weights.

        Returns:
            The decision trees, or an object without trees if the folder doesn't contain the file.

        Raises:
            FormatError: If the file is damaged, or if its arrays don't fit together.
        """
        path = folder / NAME
        if not path.is_file():
            return cls.empty()
        with reading_tensors(path, "the file is damaged or has no decision trees") as file:
            names = ("bias", "columns", "thresholds", "values")
            bias, columns, thresholds, values = (file.get_tensor(name) for name in names)
        shape = (len(values), values.shape[-1] - 1)
        is_consistent = columns.shape == thresholds.shape == shape and bias.shape == (1,)
        if not is_consistent or columns.max(initial=0) >= len(COLUMNS):
            raise FormatError(
                f"{path}: the file is damaged, because its arrays differ in size. Download or copy "
                "the weights again."
            )
        return cls(float(bias[0]), columns.astype(np.int64), thresholds, values)


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
