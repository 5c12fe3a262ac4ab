"""The systems `bilstm` and `convres`: a BiLSTM and a convolutional network over words.

Elangovan et al. (2021, section 4.3) compare these systems with BERT. Both are reimplemented from
the descriptions of Hsieh et al. (2017) and Zhang et al. (2019). The word vectors start from the
word-piece embeddings of the packaged AcroBERT instead of vectors trained on PubMed. The sizes of
the layers, the dropout probability and the training settings are ours.
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
"""Dimensions of word vectors and of hidden states, number of residual blocks, number of words that
a filter reads, and dropout probability."""


class WordNetwork(nn.Module):
    """Network over words that predicts labels, either a BiLSTM or a convolutional network.

    The convolutional network is a convolution followed by residual blocks. If whole texts are
    labelled, a text is represented by the last states of the BiLSTM in both directions, or by the
    maximum of the convolution's states over all words.
    """

    def __init__(
        self, words: Sequence[str], labels: int, *, recurrent: bool, by_token: bool
    ) -> None:
        """Create the layers of the network.

        Args:
            words: Distinct words of the vocabulary.
            labels: Number of distinct labels.
            recurrent: Whether to use the BiLSTM rather than the convolutional network.
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
        """Compute the logits of the labels for a batch of texts.

        Args:
            ids: Ids of the words, int64 [texts, tokens]. Negative ids are padding.

        Returns:
            The logits of each token, [texts, tokens, labels], or of each whole text,
            [texts, 1, labels].
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
    """Labels texts or tokens with a BiLSTM or a convolutional network over words.

    Attributes:
        recurrent: Whether the network is a BiLSTM rather than a convolutional network.
        epochs: Number of passes over the training part.
        learning_rate: Peak learning rate of the AdamW optimizer.
    """

    recurrent: bool = True
    epochs: Epochs = 6
    learning_rate: LearningRate = 3e-3

    def build(self, training: Training) -> nn.Module:
        """Create the untrained network.

        Its vocabulary consists of the words that occur at least twice in the training texts.

        Args:
            training: Labelled texts of the training part, and their distinct labels.

        Returns:
            The untrained network.
        """
        counts = Counter(word.lower() for row in training.rows for word in row.tokens)
        words = [word for word, count in counts.most_common() if count > 1]
        self._numbers = {word: number for number, word in enumerate(words, 1)}
        count, by_token = len(training.labels), training.by_token
        return WordNetwork(words, count, recurrent=self.recurrent, by_token=by_token)

    def encode(self, tokens: Sequence[str]) -> Encoded:
        """Convert the words of a text to ids.

        Args:
            tokens: Tokens of the text. Upper and lower case are not distinguished.

        Returns:
            The id of each token, and the positions at which a label is predicted. Words that are
            not in the vocabulary have the id `UNKNOWN`.
        """
        ids = [self._numbers.get(word.lower(), UNKNOWN) for word in tokens] or [UNKNOWN]
        return Encoded(ids, list(range(len(tokens))) if self._by_token else [0])
