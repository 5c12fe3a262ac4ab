"""Fit how sure first answers are, `modeling/confidence.py`: gradient boosting (Friedman 2001)."""

import numpy as np

from ...arrays import Flags, Floats
from ...errors import require
from ...modeling.confidence import Confidence

TREES, DEPTH = 120, 3
RATE = 0.06
LEAST = 30
"""First answers in a leaf, at least."""

SAMPLE = 0.5
"""What part of the answers each tree is fitted on."""


def fit_confidence(rows: Floats, right: Flags, weights: Floats, seed: int = 0) -> Confidence:
    """Trees of DEPTH that tell right first answers from wrong ones.

    rows: what `confidence_row` gives of each answer [answers, COLUMNS]. right: whether it is right
    [answers]. weights: how much it counts [answers]. No trees where fewer than LEAST are right, or
    wrong: there is too little to learn from.
    """
    if min(right.sum(), (~right).sum()) < LEAST:
        return Confidence.empty()
    ensemble = require("sklearn.ensemble", "train", "scikit-learn")
    boosted = ensemble.GradientBoostingClassifier(
        n_estimators=TREES,
        learning_rate=RATE,
        max_depth=DEPTH,
        min_samples_leaf=LEAST,
        subsample=SAMPLE,
        random_state=seed,
    ).fit(rows, right, sample_weight=weights / weights.mean())
    columns = np.zeros((TREES, 2**DEPTH - 1), np.int64)
    thresholds = np.full(columns.shape, np.inf, np.float32)
    values = np.zeros((TREES, 2**DEPTH), np.float32)
    for number, (grown,) in enumerate(boosted.estimators_):
        # (node of the grown tree, place in the whole one); below a leaf all goes to the left.
        waiting = [(0, 0)]
        for node, place in waiting:
            inner = grown.tree_.children_left[node] >= 0
            if place >= columns.shape[1]:
                values[number, place - columns.shape[1]] = RATE * grown.tree_.value[node].item()
            elif inner:
                columns[number, place] = grown.tree_.feature[node]
                thresholds[number, place] = grown.tree_.threshold[node]
                left, right_child = grown.tree_.children_left, grown.tree_.children_right
                waiting += [(left[node], 2 * place + 1), (right_child[node], 2 * place + 2)]
            else:
                waiting.append((node, 2 * place + 1))
    share = np.average(right, weights=weights)
    return Confidence(float(np.log(share / (1 - share))), columns, thresholds, values)
