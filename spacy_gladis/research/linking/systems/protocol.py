"""What a system for linking phrases to concepts offers."""

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from ....concepts import Inventory
from ....concepts.mention import ConceptMention

Ranking = list[tuple[int, float]]
"""Concepts by their number in the inventory with their scores, best first, each concept once."""


class LinkingSystem(Protocol):
    """A system that learns from an inventory and linked mentions, and ranks concepts.

    `mention.concepts` are the answers: `rank` must not look at them.
    """

    def fit(
        self,
        inventory: Inventory,
        train: Sequence[ConceptMention],
        dev: Sequence[ConceptMention],
    ) -> None:
        """Learn; `dev` is for choices, such as thresholds."""

    def rank(self, mentions: Sequence[ConceptMention], k: int) -> list[Ranking]:
        """At most `k` concepts a mention; fewer, or none, where the system has no more to offer."""


def by_concept(
    names: Sequence[int], scores: Sequence[float], owners: NDArray[np.int64], k: int
) -> Ranking:
    """The ranking of concepts whose score is that of their best name.

    names: numbers of names. scores: theirs. owners: the concept of every name of the inventory.
    Of equal scores the name that comes first in `names` wins.
    """
    order = sorted(range(len(names)), key=lambda at: -scores[at])
    ranking: dict[int, float] = {}
    for at in order:
        concept = int(owners[names[at]])
        if concept not in ranking:
            ranking[concept] = float(scores[at])
            if len(ranking) == k:
                break
    return list(ranking.items())
