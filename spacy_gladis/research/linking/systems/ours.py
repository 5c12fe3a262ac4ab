"""Ours: names by trigrams and by vectors, phrases linked before, acronyms spelt out."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from ....concepts import Inventory
from .protocol import Mentions, Ranking

if TYPE_CHECKING:
    from ....modeling.acrobert import AcroBERT

DENSE = 40_000
"""Names up to which all of them are encoded and compared; beyond, those that trigrams propose."""


class OurLinker:
    """The concept linker, trained on the parts of a set.

    load: gives the encoder. aligned: whether its vectors are aligned first.
    """

    def __init__(self, load: "Callable[[], AcroBERT]", *, aligned: bool = True) -> None:
        self.load, self.aligned = load, aligned

    def fit(self, inventory: Inventory, train: Mentions, dev: Mentions) -> None:
        """Learn from `train`, choose the weights on `dev`, remember both."""
        from ...training.concept_linker import train_concept_linker
        from ...training.self_alignment import AlignmentSettings

        self.linker = train_concept_linker(
            inventory,
            train,
            dev,
            self.load(),
            alignment=AlignmentSettings() if self.aligned else None,
            dense=len(inventory.names) <= DENSE,
        )

    def rank(self, mentions: Mentions, k: int) -> list[Ranking]:
        """Concepts by their probabilities."""
        return self.linker.rank(mentions, k)
