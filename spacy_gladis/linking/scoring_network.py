"""A small neural network that scores the candidates of an acronym, and NIL.

A weighted sum of features cannot express that a feature matters more for some acronyms than for
others. For example, attestation in many sources says more about an acronym with two candidates than
about one with a hundred. The network sees the features of a candidate, their distance to the best
value among the acronym's candidates, and features of the question. It is trained with a softmax
over the candidates and NIL, so its scores are logits of calibrated probabilities.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..arrays import Floats
from ..files import reading_tensors, write_arrays
from .calibration import FEATURES, NIL_FEATURES
from .candidates import Question

LINEAR_ONLY = ("phrase", "folder")
"""Names of the features that only add to the logits. They are too rare in training texts to fit
anything else."""

SELECTED = np.flatnonzero(~np.isin(FEATURES, LINEAR_ONLY))
"""Columns of a feature table from which the hidden layers compute."""

LONGEST = 6
"""Maximum length of an acronym that the network distinguishes, in characters."""

DENSITY = 10.0
"""Factor that brings the number of mentions per word to the range of the other features."""

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
        *(any(map(str.isdigit, acronym)), nil["nil_words"], DENSITY * nil["nil_density"]),
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
        hidden = (inputs - arrays["mean"]) / arrays["deviation"]
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
        first = -QUESTION_FEATURES
        hidden = (describe_question(question) - arrays["mean"][first:]) / arrays["deviation"][
            first:
        ]
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
