"""DECBAE: for each acronym a BiLSTM over an encoder's vectors."""

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
    """Classify each acronym's mentions by a BiLSTM of its own.

    Reimplemented from the description (Jin et al. 2019), with the sizes of SciAI/SciAD, Appendix
    B.1: an encoder that is not trained reads the sentence, and the hidden state at the acronym
    chooses among the long forms that training shows. The learning rate, for which the appendix
    prints 0.3, and the number of epochs, which it does not state, are ours.

    Attributes:
        base: The encoder.
        epochs: Passes over the samples of each acronym.
        hidden: Width of the LSTM in each direction.
        layers: Layers of the LSTM.
        dropout: Between the layers and before the last one.
        batch: Samples a step.
        learning_rate: Of Adam.
        seed: Of the weights and of the batches.
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
        """Train a network for each acronym that has several long forms."""
        rows = training.labelled()
        self._encoder = TokenVectors(self.base)
        read = self._read(rows)
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
                    logits = network([read[row] for row in chosen])
                    nn.functional.cross_entropy(logits, torch.tensor(gold)).backward()
                    optimizer.step()
            network.eval()

    def predict(self, questions: Sequence[Question]) -> Sequence[Doubles]:
        """Probabilities of the candidates that training shows; 0 of the others."""
        scores = []
        for one, read in zip(questions, self._read([one.sample for one in questions]), strict=True):
            known: dict[str, float] = {}
            if network := self._networks.get(one.sample.acronym):
                with torch.inference_mode():
                    values = network([read])[0].softmax(-1).tolist()
                known = dict(zip(network.long_forms, values, strict=True))
            scores.append(np.array([known.get(c.long_form, 0.0) for c in one.candidates]))
        return scores

    def _read(self, samples: Sequence[Sample]) -> list[tuple[Tensor, int]]:
        """The vectors [words, width] of each sample's words, and the place of its mention."""
        before = [sample.text[: sample.start].split() for sample in samples]
        texts = [
            [*words, sample.text[sample.start : sample.end], *sample.text[sample.end :].split()]
            for words, sample in zip(before, samples, strict=True)
        ]
        vectors = [torch.from_numpy(one).float() for one in self._encoder(texts)]
        return list(zip(vectors, map(len, before), strict=True))


class Expander(nn.Module):
    """Logits of one acronym's long forms from the BiLSTM's state at the mention."""

    def __init__(self, width: int, long_forms: Iterable[str], settings: DECBAE) -> None:
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
        packed = pack_sequence([vectors for vectors, _ in rows], enforce_sorted=False)
        states = pad_packed_sequence(self.lstm(packed)[0], batch_first=True)[0]
        places = [place for _, place in rows]
        logits: Tensor = self.answer(self.dropout(states[torch.arange(len(rows)), places]))
        return logits
