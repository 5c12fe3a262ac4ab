"""LSTM-CRF, a tagger of acronyms and long forms (Pouran Ben Veyseh et al. 2020, Appendix A)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence, pad_sequence
from torchcrf import CRF

from .....pipeline.tags import LABELS
from ...bilstm import FIRST, PAD, TAG, Vocabulary, epoch, load_with
from ...encoders import TokenVectors
from ...options import Encoder, Epochs, Pipeline
from ..labelling import WordLabeller
from ..system import SYSTEMS

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc

TAGS = ("O", *(f"{prefix}{label[1:]}" for label in LABELS[1::2] for prefix in "BIES"))
"""BIOES tags of both kinds. The paper's five tags do not tell an acronym from a long form."""


class Words(NamedTuple):
    """A text's words, their part-of-speech tags, and an encoder's vectors [words, width]."""

    words: list[str]
    tags: list[str]
    vectors: NDArray[np.float16]


@SYSTEMS.register("lstm-crf", "BiLSTM over BERT and tags, and a CRF.", "SciAI/SciAD, Appendix A")
@SYSTEMS.register(
    "lstm-crf 0.3",
    "LSTM-CRF with the learning rate that is printed, 0.3.",
    "SciAI/SciAD, Appendix B.1",
    learning_rate=0.3,
)
@dataclass
class LSTMCRF(WordLabeller):
    """Labels words by a BiLSTM over an encoder's vectors and part-of-speech tags, and a CRF.

    All settings are those of Appendix B.1 but for the learning rate of "lstm-crf"; the paper does
    not say for how many epochs it trains.

    Attributes:
        base: The encoder; it is not trained. The paper's is the uncased BERT-base.
        tagger: A spaCy pipeline with a part-of-speech tagger, which also cuts texts into words.
        epochs: Passes over the training texts.
        batch: Texts a step.
        hidden: Width of the LSTM in each direction.
        layers: Layers of the LSTM.
        learning_rate: Of Adam.
        dropout: Before the BiLSTM, between its layers and after it.
        seed: Of the weights and of the batches.
    """

    base: Encoder
    tagger: Pipeline
    epochs: Epochs = 5
    batch: int = 50
    hidden: int = 200
    layers: int = 2
    learning_rate: float = 1e-3
    dropout: float = 0.2
    seed: int = 0

    def load(self) -> "Language":
        """Load the tagger and the encoder."""
        self._encoder = TokenVectors(self.base)
        pipes = ["tagger", "morphologizer"]
        unused = ["parser", "ner", "lemmatizer"]
        return load_with(self.tagger, "part-of-speech tagger", pipes, exclude=unused)

    def _read(self, docs: "Sequence[Doc]") -> list[Words]:
        words = [[token.text for token in doc] for doc in docs]
        tags = [[token.tag_ or token.pos_ for token in doc] for doc in docs]
        return list(map(Words, words, tags, self._encoder(words)))

    def train(self, docs: "Sequence[Doc]", labels: Sequence[list[str]]) -> None:
        """Train; the loss is minus the log-likelihood of a text's tags."""
        rows = self._read(docs)
        gold = [torch.tensor([TAGS.index(tag) for tag in to_bioes(one)]) for one in labels]
        torch.manual_seed(self.seed)
        rng = np.random.default_rng(self.seed)
        network = LSTMCRFNetwork(Vocabulary(rows), self._encoder.width, self)
        optimizer = torch.optim.Adam(network.parameters(), lr=self.learning_rate)
        for _ in range(self.epochs):
            for indices in epoch(rows, self.batch, rng):
                optimizer.zero_grad()
                loss = network.loss(
                    [rows[index] for index in indices], [gold[index] for index in indices]
                )
                loss.backward()
                optimizer.step()
        self._network = network.eval()

    def label(self, docs: "Sequence[Doc]") -> list[list[str]]:
        """Find the likeliest tags (Viterbi)."""
        with torch.inference_mode():
            decoded = self._network.decode(self._read(docs))
        return [from_bioes([TAGS[tag] for tag in tags]) for tags in decoded]


def to_bioes(labels: Sequence[str]) -> list[str]:
    """Turn BIO labels into BIOES tags: E ends a span of several words, S is a span of one."""
    following = [*labels[1:], "O"]
    return [
        label
        if label == "O" or after == f"I{label[1:]}"
        else f"{'S' if label[0] == 'B' else 'E'}{label[1:]}"
        for label, after in zip(labels, following, strict=True)
    ]


def from_bioes(tags: Sequence[str]) -> list[str]:
    """Turn BIOES tags into BIO labels."""
    return [tag.translate({ord("E"): "I", ord("S"): "B"}) if tag != "O" else tag for tag in tags]


class LSTMCRFNetwork(nn.Module):
    """Scores of tags from a BiLSTM; the CRF adds how likely a tag follows another.

    Args:
        vocabulary: The part-of-speech tags of the training texts.
        width: Width of the encoder's vectors.
        settings: Width, layers and dropout.
    """

    def __init__(self, vocabulary: Vocabulary, width: int, settings: LSTMCRF) -> None:
        super().__init__()
        self.vocabulary = vocabulary
        self.tags = nn.Embedding(len(vocabulary.tags) + FIRST, TAG, padding_idx=PAD)
        self.lstm = nn.LSTM(
            width + TAG,
            settings.hidden,
            settings.layers,
            batch_first=True,
            bidirectional=True,
            dropout=settings.dropout if settings.layers > 1 else 0.0,
        )
        self.dropout = nn.Dropout(settings.dropout)
        self.scores = nn.Linear(2 * settings.hidden, len(TAGS), bias=False)
        self.crf = CRF(len(TAGS), batch_first=True)

    def loss(self, rows: Sequence[Words], gold: Sequence[Tensor]) -> Tensor:
        """Minus the log-likelihood of a text's tags, the mean over texts."""
        emissions, mask = self._emissions(rows)
        tags = pad_sequence(list(gold), batch_first=True)
        likelihood: Tensor = self.crf(emissions, tags, mask=mask, reduction="mean")
        return -likelihood

    def decode(self, rows: Sequence[Words]) -> list[list[int]]:
        """The likeliest sequence of tags of each text."""
        emissions, mask = self._emissions(rows)
        found: list[list[int]] = self.crf.decode(emissions, mask=mask)
        return found

    def _emissions(self, rows: Sequence[Words]) -> tuple[Tensor, Tensor]:
        """Scores [texts, words, tags], and which words are no padding."""
        batch = self.vocabulary.batch(rows)
        vectors = pad_sequence([torch.from_numpy(row.vectors).float() for row in rows], True)
        inputs = self.dropout(torch.cat([vectors, self.tags(batch.tags)], -1))
        packed = pack_padded_sequence(inputs, batch.lengths, True, enforce_sorted=False)
        states = pad_packed_sequence(self.lstm(packed)[0], batch_first=True)[0]
        scores: Tensor = self.scores(self.dropout(states))
        return scores, batch.words != PAD
