"""Base class and registry of the systems that link phrases to concepts of an inventory."""

from collections.abc import Iterable, Sequence
from typing import ClassVar

import numpy as np

from ....arrays import Ints, Numbers
from ....concepts import ConceptMention
from ..registry import Registry
from ..system import System
from .data import Mentions, Training

Ranking = list[tuple[int, float]]
"""Concepts that a phrase may refer to, starting with the best one. Each is a pair of the concept's
index in the inventory and its score. A concept occurs only once."""

DEPTH = 10
"""Maximum number of concepts that a system returns for a phrase. A gold concept that is not among
them counts as not found, so the mean reciprocal rank is MRR@10."""

NAMES_A_CONCEPT = 8
"""Number of names to compare for each concept to return. A concept can have several similar
names."""


class LinkingSystem(System[Training, ConceptMention, Ranking]):
    """Base class of systems that link phrases by ranking the concepts of an inventory.

    A subclass overrides `rank`. If the ranking does not depend on the context of the phrase, it
    overrides `rank_phrases` instead, so that each distinct phrase is ranked only once.

    Attributes:
        tuned: Whether the system has an answer for every phrase, even for a poor match. A chain of
            systems then needs a threshold to decide when to ask the next system.
    """

    tuned: ClassVar[bool] = False

    def predict(self, questions: Sequence[ConceptMention]) -> list[Ranking]:
        """Rank up to `DEPTH` concepts for each test phrase.

        Args:
            questions: Phrases to link, without their gold concepts.

        Returns:
            The ranking for each phrase, in the order of the phrases.
        """
        return self.rank(questions, DEPTH)

    def rank(self, mentions: Mentions, k: int) -> list[Ranking]:
        """Rank the concepts that each mention may refer to.

        Args:
            mentions: Phrases to link, with their contexts if available.
            k: Maximum number of concepts to return for a mention.

        Returns:
            For each mention, pairs of a concept's index in the inventory and its score. The best
            concept comes first. The list is empty if the system finds no concept.
        """
        phrases = sorted({mention.phrase for mention in mentions})
        rankings = dict(zip(phrases, self.rank_phrases(phrases, k), strict=True))
        return [rankings[mention.phrase] for mention in mentions]

    def rank_phrases(self, phrases: Sequence[str], k: int) -> Iterable[Ranking]:
        """Rank the concepts that each phrase may refer to, without regard to its context.

        Args:
            phrases: Phrases to link, without duplicates.
            k: Maximum number of concepts to return for a phrase.

        Returns:
            For each phrase, pairs of a concept's index in the inventory and its score. The best
            concept comes first. The list is empty if the system finds no concept.

        Raises:
            NotImplementedError: If a subclass overrides neither this method nor `rank`.
        """
        raise NotImplementedError


SYSTEMS: Registry[LinkingSystem] = Registry(f"{__package__}.systems")


def by_concept(names: Ints, scores: Numbers, owners: Ints, k: int) -> Ranking:
    """Rank the concepts of an inventory by the scores of their best names.

    Args:
        names: Indices of the names that were scored, int [names]. Of several names with the same
            score, the first one comes first.
        scores: Scores of these names, [names].
        owners: Index of the concept to which each name of the inventory belongs, int.
        k: Maximum number of concepts to return.

    Returns:
        Pairs of a concept's index and the score of its best name. The best concept comes first.
    """
    ranking: dict[int, float] = {}
    for index in np.argsort(-scores, kind="stable"):
        ranking.setdefault(int(owners[names[index]]), float(scores[index]))
        if len(ranking) == k:
            break
    return list(ranking.items())
