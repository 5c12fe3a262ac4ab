"""s.1: the training phrases with their concepts (COMETA, section 4.1)."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence

from ....concepts import Inventory
from ....rules import merge_key
from .protocol import Mentions, PhraseRanker, Ranking


class TrainingDictionary(PhraseRanker):
    """Ranks the concepts that a phrase had in training, the most frequent first.

    Phrases are compared without case, punctuation and plural; the score is the concept's share.
    """

    def __init__(self) -> None:
        self.counts: defaultdict[str, Counter[int]] = defaultdict(Counter)

    def fit(self, inventory: Inventory, train: Mentions, dev: Mentions) -> None:
        """Count the phrases' concepts; ids that the inventory does not have are left out.

        There is nothing to choose, so `dev` is counted, too.
        """
        self.counts.clear()
        for one in (*train, *dev):
            for id in one.concepts:
                if (concept := inventory.find(id)) is not None:
                    self.counts[merge_key(one.phrase)][concept] += 1

    def rank_phrases(self, phrases: Sequence[str], k: int) -> Iterator[Ranking]:
        """Concepts of exactly this phrase, none for one that was not seen."""
        for phrase in phrases:
            counts = self.counts.get(merge_key(phrase), Counter())
            yield [(concept, count / counts.total()) for concept, count in counts.most_common(k)]
