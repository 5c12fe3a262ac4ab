"""The network of LSTM-CRF: a BiLSTM over words and tags, a conditional random field."""

from dataclasses import dataclass
from typing import NamedTuple

from torch import Tensor, nn
from torchcrf import CRF

from ...bilstm import BiLSTM, BiLSTMSizes, TaggedBatch
from ...vocabulary import PAD


@dataclass(frozen=True)
class LSTMCRFSizes(BiLSTMSizes):
    """The BiLSTM's widths and the dropout before and after it."""

    dropout: float = 0.4


class TaggedWords(NamedTuple):
    """A text's words and their part-of-speech tags."""

    words: list[str]
    tags: list[str]


class LSTMCRFNetwork(BiLSTM):
    """Scores of labels from a BiLSTM; the CRF adds how likely a label follows another."""

    def __init__(self, words: int, tags: int, labels: int, sizes: LSTMCRFSizes) -> None:
        super().__init__(words, tags, sizes, sizes.dropout)
        self.scores = nn.Linear(2 * sizes.lstm, labels)
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
