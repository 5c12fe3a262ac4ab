"""Calibration: converts the features of an acronym's candidates to probabilities.

A conditional logit model weighs the features of each candidate. Its last alternative is NIL, which
stands for "none of the candidates". The probabilities of this model select the candidates that are
encoded, and estimate the topics of a document.

The final scores come from a small neural network, if the model has one. A weighted sum cannot
express that a feature matters more for some acronyms than for others. For example, attestation in
many sources says more about an acronym with two candidates than about one with a hundred. The
network sees the features of a candidate, their distance to the best value among the acronym's
candidates, and features of the question. It is trained with a softmax over the candidates and NIL,
so its scores are logits of calibrated probabilities.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..arrays import Floats, Numbers
from ..dictionary import Candidate
from ..encoder.encoder import STRICT
from ..files import reading_tensors, write_arrays
from .candidates import Question


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


@dataclass(frozen=True)
class Calibration:
    """The weights with which the features of a candidate, or of NIL, add up to its logit.

    NIL is the answer that none of an acronym's candidates is right. Each attribute is the weight of
    the feature that is described next to it. The attributes that begin with ``nil`` weigh the
    features of NIL (see `candidates.compute_nil_features`), and all others the features of
    candidates.

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
            `neighbours.count_overlap`).
        neighbours: Sum of the log ratios of the words next to the mention (see `neighbours.py`).
        texts: log(1 + the long form's count in text sources).
        sources: log(1 + the number of text sources that list the long form).
        glossary: log(1 + the number of glossaries and concept inventories that list the long form).
        common: log(1 + the long form's count in lists of common acronyms).
        gloss: log(1 + the number of the gloss's words that also occur near the mention; see
            `neighbours.count_gloss_words`).
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


LINEAR_ONLY = ("phrase", "folder")
"""Names of the features that only add to the logits. They are too rare in training texts to fit
anything else."""

SELECTED = np.flatnonzero(~np.isin(FEATURES, LINEAR_ONLY))
"""Columns of a feature table from which the hidden layers compute."""

LONGEST = 6
"""Maximum length of an acronym that the network distinguishes, in characters."""

MOST_WORDS = float(np.log1p(100))
"""Maximum of a document's logarithmic number of words that the network distinguishes. Most training
texts are short, and without the limit, the network would extrapolate for long documents."""

DENSITY = 10.0
"""Factor that brings the number of mentions per word to the range of the other features."""

FARTHEST = 4.0
"""Maximum distance of an input of the hidden layers from its mean, in standard deviations."""

QUESTION_FEATURES = 8
"""Number of features of a question; see `describe_question`."""

INPUTS = 2 * len(SELECTED) + QUESTION_FEATURES
"""Number of inputs for each candidate."""

_SHAPES: Mapping[str, tuple[str | int, ...]] = {
    "linear": (len(FEATURES),),
    "nil_linear": (len(NIL_FEATURES),),
    "mean": (INPUTS,),
    "deviation": (INPUTS,),
    "weights_1": (INPUTS, "hidden"),
    "bias_1": ("hidden",),
    "weights_2": ("hidden", "hidden"),
    "bias_2": ("hidden",),
    "weights_3": ("hidden",),
    "bias_3": (1,),
    "nil_weights_1": (QUESTION_FEATURES, "nil_hidden"),
    "nil_bias_1": ("nil_hidden",),
    "nil_weights_2": ("nil_hidden",),
    "nil_bias_2": (1,),
}
"""Shapes of the arrays of a network. Sizes with the same name must be equal."""


def describe_question(question: Question) -> Floats:
    """Return the features that the network sees of a question, float32 [QUESTION_FEATURES].

    They are the logarithm of the number of candidates, the length of the acronym, whether it is
    written in capitals, in small letters, with a slash or full stop, and with a digit, the
    logarithm of the number of words in the document, and the number of acronym mentions per word.

    Args:
        question: The acronym with its candidates.
    """
    acronym = question.acronym
    nil = dict(zip(NIL_FEATURES, question.nil.tolist(), strict=True))
    features = (
        *(nil["nil_candidates"], min(len(acronym), LONGEST)),
        *(acronym.isupper(), acronym.islower(), "/" in acronym or "." in acronym),
        any(map(str.isdigit, acronym)),
        *(min(nil["nil_words"], MOST_WORDS), DENSITY * nil["nil_density"]),
    )
    return np.array(features, np.float32)


def make_inputs(table: Floats, question: Floats) -> Floats:
    """Return the inputs of the hidden layers for each candidate, float32 [candidates, INPUTS].

    Args:
        table: Features of the candidates, [candidates, FEATURES]. There is at least one candidate.
        question: Features of the question, as returned by `describe_question`.
    """
    features = table[:, SELECTED]
    distances = features - features.max(axis=0)
    return np.concatenate([features, distances, np.tile(question, (len(table), 1))], axis=1)


def standardise(values: Floats, mean: Floats, deviation: Floats) -> Floats:
    """Standardise inputs of the hidden layers, and limit them to `FARTHEST` deviations.

    Without the limit, the layers would extrapolate for candidates that differ from all candidates
    of the training texts.

    Args:
        values: Inputs, [..., inputs].
        mean: Mean of each input in the training texts, [inputs].
        deviation: Standard deviation of each input in the training texts, [inputs].

    Returns:
        The standardised inputs, in the shape of `values`.
    """
    standardised: Floats = np.clip((values - mean) / deviation, -FARTHEST, FARTHEST)
    return standardised


class ScoringNetwork:
    """Scores the candidates of an acronym and NIL with a network of two hidden layers.

    Attributes:
        arrays: Arrays of the network, float32, by their names in the file (see `_SHAPES`). Empty
            for a model without a network.
    """

    FILE = "scoring.safetensors"

    def __init__(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        """Create a network from its arrays.

        Args:
            arrays: Arrays of the network by name, or an empty mapping.

        Raises:
            ValueError: If an array is missing or has another shape.
        """
        self.arrays: dict[str, Floats] = {
            name: array.astype(np.float32) for name, array in arrays.items()
        }
        if self.arrays:
            _check_shapes(self.arrays)

    @classmethod
    def empty(cls) -> "ScoringNetwork":
        """Return an object without a network, for models that only weigh the features."""
        return cls({})

    def __len__(self) -> int:
        """Return the number of units in a hidden layer, or 0 without a network."""
        return len(self.arrays["bias_1"]) if self.arrays else 0

    def score(self, table: Floats, question: Question) -> Floats:
        """Compute the logits of an acronym's candidates.

        Args:
            table: Features of the candidates, [candidates, FEATURES].
            question: The acronym with its candidates.

        Returns:
            A logit for each candidate, float32 [candidates].
        """
        arrays = self.arrays
        logits: Floats = table @ arrays["linear"]
        if not len(table):
            return logits
        inputs = make_inputs(table, describe_question(question))
        hidden = standardise(inputs, arrays["mean"], arrays["deviation"])
        hidden = np.maximum(hidden @ arrays["weights_1"] + arrays["bias_1"], 0)
        hidden = np.maximum(hidden @ arrays["weights_2"] + arrays["bias_2"], 0)
        logits = logits + hidden @ arrays["weights_3"] + arrays["bias_3"]
        return logits.astype(np.float32)

    def score_nil(self, question: Question) -> float:
        """Compute the logit of NIL, the answer that no candidate is right.

        Args:
            question: The acronym with its candidates.
        """
        arrays = self.arrays
        of_question = slice(-QUESTION_FEATURES, None)
        mean, deviation = arrays["mean"][of_question], arrays["deviation"][of_question]
        hidden = standardise(describe_question(question), mean, deviation)
        hidden = np.maximum(hidden @ arrays["nil_weights_1"] + arrays["nil_bias_1"], 0)
        nil = hidden @ arrays["nil_weights_2"] + arrays["nil_bias_2"]
        return float(question.nil @ arrays["nil_linear"] + nil[0])

    def save(self, folder: Path) -> None:
        """Save the network to the file `scoring.safetensors`.

        Args:
            folder: Existing folder that contains the model's weights.
        """
        write_arrays(folder / self.FILE, self.arrays)

    @classmethod
    def load(cls, folder: Path) -> "ScoringNetwork":
        """Load the network from the file `scoring.safetensors`.

        Args:
            folder: Folder that contains the model's weights.

        Returns:
            The network, or an empty object if the folder doesn't contain the file.

        Raises:
            FormatError: If the file is damaged, or if its arrays don't fit together.
        """
        path = folder / cls.FILE
        if not path.is_file():
            return cls.empty()
        with reading_tensors(path, "the file is damaged or has no scoring network") as file:
            return cls({name: file.get_tensor(name) for name in _SHAPES})


def _check_shapes(arrays: Mapping[str, Floats]) -> None:
    sizes: dict[str | int, int] = {}
    for name, shape in _SHAPES.items():
        array = arrays.get(name)
        expected = [sizes.get(size, size) for size in shape]
        if array is None or len(array.shape) != len(shape):
            raise ValueError(f"the network has no array '{name}' with {len(shape)} axes")
        for name_of_size, expected_size, size in zip(shape, expected, array.shape, strict=True):
            if isinstance(expected_size, str):
                sizes[name_of_size] = size
            elif expected_size != size:
                raise ValueError(f"the array '{name}' of the network has the shape {array.shape}")
