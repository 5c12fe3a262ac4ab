"""Base classes and registry of the systems that label texts or tokens."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional as F  # noqa: N812
from torch.nn.utils.rnn import pad_sequence

from ...training.network import has_native_bf16, inference
from ..options import Device, Epochs, LearningRate
from ..registry import Registry
from ..system import System
from .data import Training

OUTSIDE, PAD = "O", -1


class LabellingSystem(System[Training, Sequence[str], Sequence[str]]):
    """Base class of systems that predict a label for each text, or one for each of its tokens."""


SYSTEMS: Registry[LabellingSystem] = Registry(f"{__package__}.systems")


class Encoded(NamedTuple):
    """A text in the form that a neural network reads.

    Attributes:
        ids: Ids of the tokens or word pieces of the text.
        places: Positions in `ids` at which the network predicts a label: one for each token, or
            only the first one if the whole text has a single label.
    """

    ids: list[int]
    places: list[int]


@dataclass
class NeuralSystem(LabellingSystem):
    """Base class of systems that label texts or tokens with a neural network.

    The network returns the logits of the labels at each position, [texts, positions, labels]. It is
    trained with the cross-entropy loss. Elangovan et al. (2021) do not report training
    settings, so the default settings are ours.

    Attributes:
        epochs: Number of passes over the training part.
        learning_rate: Peak learning rate of the AdamW optimizer. It is reached after a tenth of the
            steps and then decays to 0.
        batch: Number of texts in a training step.
        device: Torch device to compute on, such as "cuda".
        seed: Random seed of the weights and of the batches.
    """

    epochs: Epochs = 3
    learning_rate: LearningRate = 1e-4
    batch: int = 32
    device: Device = "cpu"
    seed: int = 0

    def build(self, training: Training) -> nn.Module:
        """Create the untrained network for the labels of the training part.

        Args:
            training: Labelled texts of the training part, and their distinct labels.

        Returns:
            A torch module that takes ids, int64 [texts, tokens]. The id `PAD` marks padding.

        Raises:
            NotImplementedError: If a subclass does not override this method.
        """
        raise NotImplementedError

    def encode(self, tokens: Sequence[str]) -> Encoded:
        """Convert the tokens of a text to the input of the network.

        Args:
            tokens: Tokens of the text.

        Returns:
            The ids of the text, and the positions at which a label is predicted.

        Raises:
            NotImplementedError: If a subclass does not override this method.
        """
        raise NotImplementedError

    def fit(self, training: Training) -> None:
        """Create a network and train it on the labelled texts.

        Args:
            training: Labelled texts of the training part, and their distinct labels.
        """
        torch.manual_seed(self.seed)
        self._labels, self._by_token = list(training.labels), training.by_token
        self._network = self.build(training).to(self.device).train()
        rows = [self.encode(row.tokens) for row in training.rows]
        gold = [[self._labels.index(label) for label in row.labels] for row in training.rows]
        rng = np.random.default_rng(self.seed)
        batches = max(1, round(len(rows) / self.batch))
        optimizer = torch.optim.AdamW(self._network.parameters(), self.learning_rate)
        steps = batches * self.epochs
        warmup = max(1, steps // 10)
        schedule = torch.optim.lr_scheduler.LambdaLR(
            optimizer, lambda step: min((step + 1) / warmup, 1 - step / steps)
        )
        bf16 = has_native_bf16(torch.device(self.device))
        for _ in range(self.epochs):
            lengths = np.array([len(row.ids) for row in rows]) * rng.uniform(0.9, 1.1, len(rows))
            parts = np.array_split(np.argsort(lengths), batches)
            for part in rng.permutation(batches):
                chosen = parts[part].tolist()
                with torch.autocast(self.device.split(":")[0], torch.bfloat16, enabled=bf16):
                    logits = self._logits([rows[row] for row in chosen])
                labels = [gold[row][: len(rows[row].places)] for row in chosen]
                targets = torch.tensor([label for row in labels for label in row])
                optimizer.zero_grad()
                F.cross_entropy(logits.float(), targets.to(self.device)).backward()
                nn.utils.clip_grad_norm_(self._network.parameters(), 1.0)
                optimizer.step()
                schedule.step()

    def predict(self, questions: Sequence[Sequence[str]]) -> Iterator[Sequence[str]]:
        """Predict the label of each text, or the labels of its tokens.

        Args:
            questions: Texts as lists of tokens.

        Yields:
            The labels of each text, in the order of the texts: a single label, or one for each
            token. Tokens that the network does not read, because the text is too long, get the
            label `OUTSIDE`.
        """
        rows = [self.encode(tokens) for tokens in questions]
        order = sorted(range(len(rows)), key=lambda row: len(rows[row].ids))
        predicted: dict[int, list[str]] = {}
        for first in range(0, len(order), 2 * self.batch):
            chosen = order[first : first + 2 * self.batch]
            with inference(self._network):
                best = self._logits([rows[row] for row in chosen]).argmax(-1).tolist()
            for row in chosen:
                count = len(rows[row].places)
                predicted[row], best = [self._labels[label] for label in best[:count]], best[count:]
        for row, tokens in enumerate(questions):
            missing = len(tokens) - len(predicted[row]) if self._by_token else 0
            yield predicted[row] + [OUTSIDE] * missing

    def _logits(self, rows: Sequence[Encoded]) -> Tensor:
        """Return the logits at all positions where a label is predicted, [positions, labels]."""
        ids = pad_sequence([torch.tensor(row.ids) for row in rows], True, PAD)
        pairs = [(number, place) for number, row in enumerate(rows) for place in row.places]
        texts, places = torch.tensor(pairs, device=self.device).T
        logits: Tensor = self._network(ids.to(self.device))[texts, places]
        return logits
