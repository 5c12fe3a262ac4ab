"""Systems that search chunks of documents with BM25, one for each expansion of acronyms."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from .....errors import require
from .....text import merge_key
from ..data import Query, Ranking, Training
from ..expansions import EXPANSIONS, expander
from ..system import SYSTEMS, SearchSystem, rank_chunks

_WORD = re.compile(r"[^\W_]+")


@dataclass
class BM25(SearchSystem):
    """Searches chunks of documents with BM25, whose terms are the stems of words.

    The variant is Lucene's, with k1 = 1.5 and b = 0.75.

    Attributes:
        expansion: Name of the expansion of queries or chunks, one of `EXPANSIONS`.
    """

    expansion: str

    def fit(self, training: Training) -> None:
        """Build a search index of the chunks of each collection.

        Args:
            training: Collections of chunks to index.

        Raises:
            MissingExtraError: If bm25s is not installed.
        """
        self._expander = expander(training)
        bm25s = require("bm25s", "evaluation")
        self._indices: list[Any] = []
        for number in range(len(training.collections)):
            index = bm25s.BM25()
            texts = self._expander.chunks(number, self.expansion)
            index.index([stems(text) for text in texts], show_progress=False)
            self._indices.append(index)

    def predict(self, questions: Sequence[Query]) -> list[Ranking]:
        """Find the chunks of documents that match each query best.

        Args:
            questions: Queries, each of which is searched in its own collection.

        Returns:
            For each query, the indices of the chunks that have a word in common with it, starting
            with the best.
        """
        return [self._rank(query) for query in questions]

    def _rank(self, query: Query) -> Ranking:
        words = stems(self._expander.query(query, self.expansion))
        scores = self._indices[query.collection].get_scores(words)
        return rank_chunks(scores, query, lowest=0.0)


def stems(text: str) -> list[str]:
    """Split a text into words and reduce them to their stems, which are the terms of the index.

    Args:
        text: Text of a chunk or a query.

    Returns:
        The stems in lower case, in text order.
    """
    return [merge_key(word) for word in _WORD.findall(text)]


for _name, _summary in EXPANSIONS.items():
    SYSTEMS.register(f"bm25 {_name}", f"BM25, {_summary}.", "ours", expansion=_name)(BM25)
