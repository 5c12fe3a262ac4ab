"""Logistic regression whose bias is a weight as any other, and decays with them."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...errors import require
from ...modeling.odds import Floats

TOLERANCE = 1e-9
"""Of the gradient: more digits than are ever kept."""


def fit_logistic(
    features: NDArray[np.floating[Any]], labels: Sequence[bool], decay: float
) -> Floats:
    """The weights of the features and, last, the bias.

    features: [n, features]. labels: [n], both values among them. decay: half of it times the
    squared weights is added to the loss, the sum over the rows.
    """
    linear_model = require("sklearn.linear_model", "train", "scikit-learn")
    inputs = np.column_stack([features, np.ones(len(features))]).astype(np.float64)
    regression = linear_model.LogisticRegression(
        C=1 / decay, fit_intercept=False, solver="newton-cholesky", tol=TOLERANCE
    )
    weights: Floats = regression.fit(inputs, list(labels)).coef_[0]
    return weights
