"""From one cosine to a probability: does this sense fit here, when no other is known?"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Odds:
    """The logarithm of the odds that a sense fits: `cosine * (its cosine) + bias`.

    The defaults were fitted to the packaged weights, see docs/verification.md; `train finish` fits
    those of other weights.
    """

    cosine: float = 6.7188
    bias: float = -2.9081

    def probabilities(self, cosines: Sequence[float] | NDArray[np.floating[Any]]) -> Floats:
        """Probabilities [n] of cosines [n]."""
        logits = self.cosine * np.asarray(cosines, dtype=np.float64) + self.bias
        shares: Floats = 1 / (1 + np.exp(-logits))
        return shares


def fit_odds(cosines: Sequence[float] | Floats, labels: Sequence[bool]) -> Odds:
    """The odds of highest likelihood (Platt 1999)."""
    # A little weight decay, so that data without overlap has a finite answer too.
    cosine, bias = fit_logistic(np.asarray(cosines)[:, None], labels, 1e-3).round(4).tolist()
    return Odds(cosine, bias)


def fit_logistic(
    features: NDArray[np.floating[Any]], labels: Sequence[bool], decay: float
) -> Floats:
    """Logistic regression by Newton's method.

    features: [n, features]. decay: half of it times the squared weights is added to the loss, the
    sum over the rows. Returns the weights of the features and, last, the bias.
    """
    inputs = np.column_stack([features, np.ones(len(features))]).astype(np.float64)
    truth = np.asarray(labels, dtype=np.float64)
    weights = np.zeros(inputs.shape[1])
    for _ in range(50):
        shares = 1 / (1 + np.exp(-inputs @ weights))
        slope = inputs.T @ (shares - truth) + decay * weights
        curvature = (inputs.T * (shares * (1 - shares))) @ inputs + decay * np.eye(len(weights))
        step = np.linalg.solve(curvature, slope)
        weights -= step
        if np.abs(step).max() < 1e-9:
            break
    return weights
