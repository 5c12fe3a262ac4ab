"""The weights of a concept linker's evidence, fitted on linked phrases."""

from collections.abc import Sequence

import numpy as np

from ...errors import InputError
from ...modeling.concepts.evidence import FEATURES, Evidence
from ...modeling.concepts.ranker import LinkerWeights
from .logit import fit_logit, with_none

PENALTY = 0.01
"""Of the squared weights in the sum over phrases: features that never differ get the weight 0."""


def fit_weights(evidence: Sequence[Evidence], gold: Sequence[set[int]]) -> LinkerWeights:
    """The weights under which the right concepts are most probable.

    gold: the right concepts of each phrase, by number; where none of them is shortlisted, the right
    answer is "none of these". Of several right ones, their probabilities add up. Raises InputError
    without a phrase whose concept is shortlisted.
    """
    right = [
        np.flatnonzero(np.isin(one.concepts, sorted(wanted))).tolist()
        for one, wanted in zip(evidence, gold, strict=True)
    ]
    if not any(right):
        raise InputError("No phrase has its concept among the shortlisted: nothing to fit.")
    # All features are evidence for a concept: a negative weight would be chance.
    found = fit_logit(
        [with_none(one.features.astype(np.float64), np.ones(1)) for one in evidence],
        [rows or [len(one.concepts)] for rows, one in zip(right, evidence, strict=True)],
        signed=[*[False] * len(FEATURES), True],
        penalty=PENALTY / len(evidence),
    )
    *weights, none = found.round(4).tolist()
    return LinkerWeights(tuple(weights), none)
