"""A concept linker from an inventory and linked phrases."""

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
"""Of the squared weights in the sum over phrases: features that never differ get the weight 0."""


def train_concept_linker(
    inventory: Inventory,
    train: Sequence[ConceptMention],
    dev: Sequence[ConceptMention],
    model: AcroBERT,
    *,
    aligned: bool = True,
    dense: bool = False,
) -> ConceptRanker:
    """Learn from `train`, fit the weights of the evidence on `dev`, then remember both.

    aligned: whether the encoder is, by the inventory's names and the phrases in `train`. dense: see
    `EvidenceFinder`. Raises InputError where `dev` has no concept of the inventory.
    """
    known = LinkedNames(inventory, train)
    if aligned:
        model = align_encoder(model, *known.group_texts())
    vectors = NameVectors(model)
    whiten(vectors, *known.group_texts())
    gold = [inventory.find_all(one.concepts) for one in dev]
    if not any(gold):
        raise InputError("No development phrase has a concept of the inventory: nothing to fit.")
    evidence = EvidenceFinder(known, vectors, dense=dense).find(dev)
    alone = fit_weights(evidence, gold)
    weights = fit_weights(
        add_document_feature(dev, evidence, list(map(alone.probabilities, evidence))), gold
    )
    remembered = LinkedNames(inventory, [*train, *dev])
    return ConceptRanker(EvidenceFinder(remembered, vectors, dense=dense), weights)


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
