"""LSTM-CRF, a tagger of acronyms and long forms (Pouran Ben Veyseh et al. 2020, section 4.1)."""

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import torch
from torch import Tensor, nn
from torchcrf import CRF

from ...errors import InputError
from ...pipeline.tags import LABELS, gold_labels
from ...text import Offsets, decode_bio, repair_bio
from ..tasks.bilstm import LSTM, PAD, BiLSTM, TaggedBatch, Vocabulary, epoch, hide_words, load_with
from .systems import Spans

if TYPE_CHECKING:
    from spacy.tokens import Doc

READ_AT_ONCE = 64
"""Texts in a batch that is only read."""

MarkedText = tuple[str, Iterable[Offsets], Iterable[Offsets]]
"""A text, and the offsets of the acronyms and of the long forms in it."""


EPOCHS, BATCH, LEARNING_RATE = 3, 32, 2e-3
DROPOUT = 0.4
"""Before the BiLSTM and after it."""


class TaggedWords(NamedTuple):
    """A text's words and their part-of-speech tags."""

    words: list[str]
    tags: list[str]

    @classmethod
    def of(cls, doc: "Doc") -> "TaggedWords":
        return cls([token.text for token in doc], [token.tag_ or token.pos_ for token in doc])


class LSTMCRF:
    """Labels a text's words by a BiLSTM over word and part-of-speech vectors and a CRF.

    tagger: a spaCy pipeline with a part-of-speech tagger, by folder or name, which also cuts texts
    into words. Raises InputError where it has none.
    """

    def __init__(self, tagger: str, seed: int = 0) -> None:
        self.nlp = load_with(
            tagger,
            "part-of-speech tagger",
            ["tagger", "morphologizer"],
            exclude=["parser", "ner", "lemmatizer"],
        )
        self.seed = seed

    def fit(self, texts: Iterable[MarkedText]) -> None:
        """Train on texts that people marked. Raises InputError without any."""
        rows, gold = [], []
        marked = list(texts)
        docs = self.nlp.pipe(text for text, _, _ in marked)
        for doc, (_, short, long) in zip(docs, marked, strict=True):
            if len(doc):
                rows.append(TaggedWords.of(doc))
                gold.append([LABELS.index(one) for one in gold_labels(doc, short, long)])
        if not rows:
            raise InputError("LSTM-CRF learns from marked texts: give some.")
        self._vocabulary = Vocabulary(rows)

        torch.manual_seed(self.seed)
        rng = np.random.default_rng(self.seed)
        network = LSTMCRFNetwork(self._vocabulary, len(LABELS))
        network.start_from_pieces()
        optimizer = torch.optim.Adam(network.parameters(), lr=LEARNING_RATE)
        for _ in range(EPOCHS):
            for indices in epoch(rows, BATCH, rng):
                batch = self._vocabulary.batch([rows[index] for index in indices])
                hide_words(batch.words, rng)
                labels = nn.utils.rnn.pad_sequence(
                    [torch.tensor(gold[index]) for index in indices], batch_first=True
                )
                optimizer.zero_grad()
                loss = network.loss(batch, labels)
                loss.backward()
                torch.nn.utils.clip_grad_norm_(network.parameters(), 5.0)
                optimizer.step()
        self._network = network.eval()

    def predict(self, texts: Iterable[str]) -> Iterator[Spans]:
        """Offsets of each text's acronyms and long forms."""
        stream = self.nlp.pipe(texts)
        while docs := list(islice(stream, READ_AT_ONCE)):
            rows = [TaggedWords.of(doc) for doc in docs if len(doc)]
            with torch.inference_mode():
                found = self._network.decode(self._vocabulary.batch(rows)) if rows else []
            labels = iter(found)
            for doc in docs:
                yield _spans(doc, next(labels)) if len(doc) else (set(), set())


def _spans(doc: "Doc", labels: list[int]) -> Spans:
    found: dict[str, set[Offsets]] = {"short": set(), "long": set()}
    for start, end, kind in decode_bio(repair_bio([LABELS[one] for one in labels])[0]):
        span = doc[start:end]
        found[kind].add((span.start_char, span.end_char))
    return found["short"], found["long"]


class LSTMCRFNetwork(BiLSTM):
    """Scores of labels from a BiLSTM; the CRF adds how likely a label follows another."""

    def __init__(self, vocabulary: Vocabulary, labels: int) -> None:
        super().__init__(vocabulary, DROPOUT)
        self.scores = nn.Linear(2 * LSTM, labels)
        self.crf = CRF(labels, batch_first=True)

    def loss(self, batch: TaggedBatch, labels: Tensor) -> Tensor:
        """Minus the log-likelihood of labels, int64 [batch, tokens], a token's mean."""
        likelihood: Tensor = self.crf(
            self._emissions(batch), labels, mask=batch.words != PAD, reduction="token_mean"
        )
        return -likelihood

    def decode(self, batch: TaggedBatch) -> list[list[int]]:
        """The likeliest sequence of labels of each text (Viterbi)."""
        found: list[list[int]] = self.crf.decode(self._emissions(batch), mask=batch.words != PAD)
        return found

    def _emissions(self, batch: TaggedBatch) -> Tensor:
        scores: Tensor = self.scores(self.dropout(self.states(*batch)))
        return scores
