"""Train a concept linker from an inventory and linked phrases."""

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
"""Factor of the squared weights that is added to the loss summed over all phrases. It gives
constant features the weight 0."""


def train_concept_linker(
    inventory: Inventory,
    train: Sequence[ConceptMention],
    dev: Sequence[ConceptMention],
    model: AcroBERT,
    *,
    aligned: bool = True,
    dense: bool = False,
) -> ConceptRanker:
    """Train a concept linker and return its ranker.

    The encoder learns from `train`, and the evidence weights are fitted on `dev`. Afterwards, the
    linker stores the linked phrases of both.

    Args:
        inventory: The concepts.
        train: Linked phrases to train on.
        dev: Linked phrases on which the evidence weights are fitted.
        model: Encoder of the names.
        aligned: Whether to align the encoder on the inventory's names and the phrases of `train`.
        dense: Setting of the same name of `EvidenceFinder`.

    Returns:
        The trained ranker.

    Raises:
        InputError: If no phrase of `dev` is linked to a concept of the inventory.
    """
    names = LinkedNames(inventory, train)
    if aligned:
        model = align_encoder(model, *names.group_texts())
    vectors = NameVectors(model)
    whiten(vectors, *names.group_texts())
    gold = [inventory.find_all(phrase.concepts) for phrase in dev]
    if not any(gold):
        raise InputError(
            "No development phrase has a concept of the inventory, so nothing can be fitted."
        )
    evidence = EvidenceFinder(names, vectors, dense=dense).find(dev)
    alone = fit_weights(evidence, gold)
    weights = fit_weights(
        add_document_feature(dev, evidence, list(map(alone.probabilities, evidence))), gold
    )
    remembered = LinkedNames(inventory, [*train, *dev])
    return ConceptRanker(EvidenceFinder(remembered, vectors, dense=dense), weights)


def fit_weights(evidence: Sequence[Evidence], gold: Sequence[set[int]]) -> LinkerWeights:
    """Fit the evidence weights that maximise the probability of the right concepts.

    Args:
        evidence: Evidence for the shortlist of each phrase.
        gold: Numbers of the right concepts of each phrase, whose probabilities are added. If none
            of them is on the shortlist, the right answer is "none of these".

    Returns:
        The fitted weights.

    Raises:
        InputError: If no phrase has a right concept on its shortlist.
    """
    right = [
        np.flatnonzero(np.isin(shortlist.concepts, sorted(concepts))).tolist()
        for shortlist, concepts in zip(evidence, gold, strict=True)
    ]
    if not any(right):
        raise InputError("No phrase has its concept on the shortlist, so nothing can be fitted.")
    # All features are evidence for a concept, so a negative weight could only be noise.
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
