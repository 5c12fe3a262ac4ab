"""LSTM-CRF, a tagger of acronyms and long forms (Pouran Ben Veyseh et al. 2020, Appendix A)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import torch
from torch import Tensor, nn
from torch.nn.utils.rnn import pad_sequence
from torchcrf import CRF

from ...bilstm import PAD, BiLSTM, Vocabulary, load_with
from ...encoders import TokenVectors
from ...options import Encoder, Epochs, Pipeline
from ..labelling import TAGS, TaggedWords, WordLabeller
from ..system import SYSTEMS

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc

Row = tuple[TaggedWords, Tensor]
"""A text's words and tags, and the encoder's vectors, float32 [words, width]."""


@SYSTEMS.register("lstm-crf", "BiLSTM over BERT and tags, and a CRF.", "SciAI/SciAD, Appendix A")
@SYSTEMS.register(
    "lstm-crf 0.3",
    "LSTM-CRF with the paper's learning rate, 0.3.",
    "SciAI/SciAD, Appendix B.1",
    learning_rate=0.3,
)
@dataclass
class LSTMCRF(WordLabeller):
    """Tags words by a BiLSTM over an encoder's vectors and part-of-speech tags, followed by a CRF.

    The settings are those of Appendix B.1, except the learning rate of "lstm-crf" and the epochs,
    which the paper does not state.

    Attributes:
        base: The encoder, which is not trained. The paper uses the uncased BERT-base.
        tagger: A spaCy pipeline with a part-of-speech tagger, which also splits texts into words.
        epochs: Number of passes over the training texts.
        batch: Number of texts in a training step.
        hidden: Width of the LSTM in each direction.
        layers: Number of layers of the LSTM.
        learning_rate: Learning rate of the Adam optimizer.
        dropout: Dropout before the BiLSTM, between its layers and after it.
        seed: Random seed of the         eights and batches.
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
        """Load the encoder and the tagger.

        Returns:
            The tagger's pipeline.
        """
        self._encoder = TokenVectors(self.base)
        pipes, unused = ["tagger", "morphologizer"], ["parser", "ner", "lemmatizer"]
        return load_with(self.tagger, "part-of-speech tagger", pipes, exclude=unused)

    def read(self, docs: "Sequence[Doc]") -> list[Row]:
        """Convert texts to words, part-of-speech tags and word vectors.

        Args:
            docs: The texts.

        Returns:
            The inputs of each text.
        """
        texts = list(map(TaggedWords.of, docs))
        vectors = self._encoder([text.words for text in texts])
        return list(zip(texts, map(torch.from_numpy, vectors), strict=True))

    def make_network(self, docs: "Sequence[Doc]") -> "LSTMCRFNetwork":
        """Create the network, with the part-of-speech tags of the training texts as its vocabulary.

        Args:
            docs: The texts.

        Returns:
            The network.
        """
        vocabulary = Vocabulary(list(map(TaggedWords.of, docs)))
        return LSTMCRFNetwork(vocabulary, self._encoder.width, self)


class LSTMCRFNetwork(nn.Module):
    """A BiLSTM that scores tags, and a CRF for their transitions."""

    def __init__(self, vocabulary: Vocabulary, width: int, settings: LSTMCRF) -> None:
        """Create the layers of the network.

        Args:
            vocabulary: The part-of-speech tags.
            width: Width of the encoder's vectors.
            settings: The system, whose widths, number of layers and dropout the network uses.
        """
        super().__init__()
        self.vocabulary = vocabulary
        tags, layers, dropout = len(vocabulary.tags), settings.layers, settings.dropout
        self.bilstm = BiLSTM(tags, width, settings.hidden, layers, dropout)
        self.dropout = nn.Dropout(dropout)
        self.scores = nn.Linear(2 * settings.hidden, len(TAGS), bias=False)
        self.crf = CRF(len(TAGS), batch_first=True)

    def loss(self, rows: Sequence[Row], gold: Sequence[Tensor]) -> Tensor:
        """Compute the negative log-likelihood of the gold tags.

        Args:
            rows: The network's inputs for each text.
            gold: Ids of the gold tags of each text, int64 [words].

        Returns:
            The mean over all texts, a scalar.
        """
        emissions, mask = self._emissions(rows)
        tags = pad_sequence(list(gold), batch_first=True)
        likelihood: Tensor = self.crf(emissions, tags, mask=mask, reduction="mean")
        return -likelihood

    def decode(self, rows: Sequence[Row]) -> list[list[int]]:
        """Find the most likely sequence of tags of each text with the Viterbi algorithm.

        Args:
            rows: The network's inputs for each text.

        Returns:
            The ids of the tags of each text.
        """
        decoded: list[list[int]] = self.crf.decode(*self._emissions(rows))
        return decoded

    def _emissions(self, rows: Sequence[Row]) -> tuple[Tensor, Tensor]:
        """Return scores [texts, words, tags] and a mask that is True for words, not padding."""
        batch = self.vocabulary.batch([text for text, _ in rows])
        vectors = pad_sequence([vectors.float() for _, vectors in rows], batch_first=True)
        states = self.bilstm(vectors, batch.tags, batch.lengths)
        scores: Tensor = self.scores(self.dropout(states))
        return scores, batch.words != PAD
