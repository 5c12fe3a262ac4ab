"""Fitting of the feature weights for mentions whose candidates are given."""

from collections.abc import Sequence

import numpy as np

from ...arrays import Floats
from ...linking.calibration import Calibration
from ..training.logit import fit_calibration
from .fit import FITTED, RIDGE, Labelled

OF_DOCUMENT = ("phrase", "document", "coherence")
"""Names of the features that need the document's other acronyms, which are not given."""


def fit_given(acronyms: Sequence[Labelled], weights: Floats) -> Calibration:
    """Fit the feature weights for candidates of which one is right.

    Args:
        acronyms: Labelled acronyms with the features of their candidates. Those without a right or
            without a wrong candidate aren't used.
        weights: Weight of each acronym in the fit, [acronyms].

    Returns:
        The fitted feature weights.
    """
    is_used = [0 < len(a.right) < len(a.evidence.question.candidates) for a in acronyms]
    used = [acronym for acronym, keep in zip(acronyms, is_used, strict=True) if keep]
    return fit_calibration(
        [acronym.evidence.mean_table for acronym in used],
        [acronym.right for acronym in used],
        Calibration(),
        [name for name in FITTED if name not in OF_DOCUMENT],
        weights=weights[np.array(is_used, bool)],
        closed=np.ones(len(used), bool),
        ridge=RIDGE,
    )
