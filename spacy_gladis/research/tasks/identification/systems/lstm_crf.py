"""LSTM-CRF, a tagger of acronyms and long forms (Pouran Ben Veyseh et al. 2020, Appendix A)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import torch
from torch import Tensor, nn
from torchcrf import CRF

from .....errors import InputError
from .....pipeline.tags import LABELS, gold_labels
from .....text import Offsets, decode_bio, repair_bio
from ...bilstm import LSTM, PAD, BiLSTM, TaggedBatch, Vocabulary, epoch, hide_words, load_with
from ...options import Pipeline
from ..data import Found, Training, labelled
from ..system import SYSTEMS, IdentificationSystem, apart

if TYPE_CHECKING:
    from spacy.tokens import Doc

READ_AT_ONCE = 64
"""Texts in a batch that is only read."""


class TaggedWords(NamedTuple):
    """A text's words and their part-of-speech tags."""

    words: list[str]
    tags: list[str]

    @classmethod
    def of(cls, doc: "Doc") -> "TaggedWords":
        return cls([token.text for token in doc], [token.tag_ or token.pos_ for token in doc])


@SYSTEMS.register("lstm-crf", "BiLSTM over words and tags, and a CRF.", "SciAI/SciAD, Appendix A")
@dataclass
class LSTMCRF(IdentificationSystem):
    """Labels a text's words by a BiLSTM over word and part-of-speech vectors and a CRF.

    Attributes:
        tagger: A spaCy pipeline with a part-of-speech tagger, by folder or name, which also cuts
            texts into words.
        epochs: Passes over the training texts.
        batch: Texts a step.
        learning_rate: Of Adam.
        dropout: Before the BiLSTM and after it.
        seed: Of the weights and of the batches.
    """

    tagger: Pipeline
    epochs: int = 3
    batch: int = 32
    learning_rate: float = 2e-3
    dropout: float = 0.4
    seed: int = 0

    def fit(self, training: Training) -> None:
        """Train on texts that people marked.

        Raises:
            InputError: If there are none, or the pipeline has no tagger.
        """
        marked = labelled(training)
        self._nlp = load_with(
            self.tagger,
            "part-of-speech tagger",
            ["tagger", "morphologizer"],
            exclude=["parser", "ner", "lemmatizer"],
        )
        rows, gold = [], []
        docs = self._nlp.pipe(one.text for one in marked)
        for doc, one in zip(docs, marked, strict=True):
            if len(doc):
                rows.append(TaggedWords.of(doc))
                gold.append([LABELS.index(name) for name in gold_labels(doc, one.short, one.long)])
        if not rows:
            raise InputError("The training texts hold no word.")
        self._vocabulary = Vocabulary(rows)

        torch.manual_seed(self.seed)
        rng = np.random.default_rng(self.seed)
        network = LSTMCRFNetwork(self._vocabulary, len(LABELS), self.dropout)
        network.start_from_pieces()
        optimizer = torch.optim.Adam(network.parameters(), lr=self.learning_rate)
        for _ in range(self.epochs):
            for indices in epoch(rows, self.batch, rng):
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

    def predict(self, questions: Sequence[str]) -> Iterator[Found]:
        """Mark every text."""
        stream = self._nlp.pipe(questions)
        while docs := list(islice(stream, READ_AT_ONCE)):
            rows = [TaggedWords.of(doc) for doc in docs if len(doc)]
            with torch.inference_mode():
                found = self._network.decode(self._vocabulary.batch(rows)) if rows else []
            labels = iter(found)
            for doc in docs:
                yield _found(doc, next(labels)) if len(doc) else Found(set(), set())


def _found(doc: "Doc", labels: list[int]) -> Found:
    found: dict[str, set[Offsets]] = {"short": set(), "long": set()}
    for start, end, kind in decode_bio(repair_bio([LABELS[one] for one in labels])[0]):
        span = doc[start:end]
        found[kind].add((span.start_char, span.end_char))
    return apart(found["short"], found["long"])


class LSTMCRFNetwork(BiLSTM):
    """Scores of labels from a BiLSTM; the CRF adds how likely a label follows another."""

    def __init__(self, vocabulary: Vocabulary, labels: int, dropout: float) -> None:
        super().__init__(vocabulary, dropout)
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
