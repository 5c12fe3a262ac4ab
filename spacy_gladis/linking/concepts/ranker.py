"""From evidence to probabilities: a conditional logit over a phrase's concepts and "none"."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from heapq import nlargest

import numpy as np

from ...arrays import Floats
from ...concepts import ConceptMention
from ..calibration import softmax
from .evidence import DOCUMENT, FEATURES, Evidence, EvidenceFinder


def with_document(
    mentions: Sequence[ConceptMention],
    evidence: Sequence[Evidence],
    probabilities: Sequence[Floats],
) -> list[Evidence]:
    """The evidence with its feature "document" set.

    probabilities: the probabilities of each mention's concepts when it is looked at alone, float32
    [concepts]. The feature is a concept's highest one among the document's other phrases; the same
    phrase elsewhere would only repeat itself. Mentions without a document have their text for one.
    """
    meant: defaultdict[str, dict[str, dict[int, float]]] = defaultdict(dict)
    for mention, one, several in zip(mentions, evidence, probabilities, strict=True):
        pairs = zip(one.concepts.tolist(), several.tolist(), strict=True)
        meant[_document(mention)][mention.phrase.lower()] = dict(pairs)
    best = {document: _best_two(phrases) for document, phrases in meant.items()}
    changed = []
    for mention, one in zip(mentions, evidence, strict=True):
        highest, own = best[_document(mention)], mention.phrase.lower()
        features = one.features.copy()
        features[:, DOCUMENT] = [
            next((value for value, phrase in highest.get(concept, ()) if phrase != own), 0.0)
            for concept in one.concepts.tolist()
        ]
        changed.append(Evidence(one.concepts, features))
    return changed


def _best_two(phrases: Mapping[str, Mapping[int, float]]) -> dict[int, list[tuple[float, str]]]:
    """Each concept's two highest probabilities, with their phrases."""
    found: defaultdict[int, list[tuple[float, str]]] = defaultdict(list)
    for phrase, concepts in phrases.items():
        for concept, value in concepts.items():
            found[concept].append((value, phrase))
    return {concept: nlargest(2, several) for concept, several in found.items()}


def _document(mention: ConceptMention) -> str:
    return mention.document or mention.text or mention.phrase.lower()


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
