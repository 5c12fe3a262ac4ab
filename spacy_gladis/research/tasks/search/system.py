"""The interface of searches, and their registry."""

import numpy as np

from ....arrays import Numbers
from ..registry import Registry
from ..system import System
from .data import DEEPEST, Query, Ranking, Training


class SearchSystem(System[Training, Query, Ranking]):
    """A search of the chunks of a collection."""


def rank_chunks(scores: Numbers, query: Query, lowest: float = -np.inf) -> Ranking:
    """Rank the chunks of a query's collection.

    Args:
        scores: Score of each chunk, [chunks].
        query: The query, whose own chunk is not a result.
        lowest: Score that a result must exceed.

    Returns:
        Numbers of the best chunks, at most `DEEPEST`, best first.
    """
    order = np.argsort(-scores, kind="stable")[: DEEPEST + 1]
    ranked = [int(chunk) for chunk in order if chunk != query.chunk and scores[chunk] > lowest]
    return ranked[:DEEPEST]


SYSTEMS: Registry[SearchSystem] = Registry(f"{__package__}.systems")
