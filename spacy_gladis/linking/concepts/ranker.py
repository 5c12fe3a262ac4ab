"""Rank concepts with a conditional logit model that has an alternative for "no concept"."""

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
    """Set the feature `DOCUMENT`, so that the phrases of a document help to link each other.

    The value for a concept is its highest probability for any other phrase of the document. Other
    occurrences of the same phrase don't count, because they add no information. If a mention has no
    document, its text is treated as the document.

    Args:
        mentions: The mentions to link, of any number of documents.
        evidence: For each mention, its candidate concepts and their features.
        probabilities: For each mention, the probabilities of its concepts without this feature,
            float32 [concepts].

    Returns:
        For each mention, its candidate concepts and their features, including the feature
        `DOCUMENT`.
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
    """The weights with which the features of a candidate concept add up to its logit.

    Attributes:
        weights: Weight of each feature, in the order of `FEATURES`.
        none: Logit of the alternative that a phrase names no concept of the inventory.
    """

    weights: tuple[float, ...]
    none: float

    def logits(self, evidence: Evidence) -> Floats:
        """Return the logits of a mention's candidate concepts.

        Args:
            evidence: The candidate concepts and their features.

        Returns:
            A logit for each concept, float32 [concepts].
        """
        logits: Floats = evidence.features @ np.array(self.weights, dtype=np.float32)
        return logits

    def probabilities(self, evidence: Evidence) -> Floats:
        """Return the probabilities that a mention names each of its candidate concepts.

        The probabilities of all concepts and of "no concept" sum to 1.

        Args:
            evidence: The candidate concepts and their features.

        Returns:
            A probability for each concept, float32 [concepts]. The probability of "no concept" is
            not included.
        """
        return softmax(np.append(self.logits(evidence), np.float32(self.none)))[:-1]


UNLINKED = LinkerWeights(
    (5.1187, 6.2626, 1.6371, 2.3481, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 13.5513, 0.0), 9.3701
)
"""Weights for inventories without linked phrases. They were fitted to the 2,982 distinct phrases of
the training documents in the NCBI disease corpus, against MEDIC."""


class ConceptRanker:
    """Ranks the concepts of an inventory by the probability that a mention names them."""

    def __init__(self, finder: EvidenceFinder, weights: LinkerWeights = UNLINKED) -> None:
        """Create a ranker of concepts.

        Args:
            finder: The object that finds candidate concepts and computes their features.
            weights: Weights of the features. The default weights are for inventories without linked
                phrases.
        """
        assert len(weights.weights) == len(FEATURES)
        self.finder, self.weights = finder, weights

    def rank(self, mentions: Sequence[ConceptMention], k: int) -> list[list[tuple[int, float]]]:
        """Rank the candidate concepts of each mention by the probability that it names them.

        Args:
            mentions: The mentions to link, with their texts.
            k: Maximum number of concepts to return for each mention.

        Returns:
            For each mention, pairs of a concept's number in the inventory and its probability, best
            first. The list is empty if no concept has a similar name.
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
