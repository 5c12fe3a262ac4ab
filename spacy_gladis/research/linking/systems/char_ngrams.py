"""s.5: scispacy's candidate generator, names by their character trigrams, with exact cosines."""

from collections.abc import Iterator, Sequence

import numpy as np

from ....arrays import Ints, Numbers
from ....concepts import Inventory
from ....concepts.trigrams import TrigramIndex
from .protocol import NAMES_A_CONCEPT, Mentions, PhraseRanker, Ranking, by_concept


class CharNgrams(PhraseRanker):
    """Ranks concepts by the score of their best name, among the names nearest by trigrams.

    The score is the cosine of trigrams; other systems have others. pool: names compared for a
    phrase, those with most trigrams in common; None: so many for each concept wanted.
    """

    pool: int | None = None
    binary = False

    def fit(self, inventory: Inventory, train: Mentions, dev: Mentions) -> None:
        self.names, self._owners = inventory.names, inventory.owners
        self.index = TrigramIndex(inventory.names, binary=self.binary)

    def rank_phrases(self, phrases: Sequence[str], k: int) -> Iterator[Ranking]:
        """None for a phrase that shares no trigram with a name."""
        found = self.index.nearest(phrases, self.pool or NAMES_A_CONCEPT * k)
        for phrase, (numbers, similarities) in zip(phrases, found, strict=True):
            scores = self.score(phrase, numbers, similarities)
            likely = scores > -np.inf
            yield by_concept(numbers[likely], scores[likely], self._owners, k)

    def score(self, phrase: str, numbers: Ints, similarities: Numbers) -> Numbers:
        """The scores of names (by number) for a phrase; -inf for those that are not candidates."""
        return similarities
