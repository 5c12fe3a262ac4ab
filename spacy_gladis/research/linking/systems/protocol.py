"""What a system for linking phrases to concepts offers."""

from collections.abc import Iterable, Sequence

import numpy as np

from ....arrays import Ints, Numbers
from ....concepts import ConceptMention, Inventory

Mentions = Sequence[ConceptMention]
Ranking = list[tuple[int, float]]
"""Concepts by their number in the inventory with their scores, best first, each concept once."""

NAMES_A_CONCEPT = 8
"""Names looked at for each concept wanted: a concept has several that are alike."""


class LinkingSystem:
    """A system that learns from an inventory and linked mentions, and ranks concepts: in `rank`, or
    in `rank_phrases` if it looks at the phrase alone, and ranks each distinct one once.

    `mention.concepts` are the answers: neither may look at them.
    """

    def fit(self, inventory: Inventory, train: Mentions, dev: Mentions) -> None:
        """Learn; `dev` is for choices, such as thresholds."""
        raise NotImplementedError

    def rank(self, mentions: Mentions, k: int) -> list[Ranking]:
        """At most `k` concepts a mention; fewer, or none, where the system has no more to offer."""
        phrases = sorted({one.phrase for one in mentions})
        rankings = dict(zip(phrases, self.rank_phrases(phrases, k), strict=True))
        return [rankings[one.phrase] for one in mentions]

    def rank_phrases(self, phrases: Sequence[str], k: int) -> Iterable[Ranking]:
        """At most `k` concepts for each of some distinct phrases."""
        raise NotImplementedError


def by_concept(names: Ints, scores: Numbers, owners: Ints, k: int) -> Ranking:
    """The ranking of concepts whose score is that of their best name.

    names: numbers of names. scores: theirs. owners: the concept of every name of the inventory.
    Of equal scores the name that comes first in `names` wins.
    """
    ranking: dict[int, float] = {}
    for at in np.argsort(-scores, kind="stable"):
        ranking.setdefault(int(owners[names[at]]), float(scores[at]))
        if len(ranking) == k:
            break
    return list(ranking.items())
