"""All that a phrase can be compared with: an inventory's names and phrases that were linked."""

from collections import Counter, defaultdict
from collections.abc import Sequence

import numpy as np

from ...concepts import ConceptMention, Inventory
from ...rules import merge_key


class LinkedNames:
    """The inventory's names, by their number, and behind them the linked phrases.

    texts: all of them. owners: the concept of each, int64 [texts]. learnt: how many are names;
    from there on they are phrases.
    """

    def __init__(self, inventory: Inventory, linked: Sequence[ConceptMention] = ()) -> None:
        """linked: phrases with their concepts; those outside the inventory are left out."""
        self.inventory = inventory
        self.concepts: defaultdict[str, Counter[int]] = defaultdict(Counter)
        """The concepts of each phrase, by its merge key, with how often they were linked to it."""
        self.frequency: Counter[int] = Counter()
        """How often each concept was linked."""
        self._kinds: Counter[tuple[str, str]] = Counter()
        pairs: dict[tuple[str, int], None] = {}
        for mention in linked:
            for concept in inventory.find_all(mention.concepts):
                self.concepts[merge_key(mention.phrase)][concept] += 1
                self.frequency[concept] += 1
                self._kinds[mention.kind, inventory.domain(concept)] += 1
                pairs[mention.phrase, concept] = None
        self.learnt = len(inventory.names)
        self.texts = [*inventory.names, *(phrase for phrase, _ in pairs)]
        added = np.array([concept for _, concept in pairs], dtype=np.int64)
        self.owners = np.concatenate([inventory.owners, added])

    def kind_share(self, kind: str, concept: int) -> float:
        """The share of the links from phrases of a kind that went to the concept's domain, 0..1."""
        links = sum(count for (one, _), count in self._kinds.items() if one == kind)
        return self._kinds[kind, self.inventory.domain(concept)] / max(1, links)

    def groups(self) -> tuple[list[list[str]], list[list[str]]]:
        """The texts of each concept: of those that phrases were linked to, and of the others."""
        linked: dict[int, list[str]] = {}
        for index in range(self.learnt, len(self.texts)):
            concept = int(self.owners[index])
            linked.setdefault(concept, self.inventory.names_of(concept)).append(self.texts[index])
        others = (one for one in range(len(self.inventory)) if one not in linked)
        return list(linked.values()), [self.inventory.names_of(one) for one in others]
