"""BM25 over chunks."""

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
    """BM25 (Lucene's variant, k1 1.5, b 0.75) of stems.

    Attributes:
        expansion: What is expanded, one of `EXPANSIONS`.
    """

    expansion: str

    def fit(self, training: Training) -> None:
        """Index each collection.

        Args:
            training: The collections.

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
        """Rank the chunks of each query's collection.

        Args:
            questions: The queries.

        Returns:
            The chunks with a word of the query, best first.
        """
        return [self._rank(query) for query in questions]

    def _rank(self, query: Query) -> Ranking:
        words = stems(self._expander.query(query, self.expansion))
        scores = self._indices[query.collection].get_scores(words)
        return rank_chunks(scores, query, lowest=0.0)


def stems(text: str) -> list[str]:
    """Return the stems of a text's words.

    Args:
        text: The text.

    Returns:
        The stems in lower case.
    """
    return [merge_key(word) for word in _WORD.findall(text)]


for _name, _summary in EXPANSIONS.items():
    SYSTEMS.register(f"bm25 {_name}", f"BM25, {_summary}.", "ours", expansion=_name)(BM25)
