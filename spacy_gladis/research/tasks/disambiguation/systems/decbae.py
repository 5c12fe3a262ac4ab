"""The system `decbae`: a separate BiLSTM classifier for each acronym, over an encoder's vectors."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn.utils.rnn import pack_sequence, pad_packed_sequence

from .....arrays import Doubles
from ....datasets.sample import Sample
from ...encoders import TokenVectors
from ...options import Encoder, Epochs
from ..data import Question, Training
from ..system import SYSTEMS, DisambiguationSystem


@SYSTEMS.register("decbae", "A BiLSTM over BERT for each acronym.", "SciAI/SciAD, section 4")
@dataclass
class DECBAE(DisambiguationSystem):
    """Classifies mentions into long forms with a separate BiLSTM for each acronym.

    This is a reimplementation from the description of Jin et al. (2019). A frozen encoder computes
    the word vectors of the sentence, which the BiLSTM reads. A linear layer classifies the BiLSTM's
    state at the acronym. The classes are the long forms that the acronym has in the training
    samples.

    The sizes are those of SciAI/SciAD, Appendix B.1. The learning rate and the number of epochs are
    not: the appendix prints a learning rate of 0.3 and no number of epochs. The paper tunes its
    settings on the development set. Here, no development set is used. The encoder does not read
    beyond 256 word pieces of a text: later words have zero vectors.

    Attributes:
        base: Encoder of the word vectors: a folder, `package:NAME` or a Hugging Face name.
        epochs: Number of passes over the training samples of each acronym.
        hidden: Number of dimensions of the LSTM's states in each direction.
        layers: Number of layers of the LSTM.
        dropout: Dropout probability between the LSTM's layers and before the linear layer.
        batch: Number of samples in a training step.
        learning_rate: Learning rate of the Adam optimizer.
        seed: Random seed of the weights and of the batches.
    """

    base: Encoder
    epochs: Epochs = 16
    hidden: int = 200
    layers: int = 2
    dropout: float = 0.2
    batch: int = 50
    learning_rate: float = 5e-3
    seed: int = 0

    def fit(self, training: Training) -> None:
        """Train a classifier for each acronym that has several long forms in the training samples.

        Args:
            training: Training data, of which the labelled training samples are used.

        Raises:
            InputError: If there are no labelled samples.
        """
        rows = training.labelled()
        self._encoder = TokenVectors(self.base)
        inputs = self._encode(rows)
        by_acronym: defaultdict[str, list[int]] = defaultdict(list)
        for row, sample in enumerate(rows):
            by_acronym[sample.acronym].append(row)
        self._networks: dict[str, Expander] = {}
        torch.manual_seed(self.seed)
        rng = np.random.default_rng(self.seed)
        for acronym, indices in by_acronym.items():
            names = [rows[row].long_form for row in indices]
            network = self._networks[acronym] = Expander(self._encoder.width, names, self)
            optimizer = torch.optim.Adam(network.parameters(), lr=self.learning_rate)
            for _ in range(self.epochs if len(network.long_forms) > 1 else 0):
                order = rng.permutation(indices).tolist()
                for first in range(0, len(order), self.batch):
                    chosen = order[first : first + self.batch]
                    gold = [network.long_forms.index(rows[row].long_form) for row in chosen]
                    optimizer.zero_grad()
                    logits = network([inputs[row] for row in chosen])
                    nn.functional.cross_entropy(logits, torch.tensor(gold)).backward()
                    optimizer.step()
            network.eval()

    def predict(self, questions: Sequence[Question]) -> Sequence[Doubles]:
        """Compute the probabilities of the candidate long forms of each mention.

        Args:
            questions: Mentions of acronyms, each with its candidate long forms.

        Returns:
            The probabilities for each mention, float64 [candidates], in the order of the questions.
            A candidate without training samples has the probability 0.
        """
        scores = []
        inputs = self._encode([question.sample for question in questions])
        for question, row in zip(questions, inputs, strict=True):
            probabilities: dict[str, float] = {}
            if network := self._networks.get(question.sample.acronym):
                with torch.inference_mode():
                    values = network([row])[0].softmax(-1).tolist()
                probabilities = dict(zip(network.long_forms, values, strict=True))
            scores.append(
                np.array([probabilities.get(c.long_form, 0.0) for c in question.candidates])
            )
        return scores

    def _encode(self, samples: Sequence[Sample]) -> list[tuple[Tensor, int]]:
        """Return the word vectors of each sample, [words, width], and its mention's word index."""
        before = [sample.text[: sample.start].split() for sample in samples]
        texts = [
            [*words, sample.text[sample.start : sample.end], *sample.text[sample.end :].split()]
            for words, sample in zip(before, samples, strict=True)
        ]
        vectors = [torch.from_numpy(rows).float() for rows in self._encoder(texts)]
        return list(zip(vectors, map(len, before), strict=True))


class Expander(nn.Module):
    """Network that classifies the mentions of one acronym into its long forms.

    A linear layer classifies the BiLSTM's state at the mention.

    Attributes:
        long_forms: The classes, which are the acronym's distinct long forms in alphabetical order.
    """

    def __init__(self, width: int, long_forms: Iterable[str], settings: DECBAE) -> None:
        """Create the layers of the network with random weights.

        Args:
            width: Number of dimensions of the encoder's word vectors.
            long_forms: Long forms of the acronym in the training samples, which may repeat.
            settings: The system, which has the sizes of the layers and the dropout probability.
        """
        super().__init__()
        self.long_forms = sorted(set(long_forms))
        self.lstm = nn.LSTM(
            width,
            settings.hidden,
            settings.layers,
            batch_first=True,
            bidirectional=True,
            dropout=settings.dropout,
        )
        self.dropout = nn.Dropout(settings.dropout)
        self.answer = nn.Linear(2 * settings.hidden, len(self.long_forms))

    def forward(self, rows: Sequence[tuple[Tensor, int]]) -> Tensor:
        """Compute the logits of the acronym's long forms in a batch of texts.

        Args:
            rows: For each text, the vectors of its words, [words, width], and the index of the word
                that is the mention.

        Returns:
            The logits, [texts, long forms], in the order of `long_forms`.
        """
        packed = pack_sequence([vectors for vectors, _ in rows], enforce_sorted=False)
        states = pad_packed_sequence(self.lstm(packed)[0], batch_first=True)[0]
        places = [place for _, place in rows]
        logits: Tensor = self.answer(self.dropout(states[torch.arange(len(rows)), places]))
        return logits
