"""The network of GAD (Pouran Ben Veyseh et al. 2020, section 4.2)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor, nn

from ...bilstm import BiLSTM, BiLSTMSizes, tagged_batch
from .trees import Tree


@dataclass(frozen=True)
class GADSizes(BiLSTMSizes):
    """The BiLSTM's widths (the graph's are as wide as both of its directions together) and that of
    the classifier's hidden layer; graph: layers of convolution, 0 for none."""

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
    tagged = tagged_batch(trees, words, tags)
    neighbours = np.zeros((*tagged.words.shape, tagged.words.shape[1]), dtype=np.float32)
    for row, tree in enumerate(trees):
        positions = np.arange(len(tree.words))
        neighbours[row, positions, positions] = 1
        neighbours[row, positions, tree.heads] = 1
        neighbours[row, tree.heads, positions] = 1
    neighbours /= np.maximum(neighbours.sum(-1, keepdims=True), 1)
    mentions = np.array([tree.mention for tree in trees])
    return Batch(*tagged, torch.from_numpy(mentions), torch.from_numpy(neighbours))


class GADNetwork(BiLSTM):
    """BiLSTM, graph convolution, max-pooling and a classifier over all long forms."""

    def __init__(self, words: int, tags: int, long_forms: int, sizes: GADSizes) -> None:
        super().__init__(words, tags, sizes, sizes.dropout)
        width = 2 * sizes.lstm
        self.graph = nn.ModuleList(nn.Linear(width, width) for _ in range(sizes.graph))
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
        states = self.states(batch.words, batch.tags, batch.lengths)
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
