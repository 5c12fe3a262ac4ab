"""Fit boosted trees with LightGBM, and convert them to the package's own arrays."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from ...arrays import Flags, Floats
from ...errors import require
from ...linking.trees import BoostedTrees

TREES, DEPTH = 400, 6
RATE = 0.06
FEWEST = 60
"""Minimum number of rows in a leaf, and of right and of wrong rows in all."""

RIDGE = 5.0
"""L2 penalty on the values of leaves."""

SHARE = 0.7
"""Share of the rows, and of the features, that each tree is fitted on."""


def fit_trees(
    rows: Floats, right: Flags, weights: Floats, *, trees: int = TREES, seed: int = 0
) -> BoostedTrees:
    """Fit boosted trees (Friedman 2001) that separate right rows from wrong ones.

    Args:
        rows: Features, float32 [rows, columns].
        right: Whether each row is right, [rows].
        weights: Weight of each row, [rows].
        trees: Number of trees.
        seed: Seed of the subsamples.

    Returns:
        Trees of depth `DEPTH`, or none with fewer than `FEWEST` right or wrong rows.

    Raises:
        MissingExtraError: If LightGBM is not installed.
    """
    if min(right.sum(), (~right).sum()) < FEWEST:
        return BoostedTrees.empty()
    lightgbm = require("lightgbm", "train")
    settings = {
        "objective": "binary",
        "learning_rate": RATE,
        "max_depth": DEPTH,
        "num_leaves": 2**DEPTH,
        "min_data_in_leaf": FEWEST,
        "lambda_l2": RIDGE,
        "feature_fraction": SHARE,
        "bagging_fraction": SHARE,
        "bagging_freq": 1,
        "seed": seed,
        "deterministic": True,
        "force_row_wise": True,
        "verbose": -1,
    }
    data = lightgbm.Dataset(rows, right.astype(np.int8), weight=weights)
    return convert_trees(lightgbm.train(settings, data, trees))


def convert_trees(booster: Any) -> BoostedTrees:
    """Convert the trees of LightGBM.

    Args:
        booster: A `lightgbm.Booster` for a binary outcome, with trees of depth `DEPTH` at most.

    Returns:
        Full trees of depth `DEPTH`. A leaf above the last level extends to the left.
    """
    grown: list[Mapping[str, Any]]
    grown = [tree["tree_structure"] for tree in booster.dump_model()["tree_info"]]
    columns = np.zeros((len(grown), 2**DEPTH - 1), np.int64)
    thresholds = np.full(columns.shape, np.inf, np.float32)
    values = np.zeros((len(grown), 2**DEPTH), np.float32)
    for number, root in enumerate(grown):
        waiting = [(root, 0)]
        for node, position in waiting:
            if position >= columns.shape[1]:
                values[number, position - columns.shape[1]] = node["leaf_value"]
            elif "split_feature" in node:
                columns[number, position] = node["split_feature"]
                thresholds[number, position] = node["threshold"]
                waiting.append((node["left_child"], 2 * position + 1))
                waiting.append((node["right_child"], 2 * position + 2))
            else:
                waiting.append((node, 2 * position + 1))
    return BoostedTrees(0.0, columns, thresholds, values)
