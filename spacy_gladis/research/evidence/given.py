"""Fitting of the feature weights for mentions whose candidates are given."""

from collections.abc import Sequence

import numpy as np

from ...arrays import Floats
from ...linking import Linker
from ...linking.calibration import Calibration
from ...linking.features import TOPIC
from ..training.logit import fit_calibration
from .fit import FITTED, RIDGE, Labelled


def fit_given(linker: Linker, acronyms: Sequence[Labelled], weights: Floats) -> Calibration:
    """Fit the feature weights for candidates of which one is right.

    As in `Linker.compute_features`, the topics are those of the words around the mention. The
    weight of the feature `phrase` isn't fitted, because it is not computed for given candidates.

    Args:
        linker: Linker with the topic classifier and the dictionary's sources.
        acronyms: Labelled acronyms with the features of their candidates. Those without a right or
            without a wrong candidate aren't used.
        weights: Weight of each acronym in the fit, [acronyms].

    Returns:
        The fitted feature weights.
    """
    is_used = np.array(
        [
            0 < len(acronym.right) < len(acronym.evidence.question.candidates)
            for acronym in acronyms
        ],
        bool,
    )
    used = [acronyms[number] for number in np.flatnonzero(is_used)]
    classifier, sources = linker.model.topics, linker.source.sources
    tables = []
    for acronym in used:
        evidence, table = acronym.evidence, acronym.evidence.mean_table.copy()
        topics = classifier.locate_candidates(evidence.question.candidates, sources)
        table[:, TOPIC] = classifier.score_agreement(topics, evidence.words)
        tables.append(table)
    return fit_calibration(
        tables,
        [acronym.right for acronym in used],
        Calibration(),
        [name for name in FITTED if name != "phrase"],
        weights=weights[is_used],
        closed=np.ones(len(used), bool),
        ridge=RIDGE,
    )
