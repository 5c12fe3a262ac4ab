"""From scores to probabilities: a conditional logit with an alternative for "none of these", and
boosted trees over what the logit has no term for.

The logit weighs evidence alternative by alternative. Whether the dictionary has the right meaning
at all also hangs on how the acronym is spelt, on how well its best meaning is attested beside the
others, and on how long the text is, and on these together: the trees say how sure the first answer
is.
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
    """The probabilities of alternatives [..., alternatives], of which one is right."""
    odds = np.exp(logits - logits.max(-1, keepdims=True, initial=-np.inf))
    probabilities: Floats = odds / odds.sum(-1, keepdims=True)
    return probabilities


def nil_features(candidates: int, words: int, mentions: int) -> Floats:
    """Return what speaks for "none of these", float32 [NIL_FEATURES].

    Args:
        candidates: Candidates of the acronym.
        words: Words of the document.
        mentions: Mentions of acronyms that the document does not define.
    """
    density = mentions / (words + 1)
    return np.array([1, np.log1p(candidates), np.log1p(words), density], np.float32)


@dataclass(frozen=True)
class Calibration:
    """Weights of what speaks for a candidate, and the weight of none of them being right.

    cosine: of the retriever's scaled cosine.
    centroid: of the likeness to the contexts the long form was seen in; unseen: of its having been
    seen in none; seen: of log(1 + how many those were). initials: of the acronym's being spelt by
    the long form's initials; attested: of that, or of a count; overlap: of how many of its words
    the context has, see `features.py`. neighbours: of how much the words beside the mention speak
    for it, see `neighbours.py`. texts: of log(1 + how often texts give it), which the trees alone
    ask of; sources: of log(1 + how many texts' sources give it);
    glossary: of log(1 + how many glossaries); common: of log(1 + count) in the common lists. topic:
    of its agreement with the document's topics, see `topics.py`. phrase: of how likely a phrase of
    the document is meant. folder: of how much the definitions of other documents beside this one
    say so.

    The logit of the alternative "not in the dictionary" is `nil`, plus `nil_candidates` times
    log(1 + candidates), `nil_words` times log(1 + words of the document) and `nil_density` times
    the share of mentions among these words: short and dense texts explain less by themselves.
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
        """Those of the evidence, float32 [FEATURES]."""
        return np.array([getattr(self, name) for name in FEATURES], np.float32)

    def logits(self, features: Floats) -> Floats:
        """Logits [candidates] of features [candidates, FEATURES] in the order of FEATURES."""
        return features @ self.weights

    def nil_logit(self, features: Floats) -> float:
        """Return the logit of NIL, from what `nil_features` gives."""
        weights = np.array([getattr(self, name) for name in NIL_FEATURES], np.float32)
        return float(features @ weights)

    def probabilities(self, logits: Floats, nil: float | None = None) -> Floats:
        """Probabilities [candidates]; what they lack to 1 is the probability of NIL.

        nil: the logit of NIL; None: its constant part alone.
        """
        nil = self.nil if nil is None else nil
        top = max(nil, float(logits.max(initial=nil)))
        weights = np.exp(logits - top)
        probabilities: Floats = weights / (weights.sum() + np.exp(nil - top))
        return probabilities


NIL_FEATURES = tuple(one.name for one in fields(Calibration) if one.name.startswith("nil"))
FEATURES = tuple(one.name for one in fields(Calibration) if one.name not in NIL_FEATURES)
"""Columns of the evidence, in this order."""

SIGNED = ("unseen", "seen", *NIL_FEATURES)
"""Features whose weight may be below zero; of all others more never speaks against a candidate."""


@dataclass(frozen=True)
class SenseCalibration:
    """From one cosine to a probability: does this sense fit here, when no other is known?

    The logarithm of the odds that it fits is `cosine * (its cosine) + bias`.

    `train memory` fits the two to weights, the packaged ones among them; the defaults are those of
    weights to which nothing was fitted.
    """

    __pydantic_config__ = STRICT
    cosine: float = 6.7188
    bias: float = -2.9081

    def probabilities(self, cosines: Sequence[float] | Numbers) -> Floats:
        """Probabilities [n] of cosines [n]."""
        logits = self.cosine * np.asarray(cosines, dtype=np.float64) + self.bias
        probabilities: Floats = (1 / (1 + np.exp(-logits))).astype(np.float32)
        return probabilities


NAME = "confidence.safetensors"

COLUMNS = (
    *("logit", "second", "margin", "candidates", "attested", "dominance"),
    *("capitals", "small", "length", "words", "acronyms", "topic", "centroid"),
)
"""What the trees ask of: the first answer's log odds, the second's probability; how far the first
logit is ahead; log(1 + candidates); how well the answer is attested, and by how much better than
any other; whether the acronym has capitals alone, or small letters alone, how many characters;
log(1 + words) of the document, the acronyms that it does not define; the answer's agreement with
its topics, contexts."""

SUREST = 1e-4
"""Probabilities are cut off so far from 0 and 1 before their log odds are taken."""


class Confidence:
    """Trees of one depth, whose values add up to the log odds that the first answer is right.

    bias: what they are added to. columns, thresholds: of each tree's inner nodes, level by level
    from the left [trees, 2**depth - 1]; more than the threshold goes to the right. values: of its
    leaves [trees, 2**depth].
    """

    def __init__(self, bias: float, columns: Ints, thresholds: Floats, values: Floats) -> None:
        self.bias, self.columns, self.thresholds, self.values = bias, columns, thresholds, values

    def __len__(self) -> int:
        return len(self.values)

    @classmethod
    def empty(cls) -> "Confidence":
        """No tree: probabilities are those of the logit."""
        return cls(0.0, np.zeros((0, 0), np.int64), *np.zeros((2, 0, 1), np.float32))

    def probabilities(self, rows: Floats) -> Floats:
        """That the first answers are right, float32 [answers], of rows [answers, COLUMNS]."""
        trees, node = np.arange(len(self)), np.zeros((len(rows), len(self)), np.int64)
        inner = self.columns.shape[1]
        for _ in range((inner + 1).bit_length() - 1):
            asked = np.take_along_axis(rows, self.columns[trees, node], axis=1)
            node = 2 * node + 1 + (asked > self.thresholds[trees, node])
        odds = self.bias + self.values[trees, node - inner].sum(axis=1)
        sure: Floats = (1 / (1 + np.exp(-odds))).astype(np.float32)
        return sure

    def save(self, folder: Path) -> None:
        """Write `confidence.safetensors`."""
        arrays = {"columns": self.columns.astype(np.uint8), "bias": np.array([self.bias])}
        arrays |= {"thresholds": self.thresholds, "values": self.values}
        write_arrays(folder / NAME, arrays)

    @classmethod
    def load(cls, folder: Path) -> "Confidence":
        """Read `confidence.safetensors`; no tree where there is none, FormatError if damaged."""
        path = folder / NAME
        if not path.is_file():
            return cls.empty()
        with reading_tensors(path, "no confidence, or a damaged file") as file:
            names = ("bias", "columns", "thresholds", "values")
            bias, columns, thresholds, values = (file.get_tensor(name) for name in names)
        shape = (len(values), values.shape[-1] - 1)
        whole = columns.shape == thresholds.shape == shape and bias.shape == (1,)
        if not whole or columns.max(initial=0) >= len(COLUMNS):
            raise FormatError(f"{path}: tables of another size; the file is damaged")
        return cls(float(bias[0]), columns.astype(np.int64), thresholds, values)


def reweigh(
    answers: list[tuple[Candidate, float]], probability: float
) -> list[tuple[Candidate, float]]:
    """The answers with another probability of the first one, which stays the first.

    What it gains the others lose, each by its share.
    """
    (best, before), others = answers[0], answers[1:]
    share = min(1.0, (1 - probability) / max(1 - before, SUREST))
    return [(best, probability), *((one, min(old * share, probability)) for one, old in others)]
