"""Context and sense read apart, compared by cosines: of AcroBERT, or of an encoder's layers.

Target sense verification by cosines: context and sense are read apart, compared at every layer.

The lower layers still tell words, the upper ones what a text is about, and a sense may agree with
a context in one and not in the other: a weighted sum of all their cosines knows more than the
retriever's one. It also starts from an answer that is worth something, where a layer on top of a
pair read together (`bert.py`) starts from none and has 2,800 pairs to learn from.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional as F  # noqa: N812

from .....arrays import Doubles
from .....encoder.engines.torch import tokens_per_pass
from .....encoder.shared_windows import SharedWindow, WindowBatch
from .....encoder.word_pieces import SENSE_PIECES, Window, batch_by_length
from .....linking.acrobert import AcroBERT
from .....text import Mention
from ....datasets.wic_tsv import TargetSense
from ....training.logit import fit_logistic
from ....training.network import AcroNetwork, inference, mean_of
from ...options import Model
from ..data import Training
from ..finetuning import FineTuned, freeze
from ..system import SYSTEMS, VerificationSystem


@SYSTEMS.register("acrobert", "AcroBERT's cosine and a threshold.", "ours")
@dataclass
class AcroBERTZeroShot(VerificationSystem):
    """The retriever's cosine of context and sense, and a threshold set on the training set.

    Attributes:
        model: A folder of AcroBERT's weights, or of any BERT as an untrained start; None for the
            packaged one.
    """

    model: Model = None

    def fit(self, training: Training) -> None:
        """Take the threshold with the highest accuracy; the network stays as it is."""
        self._acrobert = AcroBERT.load(self.model)
        self._threshold = best_threshold(self._cosines(training.senses), training.labels)

    def predict(self, questions: Sequence[TargetSense]) -> Doubles:
        """The cosines, moved so that the threshold is at 0.5; an order, not calibrated."""
        scores: Doubles = (1 + np.clip(self._cosines(questions) - self._threshold, -1, 1)) / 2
        return scores

    def _cosines(self, senses: Sequence[TargetSense]) -> Doubles:
        texts = [f"{one.target}: {one.sense}" for one in senses]
        mentions = [one.mention for one in senses]
        cosines: Doubles = self._acrobert.compare(mentions, texts).astype(float)
        return cosines


def best_threshold(scores: Doubles, labels: Sequence[bool]) -> float:
    """The threshold with the highest accuracy, half-way between two scores."""
    order = np.argsort(scores, kind="stable")
    truth = np.asarray(labels, dtype=bool)[order]
    # With the threshold below index i, the first i answers are "no" and the others "yes".
    right = np.concatenate([[0], np.cumsum(~truth)]) + truth.sum()
    right -= np.concatenate([[0], np.cumsum(truth)])
    index = int(right.argmax())
    ordered = np.concatenate([[-1.0], scores[order], [1.0]])
    return float(ordered[index : index + 2].mean())


LAYERS = 5
"""Layers that are compared, counted from the last."""

DECAY = 30.0
"""Of the first weights of standardised cosines; chosen by cross-validation over training words."""


class LayerCosines(nn.Module):
    """Logits of "the target has this sense here".

    Of context and sense two vectors are taken at each layer: the mean of all tokens and the mean
    of the target's own (the sense is written behind its target). Each is moved by the mean over the
    training set, and all four pairs are compared.

    model: its encoder is trained in place. frozen: layers from the bottom, and the embeddings, that
    are not trained; 0 trains everything.
    """

    centre: Tensor

    def __init__(self, model: AcroBERT, frozen: int = 0) -> None:
        super().__init__()
        self.model, self.encoder = model, AcroNetwork.of(model.weights).bert
        freeze(self.encoder, frozen)
        depth = min(LAYERS, self.encoder.config.num_hidden_layers)
        self.answer = nn.Linear(4 * depth, 1)
        self.register_buffer("centre", torch.zeros(2, depth, 2, model.width))

    def begin(
        self, contexts: Sequence[Window], senses: Sequence[Window], labels: Sequence[bool]
    ) -> None:
        """Set the means, and fit the cosines' weights to the encoder as it is."""
        vectors = [self._all_vectors(windows) for windows in (contexts, senses)]
        self.centre.copy_(torch.stack([one.mean(0) for one in vectors]))
        cosines = self._cosines(*vectors).double().cpu().numpy()
        mean, deviation = cosines.mean(0), cosines.std(0) + 1e-6
        weights = fit_logistic((cosines - mean) / deviation, labels, DECAY)
        scaled = weights[:-1] / deviation
        with torch.no_grad():
            self.answer.weight.copy_(torch.from_numpy(scaled))
            self.answer.bias.fill_(float(weights[-1] - scaled @ mean))

    def forward(self, contexts: Sequence[Window], senses: Sequence[Window]) -> Tensor:
        """Logits [contexts], of one sense each; a window's mention is the target."""
        cosines = self._cosines(self._vectors(contexts), self._vectors(senses))
        logits: Tensor = self.answer(cosines).squeeze(-1)
        return logits

    def probabilities(self, contexts: Sequence[Window], senses: Sequence[Window]) -> Doubles:
        """Probabilities [contexts] that the target has the sense beside it."""
        cosines = self._cosines(self._all_vectors(contexts), self._all_vectors(senses))
        with inference(self, torch.float32):
            logits: Tensor = self.answer(cosines.to(self.centre.device)).squeeze(-1)
        probabilities: Doubles = logits.double().sigmoid().cpu().numpy()
        return probabilities

    def _vectors(self, windows: Sequence[Window]) -> Tensor:
        """[windows, layers, 2, hidden]"""
        read = [SharedWindow.from_window(window) for window in windows]
        batch = WindowBatch.from_windows(read, self.model.pieces.pad)
        ids, mask, mention = (
            torch.from_numpy(one).to(self.centre.device)
            for one in (batch.ids, batch.mask, batch.mention_mask)
        )
        positions = torch.arange(ids.shape[1], device=ids.device).expand_as(ids)
        states = self.encoder.layers(ids, positions, torch.zeros_like(ids), mask[:, None, None])
        kept = [torch.stack([mean_of(one, mask), mean_of(one, mention)], 1) for one in states]
        return torch.stack(kept[-self.centre.shape[1] :], 1).float()

    def _all_vectors(self, windows: Sequence[Window]) -> Tensor:
        lengths = [len(window.ids) for window in windows]
        vectors = torch.zeros(len(windows), *self.centre.shape[1:])
        with inference(self):
            for rows in batch_by_length(lengths, tokens_per_pass(self.centre.device)):
                vectors[rows] = self._vectors([windows[row] for row in rows]).cpu()
        return vectors

    def _cosines(self, contexts: Tensor, senses: Tensor) -> Tensor:
        """[windows, 4 * layers]"""
        of_context, of_sense = (
            F.normalize(vectors - centre.to(vectors.device), dim=-1)
            for vectors, centre in zip((contexts, senses), self.centre, strict=True)
        )
        return (of_context @ of_sense.transpose(-1, -2)).flatten(1)


@SYSTEMS.register("acrobert-tuned", "cosines-tuned from AcroBERT.", "ours", base=None)
@SYSTEMS.register("cosines-tuned", "cosines, then the encoder fine-tuned.", "ours")
@SYSTEMS.register("cosines", "Cosines of an encoder's layers, weighed.", "ours", epochs=0, seed=0)
@dataclass
class LayerCosineVerifier(FineTuned):
    """Logistic regression on cosines, then fine-tuning from its answers; no epochs leave that."""

    def fit(self, training: Training) -> None:
        """Weigh the cosines of a fresh copy of the encoder, and fine-tune it."""
        network = self._network = LayerCosines(AcroBERT.load(self.start), self.frozen)
        network.to(self.device)
        contexts, texts = self._windows(training.senses)
        network.begin(contexts, texts, training.labels)
        if self.epochs:
            self.finetune(
                network,
                lambda rows: network([contexts[row] for row in rows], [texts[row] for row in rows]),
                training.labels,
                [len(one.ids) + len(two.ids) for one, two in zip(contexts, texts, strict=True)],
            )

    def predict(self, questions: Sequence[TargetSense]) -> Doubles:
        """The network's probabilities."""
        return self._network.probabilities(*self._windows(questions))

    def _windows(self, senses: Sequence[TargetSense]) -> tuple[list[Window], list[Window]]:
        model = self._network.model
        plain = model.pieces.without_markers()
        # Only AcroBERT was taught what the marks of a mention mean.
        pieces = model.pieces if (self.start / "acrobert.json").is_file() else plain
        contexts = [one.mention for one in senses]
        texts = [Mention(f"{one.target}: {one.sense}", 0, len(one.target)) for one in senses]
        return pieces.encode_windows(contexts, model.settings.window), plain.encode_windows(
            texts, SENSE_PIECES
        )
