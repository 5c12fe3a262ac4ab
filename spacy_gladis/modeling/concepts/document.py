"""What the phrases of a document say of each other: a concept that one means, others mean too."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from heapq import nlargest

from ...arrays import Floats
from ...concepts import ConceptMention
from .evidence import DOCUMENT, Evidence


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
