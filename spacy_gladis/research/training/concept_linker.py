"""A concept linker from an inventory and linked phrases."""

from collections.abc import Sequence

from ...concepts import Inventory
from ...concepts.mention import ConceptMention
from ...errors import InputError
from ...modeling.acrobert import AcroBERT
from ...modeling.concepts.document import with_document
from ...modeling.concepts.evidence import EvidenceFinder
from ...modeling.concepts.memory import LinkedNames
from ...modeling.concepts.ranker import ConceptRanker
from ...modeling.concepts.vectors import NameVectors
from .concept_weights import fit_weights
from .self_alignment import AlignmentSettings, align_encoder


def train_concept_linker(
    inventory: Inventory,
    train: Sequence[ConceptMention],
    dev: Sequence[ConceptMention],
    model: AcroBERT,
    *,
    alignment: AlignmentSettings | None = AlignmentSettings(),  # noqa: B008
    dense: bool = False,
) -> ConceptRanker:
    """Learn from `train`, fit the weights of the evidence on `dev`, then remember both.

    alignment: of the encoder, by the inventory's names and the phrases in `train`; None: none.
    dense: see `EvidenceFinder`. Raises InputError where `dev` has no concept of the inventory.
    """
    known = LinkedNames(inventory, train)
    if alignment is not None:
        model = align_encoder(model, *known.groups(), alignment)
    vectors = NameVectors(model)
    gold = [inventory.find_all(one.concepts) for one in dev]
    if not any(gold):
        raise InputError("No development phrase has a concept of the inventory: nothing to fit.")
    evidence = EvidenceFinder(known, vectors, dense=dense).find(dev)
    alone = fit_weights(evidence, gold)
    weights = fit_weights(
        with_document(dev, evidence, list(map(alone.probabilities, evidence))), gold
    )
    remembered = LinkedNames(inventory, [*train, *dev])
    return ConceptRanker(EvidenceFinder(remembered, vectors, dense=dense), weights)
