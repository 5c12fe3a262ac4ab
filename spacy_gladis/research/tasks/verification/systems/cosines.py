"""Systems that verify a sense by cosines of context and sense, which are encoded separately.

The lower layers of an encoder represent words, and the upper layers represent topics. A sense may
agree with a context in one respect and not in the other. A weighted sum of the cosines at several
layers therefore contains more information than a single cosine.

The cosines are also useful before any fine-tuning. In contrast, the linear layer of the systems in
`bert.py` starts with random weights and has only 2,800 pairs to learn from.
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
    """Verifies senses by comparing AcroBERT's cosine of context and sense with a threshold.

    Attributes:
        model: Folder with AcroBERT's weights, or of any other BERT. None for the packaged weights.
    """

    model: Model = None

    def fit(self, training: Training) -> None:
        """Choose the threshold with the highest accuracy on the training set.

        The network is not trained.

        Args:
            training: Target words in their contexts, with senses and labels.
        """
        self._acrobert = AcroBERT.load(self.model)
        self._threshold = best_threshold(self._cosines(training.senses), training.labels)

    def predict(self, questions: Sequence[TargetSense]) -> Doubles:
        """Score how likely it is that each target word has the given sense.

        The scores are cosines, shifted so that the threshold becomes 0.5.

        Args:
            questions: Target words in their contexts, each with a sense.

        Returns:
            Scores in 0..1, float64 [questions]. They are not calibrated probabilities.
        """
        scores: Doubles = (1 + np.clip(self._cosines(questions) - self._threshold, -1, 1)) / 2
        return scores

    def _cosines(self, senses: Sequence[TargetSense]) -> Doubles:
        texts = [f"{sense.target}: {sense.sense}" for sense in senses]
        mentions = [sense.mention for sense in senses]
        cosines: Doubles = self._acrobert.compare(mentions, texts).astype(float)
        return cosines


def best_threshold(scores: Doubles, labels: Sequence[bool]) -> float:
    """Find the threshold of a score that separates positive from negative items best.

    Args:
        scores: Score of each item, -1..1, [items].
        labels: Whether each item is positive.

    Returns:
        The threshold with the highest accuracy. It lies half-way between two scores, or between a
        score and -1 or 1.
    """
    order = np.argsort(scores, kind="stable")
    truth = np.asarray(labels, dtype=bool)[order]
    # If the threshold is just below the score at index i, the first i answers are "no".
    right = np.concatenate([[0], np.cumsum(~truth)]) + truth.sum()
    right -= np.concatenate([[0], np.cumsum(truth)])
    index = int(right.argmax())
    ordered = np.concatenate([[-1.0], scores[order], [1.0]])
    return float(ordered[index : index + 2].mean())


LAYERS = 5
"""Number of uppermost layers of the encoder at which vectors are compared."""

DECAY = 30.0
"""Weight decay of the logistic regression on cosines. It was chosen by cross-validation over the
target words of the training set."""


class LayerCosines(nn.Module):
    """Network that scores whether a word has a sense, from cosines at several layers of an encoder.

    The context and the sense are encoded separately. In both of them, the target word occurs: the
    sense is written after it, as in "bank: a financial institution". At each layer, two vectors are
    computed of the context and two of the sense: the mean of all tokens, and the mean of the
    target's tokens. The mean over the training set is subtracted from them. The input of the linear
    layer are the cosines of all four pairs of a context's and a sense's vector.

    Attributes:
        centre: Means of the vectors over the training set, [2, layers, 2, hidden]. The first
            dimension distinguishes contexts from senses, the third all tokens from the target.
    """

    centre: Tensor

    def __init__(self, model: AcroBERT, frozen: int = 0) -> None:
        """Add a linear layer to the encoder of an AcroBERT model.

        Args:
            model: Model whose encoder is used, and trained in place.
            frozen: Number of lowest layers that are not trained. If it is positive, the embeddings
                are not trained either. 0 trains all layers.
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
        """Fit the weights of the cosines by logistic regression, without training the encoder.

        The means of the vectors over the training set are computed first.

        Args:
            contexts: Windows of the contexts, whose mentions are the target words.
            senses: Windows of the senses, one for each context.
            labels: Whether each target word has the sense.
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
        """Compute the logit that each target word has its sense.

        Args:
            contexts: Windows of the contexts, whose mentions are the target words.
            senses: Windows of the senses, one for each context.

        Returns:
            The logits, [contexts].
        """
        cosines = self._cosines(self._vectors(contexts), self._vectors(senses))
        logits: Tensor = self.answer(cosines).squeeze(-1)
        return logits

    def probabilities(self, contexts: Sequence[Window], senses: Sequence[Window]) -> Doubles:
        """Compute the probability that each target word has its sense, without gradients.

        Args:
            contexts: Windows of the contexts, whose mentions are the target words.
            senses: Windows of the senses, one for each context.

        Returns:
            The probabilities, float64 [contexts].
        """
        cosines = self._cosines(self._all_vectors(contexts), self._all_vectors(senses))
        with inference(self, torch.float32):
            logits: Tensor = self.answer(cosines.to(self.centre.device)).squeeze(-1)
        probabilities: Doubles = logits.double().sigmoid().cpu().numpy()
        return probabilities

    def _vectors(self, windows: Sequence[Window]) -> Tensor:
        """Return the two vectors of each window at each layer, [windows, layers, 2, hidden]."""
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
        """Return the cosines of all pairs of vectors at each layer, [windows, 4 * layers]."""
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
    """Verifies senses by a weighted sum of cosines of context and sense at several layers.

    The weights are first fitted by logistic regression. Then the encoder and the weights are
    fine-tuned together, unless the number of epochs is 0.
    """

    def fit(self, training: Training) -> None:
        """Load the encoder, fit the weights of the cosines, then fine-tune both.

        Args:
            training: Target words in their contexts, with senses and labels.
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
        """Predict the probability that each target word has the given sense.

        Args:
            questions: Target words in their contexts, each with a sense.

        Returns:
            The probabilities, float64 [questions], in the order of the questions.
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
