"""The network of LSTM-CRF: word and tag vectors, a BiLSTM, a conditional random field."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence
from torchcrf import CRF

from ...vocabulary import PAD, UNKNOWN


@dataclass(frozen=True)
class LSTMCRFSizes:
    """Widths of the vectors: of a word, a tag, the LSTM in each direction."""

    word: int = 100
    tag: int = 20
    lstm: int = 100
    dropout: float = 0.4


class TaggedWords(NamedTuple):
    """A text's words and their part-of-speech tags."""

    words: list[str]
    tags: list[str]


class Batch(NamedTuple):
    """Padded texts: words, tags int64 [batch, tokens]; lengths int64 [batch]."""

    words: Tensor
    tags: Tensor
    lengths: Tensor


def make_batch(texts: Sequence[TaggedWords], words: dict[str, int], tags: dict[str, int]) -> Batch:
    """Texts as numbers; a word or tag that is not in the tables is unknown."""
    lengths = np.array([len(text.words) for text in texts])
    shape = len(texts), int(lengths.max())
    word_ids, tag_ids = np.full(shape, PAD), np.full(shape, PAD)
    for row, text in enumerate(texts):
        places = np.arange(len(text.words))
        word_ids[row, places] = [words.get(word, UNKNOWN) for word in text.words]
        tag_ids[row, places] = [tags.get(tag, UNKNOWN) for tag in text.tags]
    return Batch(*map(torch.from_numpy, (word_ids, tag_ids, lengths)))


class LSTMCRFNetwork(nn.Module):
    """Scores of labels from a BiLSTM; the CRF adds how likely a label follows another."""

    def __init__(self, words: int, tags: int, labels: int, sizes: LSTMCRFSizes) -> None:
        super().__init__()
        self.words = nn.Embedding(words, sizes.word, padding_idx=PAD)
        self.tags = nn.Embedding(tags, sizes.tag, padding_idx=PAD)
        self.lstm = nn.LSTM(
            sizes.word + sizes.tag, sizes.lstm, batch_first=True, bidirectional=True
        )
        self.dropout = nn.Dropout(sizes.dropout)
        self.scores = nn.Linear(2 * sizes.lstm, labels)
        self.crf = CRF(labels, batch_first=True)

    def loss(self, batch: Batch, labels: Tensor) -> Tensor:
        """Minus the log-likelihood of labels, int64 [batch, tokens], a token's mean."""
        likelihood: Tensor = self.crf(
            self._emissions(batch), labels, mask=batch.words != PAD, reduction="token_mean"
        )
        return -likelihood

    def decode(self, batch: Batch) -> list[list[int]]:
        """The likeliest sequence of labels of each text (Viterbi)."""
        found: list[list[int]] = self.crf.decode(self._emissions(batch), mask=batch.words != PAD)
        return found

    def _emissions(self, batch: Batch) -> Tensor:
        inputs = self.dropout(torch.cat([self.words(batch.words), self.tags(batch.tags)], -1))
        packed = pack_padded_sequence(inputs, batch.lengths, batch_first=True, enforce_sorted=False)
        states, _ = pad_packed_sequence(self.lstm(packed)[0], batch_first=True)
        scores: Tensor = self.scores(self.dropout(states))
        return scores
