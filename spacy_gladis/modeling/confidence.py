"""How sure the first answer is: boosted trees over what the logit has no term for.

The logit weighs evidence alternative by alternative. Whether the dictionary has the right meaning
at all also hangs on how the acronym is spelt, on how well its best meaning is attested beside the
others, and on how long the text is, and on these together.
"""

from pathlib import Path

import numpy as np

from ..arrays import Floats, Ints
from ..dictionary import Candidate
from ..errors import FormatError
from ..files import reading_tensors, write_arrays

NAME = "confidence.safetensors"

COLUMNS = (
    *("logit", "second", "margin", "candidates", "attested", "dominance"),
    *("capitals", "small", "length", "words", "acronyms", "topic", "centroid"),
)
"""What the trees ask of: the first answer's log odds, the second's probability; how far the first
logit is ahead; log(1 + candidates); how well the answer is attested, and by how much better than
any other; whether the acronym has capitals alone, or small letters alone, how many characters;
log(1 + words) of the document, its acronyms; the answer's agreement with its topics, contexts."""

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
