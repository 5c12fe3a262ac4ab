"""Training of a concept linker from an inventory and phrases that are linked to its concepts."""

from collections.abc import Sequence

import numpy as np

from ...concepts import ConceptMention, Inventory
from ...errors import InputError
from ...linking.acrobert import AcroBERT
from ...linking.concepts.evidence import (
    FEATURES,
    Evidence,
    EvidenceFinder,
    LinkedNames,
    NameVectors,
)
from ...linking.concepts.ranker import ConceptRanker, LinkerWeights, add_document_feature
from .alignment import align_encoder, whiten
from .logit import fit_logit, with_none

PENALTY = 0.01
"""Factor of the squared weights, which are added to the loss summed over all phrases. The penalty
gives features that are constant the weight 0."""


def train_concept_linker(
    inventory: Inventory,
    train: Sequence[ConceptMention],
    dev: Sequence[ConceptMention],
    model: AcroBERT,
    *,
    aligned: bool = True,
    dense: bool = False,
) -> ConceptRanker:
    """Train a concept linker on linked phrases, and return its ranker.

    The encoder is aligned on the phrases of `train`, and the feature weights are fitted on `dev`.
    The finished linker remembers the linked phrases of both sets.

    Args:
        inventory: Inventory of the concepts and their names.
        train: Linked phrases on which the encoder is aligned.
        dev: Linked phrases on which the feature weights are fitted.
        model: Model whose encoder computes the vectors of names and phrases.
        aligned: Whether to align the encoder on the inventory's names and the phrases of `train`.
            False to use the encoder as it is.
        dense: Whether candidate concepts are also found by the vectors of their names, in addition
            to trigrams; see `EvidenceFinder`.

    Returns:
        The trained ranker.

    Raises:
        InputError: If no phrase of `dev` is linked to a concept of the inventory, or no such
            concept is among the candidates of its phrase.
    """
    names = LinkedNames(inventory, train)
    if aligned:
        model = align_encoder(model, *names.group_texts())
    vectors = NameVectors(model)
    whiten(vectors, *names.group_texts())
    gold = [inventory.find_all(phrase.concepts) for phrase in dev]
    if not any(gold):
        raise InputError(
            "No development phrase is linked to a concept of the inventory, so nothing can be "
            "fitted. Check that the phrases and the inventory have ids of the same vocabulary."
        )
    evidence = EvidenceFinder(names, vectors, dense=dense).find(dev)
    alone = fit_weights(evidence, gold)
    weights = fit_weights(
        add_document_feature(dev, evidence, list(map(alone.probabilities, evidence))), gold
    )
    remembered = LinkedNames(inventory, [*train, *dev])
    return ConceptRanker(EvidenceFinder(remembered, vectors, dense=dense), weights)


def fit_weights(evidence: Sequence[Evidence], gold: Sequence[set[int]]) -> LinkerWeights:
    """Fit the feature weights that maximise the probability of the right concepts.

    If none of the right concepts is among a phrase's candidates, its right answer is "none of
    these".

    Args:
        evidence: Candidate concepts of each phrase, with their features.
        gold: Numbers of the right concepts of each phrase. If there are several, their
            probabilities are added.

    Returns:
        The fitted weights.

    Raises:
        InputError: If no phrase has a right concept among its candidates.
    """
    right = [
        np.flatnonzero(np.isin(shortlist.concepts, sorted(concepts))).tolist()
        for shortlist, concepts in zip(evidence, gold, strict=True)
    ]
    if not any(right):
        raise InputError(
            "No phrase has its concept among its candidates, so nothing can be fitted. Give more "
            "linked phrases."
        )
    # All features speak for a concept, so a negative weight could only be noise.
    fitted = fit_logit(
        [with_none(shortlist.features.astype(np.float64), np.ones(1)) for shortlist in evidence],
        [
            rows or [len(shortlist.concepts)]
            for rows, shortlist in zip(right, evidence, strict=True)
        ],
        signed=[*[False] * len(FEATURES), True],
        penalty=PENALTY / len(evidence),
    )
    *weights, none = fitted.round(4).tolist()
    return LinkerWeights(tuple(weights), none)
