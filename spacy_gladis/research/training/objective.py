"""Training objectives: each has a network, creates the batch of a step, and computes its loss.

`CandidateObjective` trains the packaged model to find the right long form of a mention. Its loss
has two parts. One is a softmax over all long forms in the batch, and the other is a softmax over
the sample's own candidates.
"""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple, Protocol

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional as F  # noqa: N812

from ...encoder.word_pieces import crop, pad
from .dataset import Array, TrainingSet
from .network import AcroNetwork, Packed, pack
from .order import Draw, SampleSource, equal_parts


class Objective(Protocol):
    """The interface of training objectives, which the training loop uses.

    A batch can be of any type, as long as `loss` and `split` accept what `batch` returns.
    """

    @property
    def module(self) -> nn.Module:
        """The network that is trained."""

    def batch(self, step: int) -> Any:
        """Create the batch of a training step.

        The batch depends only on the number of the step, so that an interrupted run can resume.

        Args:
            step: Number of the batch, starting at 0.

        Returns:
            The batch, in any type that `loss` and `split` accept.
        """

    def split(self, batch: Any, parts: int) -> Sequence[Any]:
        """Split a batch into parts, for a device with too little memory for the whole batch.

        Args:
            batch: Batch that `batch` returned.
            parts: Maximum number of parts.

        Returns:
            The parts, which have about the same size. Each is of the same type as the batch.
        """

    def loss(self, batch: Any) -> tuple[Tensor, dict[str, float]]:
        """Compute the loss of a batch.

        Args:
            batch: Batch that `batch` returned, or a part of it.

        Returns:
            The scalar loss to minimise, averaged over the samples, and figures for the log by name.
        """

    def evaluate(self) -> dict[str, float]:
        """Evaluate the network on held-out samples.

        Returns:
            Figures by name. The highest `score` selects the best weights. Empty if there are no
            held-out samples.
        """


def held_out_accuracy(batches: Iterable[Tensor]) -> dict[str, float]:
    """Compute the share of held-out samples whose right long form is ranked first.

    Args:
        batches: For each batch, whether each sample is right, bool [samples].

    Returns:
        The share, 0..1, under the key `score`. Empty if there are no batches.
    """
    nearest = list(batches)
    return {"score": torch.cat(nearest).double().mean().item()} if nearest else {}


WINDOWS = (32, 48, 64)
"""Maximum numbers of word pieces in a context window. Each batch uses one of them at random, so
that the model learns from short and from long contexts."""


class Batch(NamedTuple):
    """The tensors of a training step, for AcroBERT's network.

    Attributes:
        ids: Ids of the contexts' word pieces, [samples, tokens].
        mask: Whether each token is a word piece rather than padding, bool [samples, tokens].
        mention: Whether each token belongs to the mention, bool [samples, tokens].
        rows: For each sample, the rows of its candidates in the training set's long forms, with the
            right one first, [samples, candidates].
        candidates: The tokenised candidates. All candidates of a sample share a row.
    """

    ids: Tensor
    mask: Tensor
    mention: Tensor
    rows: Tensor
    candidates: Packed

    def part(self, first: int, last: int) -> "Batch":
        """Return a batch with a slice of the samples and their candidates.

        Args:
            first: Index of the first sample.
            last: Index after the last sample.
        """
        ids, owner, positions = (tensor[first:last] for tensor in self.candidates)
        packed = Packed(ids, (owner - first * self.rows.shape[1]).clamp(min=-1), positions)
        rest = {name: tensor for name, tensor in self._asdict().items() if name != "candidates"}
        return Batch(
            candidates=packed, **{name: tensor[first:last] for name, tensor in rest.items()}
        )


def read_windows(
    data: TrainingSet, samples: Iterable[int], size: int, pad_id: int
) -> tuple[Array, Array]:
    """Read the context windows of samples, shorten them to a maximum length, and pad them.

    Args:
        data: Training set with the tokenised windows.
        samples: Indices of the samples.
        size: Maximum number of word pieces in a window.
        pad_id: Id of the padding token.

    Returns:
        Two arrays [samples, tokens]: the ids of the word pieces, and whether each token belongs to
        the mention.
    """
    views = [crop(data.windows[i], data.mentions[i], size) for i in samples]
    ids = pad([view.ids for view in views], pad_id)
    mention = np.zeros(ids.shape, dtype=bool)
    for row, view in zip(mention, views, strict=True):
        row[slice(*view.mention)] = True
    return ids, mention


class CandidateObjective:
    """A training objective that teaches AcroBERT to find the right long form of a mention.

    It adds up two softmax losses. One is over all long forms in the batch, and the other is over
    each sample's own candidates.
    """

    def __init__(self, module: AcroNetwork, source: SampleSource) -> None:
        """Create the objective from a network and a source of samples.

        Args:
            module: Network to train.
            source: Source of the samples and their negatives.
        """
        self.module, self.source = module, source

    def batch(self, step: int) -> Batch:
        """Create the batch of a training step, on the network's device.

        Args:
            step: Number of the batch, starting at 0.

        Returns:
            The contexts of the samples and their candidates.
        """
        return self._make(self.source.draw(step))

    def split(self, batch: Batch, parts: int) -> list[Batch]:
        """Split a batch into parts, for a device with too little memory for the whole batch.

        A sample is compared only with long forms of its part, which are fewer than in the whole
        batch.

        Args:
            batch: Batch to split.
            parts: Maximum number of parts.

        Returns:
            The parts, whose sizes differ by at most one sample.
        """
        return [batch.part(*ends) for ends in equal_parts(len(batch.rows), parts)]

    def _make(self, draw: Draw) -> Batch:
        data, samples, rows, rng = draw
        pad_id = self.source.pad_id
        ids, mention = read_windows(data, samples, int(rng.choice(WINDOWS)), pad_id)
        candidates = pack([[data.long_forms[row] for row in line] for line in rows], pad_id)
        device = next(self.module.parameters()).device
        arrays = (ids, ids != pad_id, mention, rows)
        tensors = [torch.from_numpy(array).to(device) for array in arrays]
        return Batch(tensors[0], tensors[1], tensors[2], tensors[3], candidates.to(device))

    def scores(self, batch: Batch) -> tuple[Tensor, Tensor]:
        """Score the long forms of a batch for each sample. A score is a scaled cosine.

        Args:
            batch: Contexts of the samples and their candidates.

        Returns:
            Scores of all long forms in the batch, [samples, samples * candidates], and scores of
            each sample's own candidates, [samples, candidates].
        """
        n, k = batch.rows.shape
        vectors = self.module.encode_long_forms(batch.candidates)
        queries = self.module(batch.ids, batch.mask, batch.mention)
        scores = self.module.scale.exp() * queries @ vectors.T
        own_columns = torch.arange(n * k, device=scores.device).view(n, k)
        return scores, scores.gather(1, own_columns)

    def loss(self, batch: Batch) -> tuple[Tensor, dict[str, float]]:
        """Compute the loss over all long forms plus the loss over each sample's own candidates.

        Args:
            batch: Contexts of the samples and their candidates.

        Returns:
            The scalar loss, and for the log both losses and the accuracy, which is the share of
            samples whose right candidate has the highest score.
        """
        scores, candidates = self.scores(batch)
        n, k = batch.rows.shape
        flat = batch.rows.flatten()
        own_columns = torch.arange(0, n * k, k, device=flat.device)
        # A candidate of another sample isn't a negative if it is also this sample's right answer.
        same = flat[None] == batch.rows[:, :1]
        same[torch.arange(n, device=flat.device), own_columns] = False
        retrieval = F.cross_entropy(scores.masked_fill(same, float("-inf")), own_columns)
        target = torch.zeros(n, dtype=torch.long, device=flat.device)
        choice = F.cross_entropy(candidates, target)
        with torch.no_grad():
            figures = {
                "batch_loss": retrieval.item(),
                "candidates_loss": choice.item(),
                "accuracy": (candidates.argmax(1) == 0).float().mean().item(),
            }
        return retrieval + choice, figures

    def evaluate(self) -> dict[str, float]:
        """Measure the accuracy on held-out samples: how often the right candidate scores highest.

        Returns:
            The accuracy, 0..1, under the key `score`. Empty if there are no held-out samples.
        """
        batches = map(self._make, self.source.held_out_draws())
        return held_out_accuracy(self.scores(batch)[1].argmax(1) == 0 for batch in batches)


class CandidateTripletObjective(CandidateObjective):
    """A training objective for AcroBERT with the triplet loss of GLADIS.

    The distance of a context and a long form is `(1 - cosine) / 2`, which is in 0..1.
    """

    def __init__(self, module: AcroNetwork, source: SampleSource, margin: float = 0.2) -> None:
        """Create the objective from a network and a source of samples.

        Args:
            module: Network to train.
            source: Source of the samples and their negatives.
            margin: Distance by which the right long form must be nearer than a wrong one, 0..1.
        """
        super().__init__(module, source)
        self.margin = margin

    def loss(self, batch: Batch) -> tuple[Tensor, dict[str, float]]:
        """Compute the mean triplet loss `max(0, d(right) - d(wrong) + margin)` of a batch.

        Args:
            batch: Contexts of the samples and their candidates.

        Returns:
            The scalar loss, and for the log the `accuracy` and the share of triplets whose loss is
            above 0 (`open_triplets`).
        """
        distances = (1 - self.scores(batch)[1] / self.module.scale.exp()) / 2
        excess = distances[:, :1] - distances[:, 1:] + self.margin
        return excess.relu().mean(), {
            "accuracy": (distances.argmin(1) == 0).float().mean().item(),
            "open_triplets": (excess > 0).float().mean().item(),
        }
