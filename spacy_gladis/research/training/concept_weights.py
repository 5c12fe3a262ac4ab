"""The weights of a concept linker's evidence, fitted on linked phrases."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ...errors import InputError
from ...modeling.concepts.evidence import FEATURES, Evidence
from ...modeling.concepts.ranker import LinkerWeights

PENALTY = 0.01
"""Of the squared weights: features that never differ get the weight 0."""


def fit_weights(evidence: Sequence[Evidence], gold: Sequence[set[int]]) -> LinkerWeights:
    """The weights under which the right concepts are most probable.

    gold: the right concepts of each phrase, by number; where none of them is shortlisted, the right
    answer is "none of these". Of several right ones, their probabilities add up. Raises InputError
    without a phrase whose concept is shortlisted.
    """
    from scipy.optimize import minimize

    parts = [
        (one.features.astype(np.float64), np.isin(one.concepts, sorted(right)))
        for one, right in zip(evidence, gold, strict=True)
    ]
    if not any(right.any() for _, right in parts):
        raise InputError("No phrase has its concept among the shortlisted: nothing to fit.")

    def loss(values: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        gradient = 2 * PENALTY * values
        total = PENALTY * float(values @ values)
        for features, right in parts:
            logits = np.append(features @ values[:-1], values[-1])
            probabilities = np.exp(logits - logits.max())
            probabilities /= probabilities.sum()
            wanted = np.append(right, not right.any())
            mass = probabilities[wanted].sum() + 1e-12
            total -= np.log(mass)
            change = probabilities - np.where(wanted, probabilities / mass, 0.0)
            gradient[:-1] += change[:-1] @ features
            gradient[-1] += change[-1]
        return total, gradient

    # All features are evidence for a concept: a negative weight would be chance.
    bounds = [(0.0, None)] * len(FEATURES) + [(None, None)]
    found = minimize(loss, np.zeros(len(FEATURES) + 1), jac=True, method="L-BFGS-B", bounds=bounds)
    *weights, none = (round(float(value), 4) for value in found.x)
    return LinkerWeights(tuple(weights), none)
