"""Boosted decision trees, stored as arrays and evaluated with NumPy.

A model has trees that score candidates; `reranking.py` applies them.
"""

from pathlib import Path

import numpy as np

from ..arrays import Floats, Ints
from ..errors import FormatError
from ..files import reading_tensors, write_arrays
from .calibration import FEATURES, NIL_FEATURES

NAME = "reranker.safetensors"

USED = [row for row, name in enumerate(FEATURES) if name != "folder"]
"""Columns of the candidates' features that the trees see."""

_OF_CANDIDATE = ("logit", *(FEATURES[row] for row in USED))
_OF_QUESTION = ("candidates", "length", "capitals", "small", *NIL_FEATURES[1:])

COLUMNS = (*_OF_CANDIDATE, *(f"lead_{name}" for name in _OF_CANDIDATE), *_OF_QUESTION)
"""Names of the trees' features, in the order of their columns; `reranking.compute_features`
describes them."""


class BoostedTrees:
    """Boosted trees for the log odds of a binary outcome.

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
    def empty(cls) -> "BoostedTrees":
        """Create an object without trees, for models that rank by the logit alone."""
        return cls(0.0, np.zeros((0, 0), np.int64), *np.zeros((2, 0, 1), np.float32))

    def log_odds(self, rows: Floats) -> Floats:
        """Return the log odds of each row.

        Args:
            rows: Features, float32 [rows, columns].

        Returns:
            Log odds, float32 [rows].
        """
        trees, node = np.arange(len(self)), np.zeros((len(rows), len(self)), np.int64)
        inner = self.columns.shape[1]
        for _ in range((inner + 1).bit_length() - 1):
            features = np.take_along_axis(rows, self.columns[trees, node], axis=1)
            node = 2 * node + 1 + (features > self.thresholds[trees, node])
        odds: Floats = (self.bias + self.values[trees, node - inner].sum(axis=1)).astype(np.float32)
        return odds

    def save(self, folder: Path) -> None:
        """Save the trees as `reranker.safetensors`.

        Args:
            folder: Folder of the model's weights.
        """
        arrays = {"columns": self.columns.astype(np.uint8), "bias": np.array([self.bias])}
        arrays |= {"thresholds": self.thresholds, "values": self.values}
        write_arrays(folder / NAME, arrays)

    @classmethod
    def load(cls, folder: Path) -> "BoostedTrees":
        """Load `reranker.safetensors`.

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
        with reading_tensors(path, "the file is damaged or holds no boosted trees") as file:
            names = ("bias", "columns", "thresholds", "values")
            bias, used, thresholds, values = (file.get_tensor(name) for name in names)
        shape = (len(values), values.shape[-1] - 1)
        is_consistent = used.shape == thresholds.shape == shape and bias.shape == (1,)
        if not is_consistent or used.max(initial=0) >= len(COLUMNS):
            raise FormatError(f"{path}: the file is damaged, because its tables differ in size.")
        return cls(float(bias[0]), used.astype(np.int64), thresholds, values)
