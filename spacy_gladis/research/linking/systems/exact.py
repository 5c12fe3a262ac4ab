"""s.2: a concept's name, exactly (COMETA, section 4.1)."""

from collections.abc import Sequence

from ....concepts import Inventory
from ....concepts.mention import ConceptMention
from .protocol import Ranking


class ExactMatch:
    """Ranks the concepts with exactly this name; case, punctuation and plural do not count.

    Concepts of which it is the preferred name come first.
    """

    def fit(
        self,
        inventory: Inventory,
        train: Sequence[ConceptMention],
        dev: Sequence[ConceptMention],
    ) -> None:
        """Nothing to learn: the inventory has an index of its names."""
        self._inventory = inventory

    def rank(self, mentions: Sequence[ConceptMention], k: int) -> list[Ranking]:
        """The concepts of the phrase, all with the score 1."""
        return [[(concept, 1.0) for concept in self._find(one.phrase)[:k]] for one in mentions]

    def _find(self, phrase: str) -> list[int]:
        found = self._inventory.lookup(phrase)
        folded = phrase.casefold()
        return sorted(found, key=lambda one: self._inventory.preferred(one).casefold() != folded)
