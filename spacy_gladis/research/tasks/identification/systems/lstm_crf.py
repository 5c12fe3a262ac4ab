"""The system `lstm-crf`: a BiLSTM and a conditional random field that tag acronyms and long forms.

Pouran Ben Veyseh et al. (2020, Appendix A) describe the network.
"""

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
"""The words and part-of-speech tags of a text, and the encoder's word vectors, [words, width]."""


@SYSTEMS.register("lstm-crf", "BiLSTM over BERT and tags, and a CRF.", "SciAI/SciAD, Appendix A")
@SYSTEMS.register(
    "lstm-crf 0.3",
    "LSTM-CRF with the paper's learning rate, 0.3.",
    "SciAI/SciAD, Appendix B.1",
    learning_rate=0.3,
)
@dataclass
class LSTMCRF(WordLabeller):
    """Finds acronyms and long forms by tagging words with a BiLSTM and a CRF.

    The BiLSTM reads word vectors from a frozen encoder together with part-of-speech tags. A
    conditional random field (CRF) then finds the most likely sequence of tags.

    The settings are those of the paper (SciAI/SciAD, Appendix B.1), except for two: the learning
    rate of "lstm-crf", and the number of epochs, which the paper does not state. The paper tunes
    its settings on the development set. Here, the settings are fixed, and no development set is
    used.

    These details are not in the paper and were chosen here: the words are the tokens of the spaCy
    pipeline, the vectors of part-of-speech tags have 20 dimensions, the word vectors are stored as
    float16, and words after the first 256 word pieces of a text have zero vectors.

    Attributes:
        base: Frozen encoder of the word vectors: a folder, `package:NAME` or a Hugging Face name.
            The paper uses the uncased BERT-base.
        tagger: Name or folder of a spaCy pipeline with a part-of-speech tagger. It also splits
            texts into words.
        epochs: Number of passes over the training texts.
        batch: Number of texts in a training step.
        hidden: Number of dimensions of the LSTM's states in each direction.
        layers: Number of layers of the LSTM.
        learning_rate: Learning rate of the Adam optimizer.
        dropout: Dropout probability before the BiLSTM, between its layers and after it.
        seed: Random seed of the weights and of the batches.
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
        """Load the encoder and the spaCy pipeline with the part-of-speech tagger.

        Returns:
            The spaCy pipeline, without components that are not needed.

        Raises:
            InputError: If there is no such encoder or pipeline, or if the pipeline has no tagger.
        """
        self._encoder = TokenVectors(self.base)
        pipes, unused = ["tagger", "morphologizer"], ["parser", "ner", "lemmatizer"]
        return load_with(self.tagger, "part-of-speech tagger", pipes, exclude=unused)

    def read(self, docs: "Sequence[Doc]") -> list[Row]:
        """Convert texts to words, part-of-speech tags and word vectors.

        Args:
            docs: Tagged documents, one for each text.

        Returns:
            For each text, its words with their tags, and its word vectors, [words, width].
        """
        texts = list(map(TaggedWords.of, docs))
        vectors = self._encoder([text.words for text in texts])
        return list(zip(texts, map(torch.from_numpy, vectors), strict=True))

    def make_network(self, docs: "Sequence[Doc]") -> "LSTMCRFNetwork":
        """Create the untrained network, with a vocabulary from the training texts.

        Args:
            docs: Tagged documents of the training texts.

        Returns:
            A network with random weights.
        """
        vocabulary = Vocabulary(list(map(TaggedWords.of, docs)))
        return LSTMCRFNetwork(vocabulary, self._encoder.width, self)


class LSTMCRFNetwork(nn.Module):
    """Network of a BiLSTM and a conditional random field (CRF) that tags words.

    The BiLSTM scores the tags of each word. The CRF also takes into account which tags follow one
    another.
    """

    def __init__(self, vocabulary: Vocabulary, width: int, settings: LSTMCRF) -> None:
        """Create the layers of the network with random weights.

        Args:
            vocabulary: Vocabulary with the ids of the part-of-speech tags.
            width: Number of dimensions of the encoder's word vectors.
            settings: The system, which has the number and size of the layers and the dropout
                probability.
        """
        super().__init__()
        self.vocabulary = vocabulary
        tags, layers, dropout = len(vocabulary.tags), settings.layers, settings.dropout
        self.bilstm = BiLSTM(tags, width, settings.hidden, layers, dropout)
        self.dropout = nn.Dropout(dropout)
        self.scores = nn.Linear(2 * settings.hidden, len(TAGS), bias=False)
        self.crf = CRF(len(TAGS), batch_first=True)

    def loss(self, rows: Sequence[Row], gold: Sequence[Tensor]) -> Tensor:
        """Compute the negative log-likelihood of the gold tags of texts.

        Args:
            rows: For each text, its words with their part-of-speech tags, and its word vectors.
            gold: Ids of the gold tags of each text, int64 [words].

        Returns:
            The mean over the texts, a scalar tensor.
        """
        emissions, mask = self._emissions(rows)
        tags = pad_sequence(list(gold), batch_first=True)
        likelihood: Tensor = self.crf(emissions, tags, mask=mask, reduction="mean")
        return -likelihood

    def decode(self, rows: Sequence[Row]) -> list[list[int]]:
        """Find the most likely sequence of tags of each text with the Viterbi algorithm.

        Args:
            rows: For each text, its words with their part-of-speech tags, and its word vectors.

        Returns:
            For each text, the ids of the tags of its words.
        """
        decoded: list[list[int]] = self.crf.decode(*self._emissions(rows))
        return decoded

    def _emissions(self, rows: Sequence[Row]) -> tuple[Tensor, Tensor]:
        """Return the tags' scores, [texts, words, tags], and a mask that is False for padding."""
        batch = self.vocabulary.batch([text for text, _ in rows])
        vectors = pad_sequence([vectors.float() for _, vectors in rows], batch_first=True)
        states = self.bilstm(vectors, batch.tags, batch.lengths)
        scores: Tensor = self.scores(self.dropout(states))
        return scores, batch.words != PAD
