"""What a system for linking phrases to concepts offers, and the registry of those there are."""

from collections.abc import Iterable, Sequence
from typing import ClassVar

import numpy as np

from ....arrays import Ints, Numbers
from ....concepts import ConceptMention
from ..registry import Registry
from ..system import System
from .data import Mentions, Training

Ranking = list[tuple[int, float]]
"""Concepts by their number in the inventory with their scores, best first, each concept once."""

DEPTH = 10
"""Concepts that a system may name for a phrase; a later one has the rank 0: not found."""

NAMES_A_CONCEPT = 8
"""Names looked at for each concept wanted: a concept has several that are alike."""


class LinkingSystem(System[Training, ConceptMention, Ranking]):
    """A system that ranks the inventory's concepts for each phrase.

    A subclass overrides `rank`, or `rank_phrases` if it looks at the phrase alone: each distinct
    phrase is then ranked once.

    Attributes:
        tuned: Whether it answers every phrase, so that a chain has to choose a threshold.
    """

    tuned: ClassVar[bool] = False

    def predict(self, questions: Sequence[ConceptMention]) -> list[Ranking]:
        """Rank the concepts of every phrase."""
        return self.rank(questions, DEPTH)

    def rank(self, mentions: Mentions, k: int) -> list[Ranking]:
        """Rank at most `k` concepts a mention; fewer, or none, where there is no more to offer."""
        phrases = sorted({one.phrase for one in mentions})
        rankings = dict(zip(phrases, self.rank_phrases(phrases, k), strict=True))
        return [rankings[one.phrase] for one in mentions]

    def rank_phrases(self, phrases: Sequence[str], k: int) -> Iterable[Ranking]:
        """Rank at most `k` concepts for each of some distinct phrases."""
        raise NotImplementedError


SYSTEMS: Registry[LinkingSystem] = Registry(f"{__package__}.systems")


def by_concept(names: Ints, scores: Numbers, owners: Ints, k: int) -> Ranking:
    """Rank concepts by the score of their best name.

    Args:
        names: Numbers of names; of equal scores the name that comes first wins.
        scores: Their scores.
        owners: The concept of every name of the inventory.
        k: Concepts wanted.
    """
    ranking: dict[int, float] = {}
    for at in np.argsort(-scores, kind="stable"):
        ranking.setdefault(int(owners[names[at]]), float(scores[at]))
        if len(ranking) == k:
            break
    return list(ranking.items())
