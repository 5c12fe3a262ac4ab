"""The system `bert`: a fine-tuned encoder, such as BERT or BioBERT, that labels texts or tokens.

Elangovan et al. (2021, section 4.3) fine-tune BERT-base (cased), and BioBERT for AIMed. They do not
describe the layer that predicts the labels, the training settings or the maximum length of a text.
Those of this module are ours.
"""

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
"""Maximum number of word pieces of a text. The encoder does not read the pieces beyond it."""
DROPOUT = 0.1


class EncoderNetwork(nn.Module):
    """Network that predicts labels with a linear layer over the hidden states of an encoder."""

    def __init__(self, encoder: nn.Module, labels: int) -> None:
        """Add a linear layer with random weights to an encoder.

        Args:
            encoder: Pretrained encoder of the `transformers` library.
            labels: Number of distinct labels.
        """
        super().__init__()
        self.encoder, self.dropout = encoder, nn.Dropout(DROPOUT)
        config: Any = encoder.config
        self.padding, self.answer = config.pad_token_id, nn.Linear(config.hidden_size, labels)

    def forward(self, ids: Tensor) -> Tensor:
        """Compute the logits of the labels for every word piece in a batch of texts.

        Args:
            ids: Ids of the word pieces, int64 [texts, pieces]. Negative ids are padding.

        Returns:
            The logits, [texts, pieces, labels].
        """
        there = ids >= 0
        states = self.encoder(ids.masked_fill(~there, self.padding), attention_mask=there.long())[0]
        logits: Tensor = self.answer(self.dropout(states))
        return logits


@SYSTEMS.register("bert", "An encoder, fine-tuned on the labels.", "Memorization, section 4.3")
@dataclass
class EncoderSystem(NeuralSystem):
    """Labels texts or tokens with a fine-tuned encoder.

    The label of a text is predicted from the encoder's state at `[CLS]`. The label of a token is
    predicted from the state at its first word piece. Tokens beyond `LONGEST` word pieces get the
    label `O`.

    Attributes:
        base: Checkpoint of the encoder to start from: a folder, `package:NAME` or a Hugging Face
            name. None for the packaged AcroBERT, which is smaller than the paper's BERT-base.
    """

    base: Base = None

    def build(self, training: Training) -> nn.Module:
        """Load the pretrained encoder and add a linear layer with random weights.

        Args:
            training: Training data, of which the number of distinct labels is used.

        Returns:
            The network before fine-tuning.
        """
        encoder, self._tokenizer = load_encoder(find_start(self.base))
        return EncoderNetwork(encoder, len(training.labels))

    def encode(self, tokens: Sequence[str]) -> Encoded:
        """Split the tokens of a text into word pieces.

        Args:
            tokens: Tokens of the text.

        Returns:
            The ids of up to `LONGEST` word pieces, and the positions at which a label is predicted.
        """
        inputs = self._tokenizer(
            list(tokens), is_split_into_words=True, truncation=True, max_length=LONGEST
        )
        words = inputs.word_ids()
        first = [at for at, word in enumerate(words) if word is not None and word not in words[:at]]
        return Encoded(inputs["input_ids"], first if self._by_token else [0])
