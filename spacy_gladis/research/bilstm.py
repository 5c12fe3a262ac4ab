"""A BiLSTM over words and part-of-speech tags, with which GAD and LSTM-CRF begin."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from .vocabulary import FIRST, PAD, UNKNOWN
from .word_vectors import word_vectors


class Tagged(Protocol):
    """A text's words and their part-of-speech tags."""

    @property
    def words(self) -> list[str]: ...
    @property
    def tags(self) -> list[str]: ...


class TaggedBatch(NamedTuple):
    """Padded texts: words, tags int64 [batch, tokens]; lengths int64 [batch]."""

    words: Tensor
    tags: Tensor
    lengths: Tensor


def tagged_batch(
    texts: Sequence[Tagged], words: Mapping[str, int], tags: Mapping[str, int]
) -> TaggedBatch:
    """Texts as numbers; a word or tag that is not in the tables is unknown."""
    lengths = np.array([len(text.words) for text in texts])
    shape = len(texts), int(lengths.max())
    word_ids, tag_ids = np.full(shape, PAD), np.full(shape, PAD)
    for row, text in enumerate(texts):
        word_ids[row, : lengths[row]] = [words.get(word, UNKNOWN) for word in text.words]
        tag_ids[row, : lengths[row]] = [tags.get(tag, UNKNOWN) for tag in text.tags]
    return TaggedBatch(*map(torch.from_numpy, (word_ids, tag_ids, lengths)))


def hide_words(words: Tensor, share: float, rng: np.random.Generator) -> None:
    """Make this share of the words unknown, in place, so that the unknown word is learnt, too."""
    hidden = torch.from_numpy(rng.random(words.shape) < share)
    words[hidden & (words != PAD)] = UNKNOWN


@dataclass(frozen=True)
class BiLSTMSizes:
    """Widths of the vectors: of a word, a tag, the LSTM in each direction."""

    word: int = 100
    tag: int = 20
    lstm: int = 100


class BiLSTM(nn.Module):
    """Vectors of words and tags, read in both directions. words, tags: how many there are."""

    def __init__(self, words: int, tags: int, sizes: BiLSTMSizes, dropout: float) -> None:
        super().__init__()
        self.words = nn.Embedding(words, sizes.word, padding_idx=PAD)
        self.tags = nn.Embedding(tags, sizes.tag, padding_idx=PAD)
        self.lstm = nn.LSTM(
            sizes.word + sizes.tag, sizes.lstm, batch_first=True, bidirectional=True
        )
        self.dropout = nn.Dropout(dropout)

    def start_from_pieces(self, words: Sequence[str]) -> None:
        """Give the words, in the order of their numbers, vectors to start from."""
        with torch.no_grad():
            start = word_vectors(words, self.words.embedding_dim)
            self.words.weight[FIRST:] = torch.from_numpy(start)

    def states(self, words: Tensor, tags: Tensor, lengths: Tensor) -> Tensor:
        """[batch, tokens, 2 * lstm]"""
        inputs = self.dropout(torch.cat([self.words(words), self.tags(tags)], -1))
        packed = pack_padded_sequence(inputs, lengths, batch_first=True, enforce_sorted=False)
        states: Tensor = pad_packed_sequence(self.lstm(packed)[0], batch_first=True)[0]
        return states
