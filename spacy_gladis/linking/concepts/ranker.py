"""Ranking of concepts by a conditional logit, with an alternative for "no concept"."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from heapq import nlargest

import numpy as np

from ...arrays import Floats
from ...concepts import ConceptMention
from ..calibration import softmax
from .evidence import DOCUMENT, FEATURES, Evidence, EvidenceFinder


def add_document_feature(
    mentions: Sequence[ConceptMention],
    evidence: Sequence[Evidence],
    probabilities: Sequence[Floats],
) -> list[Evidence]:
    """Set the feature `DOCUMENT`, by which phrases of one document inform one another.

    The feature of a concept is its highest probability for another phrase of the document. The same
    phrase at another position doesn't count, because it adds no information. The text of a mention
    without a document counts as its document.

    Args:
        mentions: The mentions.
        evidence: Evidence for each mention.
        probabilities: Probabilities of each mention's concepts without this feature, float32
            [concepts].

    Returns:
        Evidence for each mention with the feature.
    """
    by_phrase: defaultdict[str, dict[str, dict[int, float]]] = defaultdict(dict)
    for mention, item, values in zip(mentions, evidence, probabilities, strict=True):
        pairs = zip(item.concepts.tolist(), values.tolist(), strict=True)
        by_phrase[_document(mention)][mention.phrase.lower()] = dict(pairs)
    best = {document: _best_two(phrases) for document, phrases in by_phrase.items()}
    completed = []
    for mention, item in zip(mentions, evidence, strict=True):
        highest, phrase = best[_document(mention)], mention.phrase.lower()
        features = item.features.copy()
        features[:, DOCUMENT] = [
            next((value for value, other in highest.get(concept, ()) if other != phrase), 0.0)
            for concept in item.concepts.tolist()
        ]
        completed.append(Evidence(item.concepts, features))
    return completed


def _best_two(phrases: Mapping[str, Mapping[int, float]]) -> dict[int, list[tuple[float, str]]]:
    """Return the two highest probabilities of each concept, with their phrases."""
    pairs: defaultdict[int, list[tuple[float, str]]] = defaultdict(list)
    for phrase, concepts in phrases.items():
        for concept, value in concepts.items():
            pairs[concept].append((value, phrase))
    return {concept: nlargest(2, of_concept) for concept, of_concept in pairs.items()}


def _document(mention: ConceptMention) -> str:
    return mention.document or mention.text or mention.phrase.lower()


@dataclass(frozen=True)
class LinkerWeights:
    """Weights of the features of concepts.

    Attributes:
        weights: Weight of each feature, in the order of `FEATURES`.
        none: Logit of the alternative "no concept".
    """

    weights: tuple[float, ...]
    none: float

    def logits(self, evidence: Evidence) -> Floats:
        """Return the logits of the concepts.

        Args:
            evidence: Evidence for the concepts.

        Returns:
            Logits, float32 [concepts].
        """
        logits: Floats = evidence.features @ np.array(self.weights, dtype=np.float32)
        return logits

    def probabilities(self, evidence: Evidence) -> Floats:
        """Return the probabilities of the concepts. They sum to 1 together with "no concept".

        Args:
            evidence: Evidence for the concepts.

        Returns:
            Probabilities, float32 [concepts].
        """
        return softmax(np.append(self.logits(evidence), np.float32(self.none)))[:-1]


UNLINKED = LinkerWeights(
    (5.1187, 6.2626, 1.6371, 2.3481, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 13.5513, 0.0), 9.3701
)
"""Weights for inventories without linked phrases. They were fitted to the 2,982 distinct phrases of
the training documents in the NCBI disease corpus, against MEDIC."""


class ConceptRanker:
    """Ranks the concepts of an inventory for mentions."""

    def __init__(self, finder: EvidenceFinder, weights: LinkerWeights = UNLINKED) -> None:
        """Create a ranker.

        Args:
            finder: The finder of candidate concepts.
            weights: Weights of their features.
        """
        assert len(weights.weights) == len(FEATURES)
        self.finder, self.weights = finder, weights

    def rank(self, mentions: Sequence[ConceptMention], k: int) -> list[list[tuple[int, float]]]:
        """Rank concepts for mentions.

        Args:
            mentions: The mentions.
            k: Maximum number of concepts for each mention.

        Returns:
            For each mention the numbers of its concepts with their probabilities, best first.
        """
        evidence = self.finder.find(mentions)
        if self.weights.weights[DOCUMENT]:
            probabilities = list(map(self.weights.probabilities, evidence))
            evidence = add_document_feature(mentions, evidence, probabilities)
        ranked = []
        for item in evidence:
            values = self.weights.probabilities(item)
            best = np.argsort(-values, kind="stable")[:k]
            ranked.append([(int(item.concepts[row]), float(values[row])) for row in best])
        return ranked
