"""The network of GAD (Pouran Ben Veyseh et al. 2020, section 4.2)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from ...vocabulary import PAD, UNKNOWN
from .trees import Tree


@dataclass(frozen=True)
class GADSizes:
    """Widths of the vectors: of a word, a tag, the LSTM in each direction (the graph's are as wide
    as both together), the classifier's hidden layer; graph: layers of convolution, 0 for none."""

    word: int = 100
    tag: int = 20
    lstm: int = 100
    hidden: int = 200
    graph: int = 2
    dropout: float = 0.3


class Batch(NamedTuple):
    """Padded trees. words, tags: int64 [batch, tokens]. lengths, mentions: int64 [batch].
    neighbours: float [batch, tokens, tokens], rows that sum to 1: the tree without directions,
    with self-loops."""

    words: Tensor
    tags: Tensor
    lengths: Tensor
    mentions: Tensor
    neighbours: Tensor


def make_batch(trees: Sequence[Tree], words: dict[str, int], tags: dict[str, int]) -> Batch:
    """Trees as numbers; a word or tag that is not in the tables is unknown."""
    lengths = np.array([len(tree.words) for tree in trees])
    shape = len(trees), int(lengths.max())
    word_ids, tag_ids = np.full(shape, PAD), np.full(shape, PAD)
    neighbours = np.zeros((*shape, shape[1]), dtype=np.float32)
    for row, tree in enumerate(trees):
        places = np.arange(len(tree.words))
        word_ids[row, places] = [words.get(word, UNKNOWN) for word in tree.words]
        tag_ids[row, places] = [tags.get(tag, UNKNOWN) for tag in tree.tags]
        neighbours[row, places, places] = 1
        neighbours[row, places, tree.heads] = 1
        neighbours[row, tree.heads, places] = 1
    neighbours /= np.maximum(neighbours.sum(-1, keepdims=True), 1)
    mentions = np.array([tree.mention for tree in trees])
    return Batch(*map(torch.from_numpy, (word_ids, tag_ids, lengths, mentions, neighbours)))


class GADNetwork(nn.Module):
    """BiLSTM, graph convolution, max-pooling and a classifier over all long forms."""

    def __init__(self, words: int, tags: int, long_forms: int, sizes: GADSizes) -> None:
        super().__init__()
        self.words = nn.Embedding(words, sizes.word, padding_idx=PAD)
        self.tags = nn.Embedding(tags, sizes.tag, padding_idx=PAD)
        self.lstm = nn.LSTM(
            sizes.word + sizes.tag, sizes.lstm, batch_first=True, bidirectional=True
        )
        width = 2 * sizes.lstm
        self.graph = nn.ModuleList(nn.Linear(width, width) for _ in range(sizes.graph))
        self.dropout = nn.Dropout(sizes.dropout)
        parts = 4 if sizes.graph else 2
        self.classifier = nn.Sequential(
            nn.Linear(parts * width, sizes.hidden),
            nn.ReLU(),
            nn.Dropout(sizes.dropout),
            nn.Linear(sizes.hidden, long_forms),
        )

    def forward(self, batch: Batch) -> Tensor:
        """Logits [batch, long forms] of `[h_p : h_p^s : H_sent : H_sent^s]`; without the graph of
        `[h_p : H_sent]`."""
        inputs = self.dropout(torch.cat([self.words(batch.words), self.tags(batch.tags)], -1))
        packed = pack_padded_sequence(inputs, batch.lengths, batch_first=True, enforce_sorted=False)
        states, _ = pad_packed_sequence(self.lstm(packed)[0], batch_first=True)
        layers = [states]
        if self.graph:
            syntax = states
            for layer in self.graph:
                syntax = torch.relu(layer(batch.neighbours @ syntax))
            layers.append(syntax)
        rows = torch.arange(len(states))
        at_mention = [layer[rows, batch.mentions] for layer in layers]
        beyond = torch.arange(states.shape[1]) >= batch.lengths[:, None]
        sentence = [layer.masked_fill(beyond[..., None], -torch.inf).amax(1) for layer in layers]
        logits: Tensor = self.classifier(self.dropout(torch.cat(at_mention + sentence, -1)))
        return logits
