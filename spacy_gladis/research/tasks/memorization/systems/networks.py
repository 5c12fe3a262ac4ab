"""The paper's BiLSTM and convolutional residual network (section 4.3).

Reimplemented from the descriptions of Hsieh et al. 2017 and Zhang et al. 2019; word vectors start
from the packaged encoder's input table, not from PubMed's.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from ...bilstm import word_vectors
from ...options import Epochs, LearningRate
from ..data import Training
from ..system import SYSTEMS, Encoded, NeuralSystem

UNKNOWN = 0
WIDTH, HIDDEN, BLOCKS, WINDOW, DROPOUT = 100, 200, 2, 3, 0.2
"""Width of word vectors and of hidden states, number of residual blocks, width of a filter in
words, and dropout probability."""


class WordNetwork(nn.Module):
    """A network over words: a BiLSTM, or a convolution followed by residual blocks.

    A whole text is represented by the BiLSTM's last states in both directions, or by the maximum of
    the convolution's states over its words.
    """

    def __init__(
        self, words: Sequence[str], labels: int, *, recurrent: bool, by_token: bool
    ) -> None:
        """Create the layers of the network.

        Args:
            words: The vocabulary.
            labels: Number of labels.
            recurrent: Whether to use the BiLSTM.
            by_token: Whether to label each token rather than the whole text.
        """
        super().__init__()
        self.by_token, self.recurrent = by_token, recurrent
        self.words = nn.Embedding(1 + len(words), WIDTH)
        with torch.no_grad():
            self.words.weight[1:] = torch.from_numpy(word_vectors(words, WIDTH))
        if recurrent:
            self.lstm = nn.LSTM(WIDTH, HIDDEN // 2, batch_first=True, bidirectional=True)
        else:
            self.first = self._convolution(WIDTH)
            self.blocks = nn.ModuleList(
                nn.Sequential(self._convolution(HIDDEN), nn.ReLU(), self._convolution(HIDDEN))
                for _ in range(BLOCKS)
            )
        self.dropout = nn.Dropout(DROPOUT)
        self.answer = nn.Linear(HIDDEN, labels)

    @staticmethod
    def _convolution(width: int) -> nn.Conv1d:
        return nn.Conv1d(width, HIDDEN, WINDOW, padding=WINDOW // 2)

    def forward(self, ids: Tensor) -> Tensor:
        """Compute the logits of the labels.

        Args:
            ids: Word ids, int64 [texts, tokens]. Negative ids are padding.

        Returns:
            Logits [texts, tokens, labels], or [texts, 1, labels] for whole texts.
        """
        there = ids >= 0
        words = self.dropout(self.words(ids.clamp(min=0)))
        if self.recurrent:
            lengths = there.sum(1).cpu()
            packed = pack_padded_sequence(words, lengths, batch_first=True, enforce_sorted=False)
            read, (last, _) = self.lstm(packed)
            states = pad_packed_sequence(read, batch_first=True)[0]
            whole = torch.cat([*last], -1)
        else:
            states = self.first(words.transpose(1, 2)).relu()
            for block in self.blocks:
                states = (states + block(states)).relu()
            states = states.transpose(1, 2)
            whole = states.masked_fill(~there[..., None], 0).amax(1)
        logits: Tensor = self.answer(self.dropout(states if self.by_token else whole[:, None]))
        return logits


@SYSTEMS.register("convres", "Residual convolutions.", "Memorization, section 4.3", recurrent=False)
@SYSTEMS.register("bilstm", "BiLSTM.", "Memorization, section 4.3", recurrent=True)
@dataclass
class WordSystem(NeuralSystem):
    """A system that trains a network over words.

    Attributes:
        recurrent: Whether the network is a BiLSTM.
        epochs: Number of passes over the training part.
        learning_rate: AdamW's peak learning rate.
    """

    recurrent: bool = True
    epochs: Epochs = 6
    learning_rate: LearningRate = 3e-3

    def build(self, training: Training) -> nn.Module:
        """Create the network, with the words that occur at least twice in the training texts.

        Args:
            training: The labelled texts of the training part.

        Returns:
            The untrained network.
        """
        counts = Counter(word.lower() for row in training.rows for word in row.tokens)
        words = [word for word, count in counts.most_common() if count > 1]
        self._numbers = {word: number for number, word in enumerate(words, 1)}
        count, by_token = len(training.labels), training.by_token
        return WordNetwork(words, count, recurrent=self.recurrent, by_token=by_token)

    def encode(self, tokens: Sequence[str]) -> Encoded:
        """Convert the words of a text to their ids.

        Args:
            tokens: The tokens.

        Returns:
            The id of each word, which is UNKNOWN for words outside the vocabulary.
        """
        ids = [self._numbers.get(word.lower(), UNKNOWN) for word in tokens] or [UNKNOWN]
        return Encoded(ids, list(range(len(tokens))) if self._by_token else [0])
