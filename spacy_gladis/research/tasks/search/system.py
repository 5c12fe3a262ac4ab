"""The interface and the registry of systems that search the chunks of documents."""

import numpy as np

from ....arrays import Numbers
from ..registry import Registry
from ..system import System
from .data import DEEPEST, Query, Ranking, Training


class SearchSystem(System[Training, Query, Ranking]):
    """Base class of systems that rank the chunks of a collection by their relevance to a query."""


def rank_chunks(scores: Numbers, query: Query, lowest: float = -np.inf) -> Ranking:
    """Rank the chunks of a query's collection by their scores.

    The chunk from which the query was made is left out.

    Args:
        scores: Score of each chunk of the collection, [chunks].
        query: Query to which the scores belong.
        lowest: Score that a chunk must exceed to be a result.

    Returns:
        The indices of up to `DEEPEST` chunks, starting with the best. Chunks with equal scores are
        in the order of the collection.
    """
    order = np.argsort(-scores, kind="stable")[: DEEPEST + 1]
    ranked = [int(chunk) for chunk in order if chunk != query.chunk and scores[chunk] > lowest]
    return ranked[:DEEPEST]


SYSTEMS: Registry[SearchSystem] = Registry(f"{__package__}.systems")
