"""From evidence to probabilities: a conditional logit over a phrase's concepts and "none"."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ...arrays import Floats
from ...concepts import ConceptMention
from ..calibration import softmax
from .document import with_document
from .evidence import DOCUMENT, FEATURES, Evidence, EvidenceFinder


@dataclass(frozen=True)
class LinkerWeights:
    """weights: one a feature, in the order of FEATURES. none: the logit of "none of these"."""

    weights: tuple[float, ...]
    none: float

    def logits(self, evidence: Evidence) -> Floats:
        """The concepts' logits, float32 [concepts]."""
        logits: Floats = evidence.features @ np.array(self.weights, dtype=np.float32)
        return logits

    def probabilities(self, evidence: Evidence) -> Floats:
        """The concepts' probabilities; what they lack to 1 is that of "none of these"."""
        return softmax(np.append(self.logits(evidence), np.float32(self.none)))[:-1]


UNLINKED = LinkerWeights(
    (5.1187, 6.2626, 1.6371, 2.3481, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 13.5513, 0.0), 9.3701
)
"""Fitted on the 2,982 phrases of the NCBI disease corpus' training documents, each once a document,
against MEDIC, none of them remembered."""


class ConceptRanker:
    """Ranks an inventory's concepts for phrases in their texts."""

    def __init__(self, finder: EvidenceFinder, weights: LinkerWeights = UNLINKED) -> None:
        assert len(weights.weights) == len(FEATURES)
        self.finder, self.weights = finder, weights

    def rank(self, mentions: Sequence[ConceptMention], k: int) -> list[list[tuple[int, float]]]:
        """The `k` best concepts of each mention by number, with their probabilities, best first."""
        found = self.finder.find(mentions)
        if self.weights.weights[DOCUMENT]:
            found = with_document(mentions, found, list(map(self.weights.probabilities, found)))
        ranked = []
        for evidence in found:
            probabilities = self.weights.probabilities(evidence)
            best = np.argsort(-probabilities, kind="stable")[:k]
            ranked.append([(int(evidence.concepts[at]), float(probabilities[at])) for at in best])
        return ranked
