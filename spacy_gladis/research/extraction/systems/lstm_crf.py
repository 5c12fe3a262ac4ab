"""LSTM-CRF, a tagger of acronyms and long forms (Pouran Ben Veyseh et al. 2020, section 4.1)."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np

from ....errors import InputError
from ....pipeline.tags import LABELS, gold_labels
from ....rules import decode_bio, repair_bio
from ...spacy_pipeline import load_with
from ...vocabulary import FIRST, batches, number
from .character_match import Offsets, Spans

if TYPE_CHECKING:
    from spacy.tokens import Doc

    from .lstm_crf_network import LSTMCRFNetwork, TaggedWords

READ_AT_ONCE = 64
"""Texts in a batch that is only read."""

MarkedText = tuple[str, Iterable[Offsets], Iterable[Offsets]]
"""A text, and the offsets of the acronyms and of the long forms in it."""


@dataclass(frozen=True)
class LSTMCRFTraining:
    """unknown: share of the words that training hides, so that the unknown word is learnt, too."""

    epochs: int = 3
    batch_size: int = 32
    learning_rate: float = 2e-3
    unknown: float = 0.1


class LSTMCRF:
    """Labels a text's words by a BiLSTM over word and part-of-speech vectors and a CRF.

    tagger: a spaCy pipeline with a part-of-speech tagger, by folder or name, which also cuts texts
    into words. Raises InputError where it has none.
    """

    def __init__(
        self, tagger: str, seed: int = 0, *, training: LSTMCRFTraining | None = None
    ) -> None:
        self.nlp = load_with(
            tagger,
            "part-of-speech tagger",
            ["tagger", "morphologizer"],
            exclude=["parser", "ner", "lemmatizer"],
        )
        self.seed = seed
        self.training = training or LSTMCRFTraining()
        self._network: LSTMCRFNetwork | None = None
        self._words: dict[str, int] = {}
        self._tags: dict[str, int] = {}

    def fit(self, texts: Iterable[MarkedText]) -> None:
        """Train on texts that people marked. Raises InputError without any."""
        import torch

        from ...bilstm import hide_words, tagged_batch
        from .lstm_crf_network import LSTMCRFNetwork, LSTMCRFSizes

        rows, gold = [], []
        marked = list(texts)
        docs = self.nlp.pipe(text for text, _, _ in marked)
        for doc, (_, short, long) in zip(docs, marked, strict=True):
            if len(doc):
                rows.append(_tagged(doc))
                gold.append([LABELS.index(one) for one in gold_labels(doc, short, long)])
        if not rows:
            raise InputError("LSTM-CRF learns from marked texts: give some.")
        self._words = number(word for row in rows for word in row.words)
        self._tags = number(tag for row in rows for tag in row.tags)

        torch.manual_seed(self.seed)
        rng = np.random.default_rng(self.seed)
        network = LSTMCRFNetwork(
            len(self._words) + FIRST, len(self._tags) + FIRST, len(LABELS), LSTMCRFSizes()
        )
        network.start_from_pieces(list(self._words))
        optimizer = torch.optim.Adam(network.parameters(), lr=self.training.learning_rate)
        lengths = [len(row.words) for row in rows]
        for _ in range(self.training.epochs):
            for indices in batches(lengths, self.training.batch_size, rng):
                batch = tagged_batch([rows[index] for index in indices], self._words, self._tags)
                hide_words(batch.words, self.training.unknown, rng)
                labels = torch.zeros_like(batch.words)
                for row, index in enumerate(indices):
                    labels[row, : lengths[index]] = torch.tensor(gold[index])
                optimizer.zero_grad()
                loss = network.loss(batch, labels)
                loss.backward()
                torch.nn.utils.clip_grad_norm_(network.parameters(), 5.0)
                optimizer.step()
        self._network = network.eval()

    def predict(self, texts: Iterable[str]) -> Iterator[Spans]:
        """Offsets of each text's acronyms and long forms. Raises InputError before training."""
        if self._network is None:
            raise InputError("LSTM-CRF must be trained before it is asked.")
        docs = iter(self.nlp.pipe(texts))
        while chunk := list(islice(docs, READ_AT_ONCE)):
            labels = iter(self._decode([_tagged(doc) for doc in chunk if len(doc)]))
            for doc in chunk:
                yield _spans(doc, next(labels)) if len(doc) else (set(), set())

    def _decode(self, rows: "Sequence[TaggedWords]") -> list[list[int]]:
        import torch

        from ...bilstm import tagged_batch

        assert self._network is not None
        if not rows:
            return []
        with torch.inference_mode():
            return self._network.decode(tagged_batch(rows, self._words, self._tags))


def _tagged(doc: "Doc") -> "TaggedWords":
    from .lstm_crf_network import TaggedWords

    return TaggedWords([token.text for token in doc], [token.tag_ or token.pos_ for token in doc])


def _spans(doc: "Doc", labels: list[int]) -> Spans:
    found: dict[str, set[Offsets]] = {"short": set(), "long": set()}
    for start, end, kind in decode_bio(repair_bio([LABELS[one] for one in labels])[0]):
        span = doc[start:end]
        found[kind].add((span.start_char, span.end_char))
    return found["short"], found["long"]
