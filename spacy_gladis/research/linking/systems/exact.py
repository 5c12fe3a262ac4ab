"""s.2: a concept's name, exactly (COMETA, section 4.1)."""

from collections.abc import Iterator, Sequence

from ....concepts import Inventory
from .protocol import Mentions, PhraseRanker, Ranking


class ExactMatch(PhraseRanker):
    """Ranks the concepts with exactly this name; case, punctuation and plural do not count.

    Concepts of which it is the preferred name come first.
    """

    def fit(self, inventory: Inventory, train: Mentions, dev: Mentions) -> None:
        """Nothing to learn: the inventory has an index of its names."""
        self._inventory = inventory

    def rank_phrases(self, phrases: Sequence[str], k: int) -> Iterator[Ranking]:
        """The concepts of each phrase, all with the score 1."""
        for phrase in phrases:
            found = sorted(
                self._inventory.lookup(phrase),
                key=lambda one: self._inventory.preferred(one).casefold() != phrase.casefold(),
            )
            yield [(concept, 1.0) for concept in found[:k]]
