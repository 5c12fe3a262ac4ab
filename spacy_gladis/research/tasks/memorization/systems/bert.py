"""A fine-tuned encoder (section 4.3), which can be any checkpoint such as BERT or BioBERT."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from torch import Tensor, nn

from ....training.start import find_start
from ...encoders import load_encoder
from ...options import Base
from ..data import Training
from ..system import SYSTEMS, Encoded, NeuralSystem

LONGEST = 256
"""Maximum number of word pieces of an input."""
DROPOUT = 0.1


class EncoderNetwork(nn.Module):
    """A network with a linear layer over an encoder's hidden states."""

    def __init__(self, encoder: nn.Module, labels: int) -> None:
        """Add a linear layer to an encoder.

        Args:
            encoder: An encoder of the `transformers` library.
            labels: Number of labels.
        """
        super().__init__()
        self.encoder, self.dropout = encoder, nn.Dropout(DROPOUT)
        config: Any = encoder.config
        self.padding, self.answer = config.pad_token_id, nn.Linear(config.hidden_size, labels)

    def forward(self, ids: Tensor) -> Tensor:
        """Compute the logits of the labels for every word piece.

        Args:
            ids: Ids of word pieces, int64 [texts, pieces]. Negative ids are padding.

        Returns:
            Logits [texts, pieces, labels].
        """
        there = ids >= 0
        states = self.encoder(ids.masked_fill(~there, self.padding), attention_mask=there.long())[0]
        logits: Tensor = self.answer(self.dropout(states))
        return logits


@SYSTEMS.register("bert", "Fine-tuned encoder.", "Memorization, section 4.3")
@dataclass
class EncoderSystem(NeuralSystem):
    """A fine-tuned encoder that reads a label from the first word piece of a text or token.

    Attributes:
        base: Checkpoint of the encoder to start from. None for the packaged AcroBERT's.
    """

    base: Base = None

    def build(self, training: Training) -> nn.Module:
        """Load a fresh copy of the encoder and add a linear layer.

        Args:
            training: The labelled texts of the training part.

        Returns:
            The network.
        """
        encoder, self._tokenizer = load_encoder(find_start(self.base))
        return EncoderNetwork(encoder, len(training.labels))

    def encode(self, tokens: Sequence[str]) -> Encoded:
        """Split a text into word pieces.

        Args:
            tokens: The tokens.

        Returns:
            Up to `LONGEST` word pieces, and the positions for which a label is predicted.
        """
        inputs = self._tokenizer(
            list(tokens), is_split_into_words=True, truncation=True, max_length=LONGEST
        )
        words = inputs.word_ids()
        first = [at for at, word in enumerate(words) if word is not None and word not in words[:at]]
        return Encoded(inputs["input_ids"], first if self._by_token else [0])
