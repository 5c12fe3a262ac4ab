"""Target sense verification by cosines of context and sense, which are encoded separately.

The lower layers of an encoder represent words and the upper layers topics, and a sense may agree
with a context in one and not in the other. A weighted sum of all cosines therefore has more
information than the retriever's single cosine. It also starts from a useful answer, while a layer
on top of a pair encoded together (`bert.py`) has to learn from 2,800 pairs alone.
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
from .....linking.model_folder import is_acrobert
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
    """Compares the retriever's cosine of context and sense with a threshold.

    Attributes:
        model: A folder of AcroBERT's weights, or of any BERT as an untrained start; None for the
            packaged one.
    """

    model: Model = None

    def fit(self, training: Training) -> None:
        """Choose the threshold with the highest accuracy, without training the network.

        Args:
            training: The training set, with its labels.
        """
        self._acrobert = AcroBERT.load(self.model)
        self._threshold = best_threshold(self._cosines(training.senses), training.labels)

    def predict(self, questions: Sequence[TargetSense]) -> Doubles:
        """Return the cosines, shifted so that the threshold is at 0.5. They are not calibrated.

        Args:
            questions: Target senses in their contexts.

        Returns:
            Probabilities [questions].
        """
        scores: Doubles = (1 + np.clip(self._cosines(questions) - self._threshold, -1, 1)) / 2
        return scores

    def _cosines(self, senses: Sequence[TargetSense]) -> Doubles:
        texts = [f"{sense.target}: {sense.sense}" for sense in senses]
        mentions = [sense.mention for sense in senses]
        cosines: Doubles = self._acrobert.compare(mentions, texts).astype(float)
        return cosines


def best_threshold(scores: Doubles, labels: Sequence[bool]) -> float:
    """Find the threshold with the highest accuracy, which lies half-way between two scores.

    Args:
        scores: Scores [items].
        labels: Whether each item is positive.

    Returns:
        The threshold.
    """
    order = np.argsort(scores, kind="stable")
    truth = np.asarray(labels, dtype=bool)[order]
    # With the threshold below index i, the first i answers are "no" and the rest "yes".
    right = np.concatenate([[0], np.cumsum(~truth)]) + truth.sum()
    right -= np.concatenate([[0], np.cumsum(truth)])
    index = int(right.argmax())
    ordered = np.concatenate([[-1.0], scores[order], [1.0]])
    return float(ordered[index : index + 2].mean())


LAYERS = 5
"""Number of uppermost layers whose vectors are compared."""

DECAY = 30.0
"""Weight decay of the first fit, chosen by cross-validation over the training words."""


class LayerCosines(nn.Module):
    """A network that answers whether the target has the sense, from cosines at each layer.

    Context and sense give two vectors per layer: the mean of all tokens and the mean of the
    target's tokens (a sense is written after its target). Each is centred by its mean over the
    training set, and all four pairs are compared.

    Attributes:
        centre: Means over the training set, [context or sense, layers, 2, hidden].
    """

    centre: Tensor

    def __init__(self, model: AcroBERT, frozen: int = 0) -> None:
        """Add a classifier to an encoder.

        Args:
            model: The model, whose encoder is trained in place.
            frozen: Number of lowest layers to freeze, together with the embeddings. 0 trains all
                layers.
        """
        super().__init__()
        self.model, self.encoder = model, AcroNetwork.of(model.weights).bert
        freeze(self.encoder, frozen)
        depth = min(LAYERS, self.encoder.config.num_hidden_layers)
        self.answer = nn.Linear(4 * depth, 1)
        self.register_buffer("centre", torch.zeros(2, depth, 2, model.width))

    def begin(
        self, contexts: Sequence[Window], senses: Sequence[Window], labels: Sequence[bool]
    ) -> None:
        """Compute the means, and fit the weights of the cosines without training the encoder.

        Args:
            contexts: Windows of the contexts, whose mentions are the targets.
            senses: Windows of the senses, one per context.
            labels: Whether the target has the sense.
        """
        vectors = [self._all_vectors(windows) for windows in (contexts, senses)]
        self.centre.copy_(torch.stack([part.mean(0) for part in vectors]))
        cosines = self._cosines(*vectors).double().cpu().numpy()
        mean, deviation = cosines.mean(0), cosines.std(0) + 1e-6
        weights = fit_logistic((cosines - mean) / deviation, labels, DECAY)
        scaled = weights[:-1] / deviation
        with torch.no_grad():
            self.answer.weight.copy_(torch.from_numpy(scaled))
            self.answer.bias.fill_(float(weights[-1] - scaled @ mean))

    def forward(self, contexts: Sequence[Window], senses: Sequence[Window]) -> Tensor:
        """Compute the logit of each target sense.

        Args:
            contexts: Windows of the contexts, whose mentions are the targets.
            senses: Windows of the senses, one per context.

        Returns:
            Logits [contexts].
        """
        cosines = self._cosines(self._vectors(contexts), self._vectors(senses))
        logits: Tensor = self.answer(cosines).squeeze(-1)
        return logits

    def probabilities(self, contexts: Sequence[Window], senses: Sequence[Window]) -> Doubles:
        """Compute probabilities that the targets have the senses, without gradients.

        Args:
            contexts: Windows of the contexts, whose mentions are the targets.
            senses: Windows of the senses, one per context.

        Returns:
            Probabilities [contexts].
        """
        cosines = self._cosines(self._all_vectors(contexts), self._all_vectors(senses))
        with inference(self, torch.float32):
            logits: Tensor = self.answer(cosines.to(self.centre.device)).squeeze(-1)
        probabilities: Doubles = logits.double().sigmoid().cpu().numpy()
        return probabilities

    def _vectors(self, windows: Sequence[Window]) -> Tensor:
        """Return vectors [windows, layers, 2, hidden]."""
        read = [SharedWindow.from_window(window) for window in windows]
        batch = WindowBatch.from_windows(read, self.model.pieces.pad)
        ids, mask, mention = (
            torch.from_numpy(part).to(self.centre.device)
            for part in (batch.ids, batch.mask, batch.mention_mask)
        )
        positions = torch.arange(ids.shape[1], device=ids.device).expand_as(ids)
        states = self.encoder.layers(ids, positions, torch.zeros_like(ids), mask[:, None, None])
        kept = [torch.stack([mean_of(state, mask), mean_of(state, mention)], 1) for state in states]
        return torch.stack(kept[-self.centre.shape[1] :], 1).float()

    def _all_vectors(self, windows: Sequence[Window]) -> Tensor:
        lengths = [len(window.ids) for window in windows]
        vectors = torch.zeros(len(windows), *self.centre.shape[1:])
        with inference(self):
            for rows in batch_by_length(lengths, tokens_per_pass(self.centre.device)):
                vectors[rows] = self._vectors([windows[row] for row in rows]).cpu()
        return vectors

    def _cosines(self, contexts: Tensor, senses: Tensor) -> Tensor:
        """Return cosines [windows, 4 * layers]."""
        of_context, of_sense = (
            F.normalize(vectors - centre.to(vectors.device), dim=-1)
            for vectors, centre in zip((contexts, senses), self.centre, strict=True)
        )
        return (of_context @ of_sense.transpose(-1, -2)).flatten(1)


@SYSTEMS.register("acrobert-tuned", "cosines-tuned from AcroBERT.", "ours", base=None)
@SYSTEMS.register("cosines-tuned", "cosines with a fine-tuned encoder.", "ours")
@SYSTEMS.register("cosines", "Weighted cosines of an encoder's layers.", "ours", epochs=0, seed=0)
@dataclass
class LayerCosineVerifier(FineTuned):
    """Verifies target senses by logistic regression on cosines, followed by fine-tuning.

    With 0 epochs, the encoder is not fine-tuned.
    """

    def fit(self, training: Training) -> None:
        """Fit the weights of the cosines with a fresh copy of the encoder, then fine-tune it.

        Args:
            training: The training set, with its labels.
        """
        network = self._network = LayerCosines(AcroBERT.load(self.start), self.frozen)
        network.to(self.device)
        contexts, texts = self._windows(training.senses)
        network.begin(contexts, texts, training.labels)
        if self.epochs:
            self.finetune(
                network,
                lambda rows: network([contexts[row] for row in rows], [texts[row] for row in rows]),
                training.labels,
                [len(a.ids) + len(b.ids) for a, b in zip(contexts, texts, strict=True)],
            )

    def predict(self, questions: Sequence[TargetSense]) -> Doubles:
        """Predict probabilities.

        Args:
            questions: Target senses in their contexts.

        Returns:
            Probabilities [questions].
        """
        return self._network.probabilities(*self._windows(questions))

    def _windows(self, senses: Sequence[TargetSense]) -> tuple[list[Window], list[Window]]:
        model = self._network.model
        plain = model.pieces.without_markers()
        # Only AcroBERT was trained with the markers of a mention.
        pieces = model.pieces if is_acrobert(self.start) else plain
        contexts = [sense.mention for sense in senses]
        texts = [
            Mention(f"{sense.target}: {sense.sense}", 0, len(sense.target)) for sense in senses
        ]
        return pieces.encode_windows(contexts, model.settings.window), plain.encode_windows(
            texts, SENSE_PIECES
        )
