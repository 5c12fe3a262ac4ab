"""Base class and registry of the systems that link phrases to concepts."""

from collections.abc import Iterable, Sequence
from typing import ClassVar

import numpy as np

from ....arrays import Ints, Numbers
from ....concepts import ConceptMention
from ..registry import Registry
from ..system import System
from .data import Mentions, Training

Ranking = list[tuple[int, float]]
"""Pairs of a concept's number in the inventory and its score, best first. Each concept occurs
once."""

DEPTH = 10
"""Number of concepts ranked for a phrase. A gold concept not among them has rank 0, for "not
found"."""

NAMES_A_CONCEPT = 8
"""Number of names to compare per concept to return. A concept can have several similar names."""


class LinkingSystem(System[Training, ConceptMention, Ranking]):
    """A system that ranks the inventory's concepts for each phrase.

    A subclass overrides `rank`, or `rank_phrases` if it uses only the phrase and not its context.
    Each distinct phrase is then ranked once.

    Attributes:
        tuned: Whether the system always gives an answer, so that a chain needs a threshold for it.
    """

    tuned: ClassVar[bool] = False

    def predict(self, questions: Sequence[ConceptMention]) -> list[Ranking]:
        """Rank at most `DEPTH` concepts for every phrase.

        Args:
            questions: Phrases without their concepts.

        Returns:
            For each phrase, its concepts with their scores, best first.
        """
        return self.rank(questions, DEPTH)

    def rank(self, mentions: Mentions, k: int) -> list[Ranking]:
        """Rank at most `k` concepts for each mention.

        Args:
            mentions: Phrases to link, with their contexts if available.
            k: Maximum number of concepts to return.

        Returns:
            For each mention, its concepts with their scores, best first.
            The list is empty if the system has no candidate.
        """
        phrases = sorted({mention.phrase for mention in mentions})
        rankings = dict(zip(phrases, self.rank_phrases(phrases, k), strict=True))
        return [rankings[mention.phrase] for mention in mentions]

    def rank_phrases(self, phrases: Sequence[str], k: int) -> Iterable[Ranking]:
        """Rank at most `k` concepts for each of some distinct phrases.

        Args:
            phrases: The phrases.
            k: Maximum number of concepts to return.

        Returns:
            For each phrase, its concepts with their scores, best first.
        """
        raise NotImplementedError


SYSTEMS: Registry[LinkingSystem] = Registry(f"{__package__}.systems")


def by_concept(names: Ints, scores: Numbers, owners: Ints, k: int) -> Ranking:
    """Rank concepts by the score of their best name.

    Args:
        names: Numbers of names, int [n]. Among equal scores the first name wins.
        scores: Scores of these names, [n].
        owners: Number of the concept of every name in the inventory, int.
        k: Maximum number of concepts to return.

    Returns:
        At most `k` concepts with their scores, best first.
    """
    ranking: dict[int, float] = {}
    for index in np.argsort(-scores, kind="stable"):
        ranking.setdefault(int(owners[names[index]]), float(scores[index]))
        if len(ranking) == k:
            break
    return list(ranking.items())
