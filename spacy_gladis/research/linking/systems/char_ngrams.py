"""s.5: scispacy's candidate generator, names by their character trigrams, with exact cosines."""

from collections.abc import Sequence

from ....concepts import Inventory
from ....concepts.mention import ConceptMention
from ....concepts.trigrams import TrigramIndex
from .protocol import Ranking, by_concept

POOL = 8
"""Names looked at for each concept wanted."""


class CharNgrams:
    """Ranks concepts by the cosine of their nearest name."""

    def fit(
        self,
        inventory: Inventory,
        train: Sequence[ConceptMention],
        dev: Sequence[ConceptMention],
    ) -> None:
        """Index the names."""
        self._owners = inventory.owners
        self._index = TrigramIndex(inventory.names)

    def rank(self, mentions: Sequence[ConceptMention], k: int) -> list[Ranking]:
        """None for a phrase that shares no trigram with a name."""
        phrases = sorted({one.phrase for one in mentions})
        found = self._index.nearest(phrases, POOL * k)
        rankings = {
            phrase: by_concept(numbers.tolist(), scores.tolist(), self._owners, k)
            for phrase, (numbers, scores) in zip(phrases, found, strict=True)
        }
        return [rankings[one.phrase] for one in mentions]
