"""Training objectives: a network, the batch of each step, and its loss.

`CandidateObjective` trains the packaged model to find the right long form among the acronym's
candidates. It adds two losses, a softmax over all long forms in the batch and one over the sample's
own candidates.
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
    """The interface of training objectives: a network, its batches and its loss.

    A batch can be of any type, as long as `loss` and `split` accept what `batch` returns.
    """

    @property
    def module(self) -> nn.Module:
        """Network to train."""

    def batch(self, step: int) -> Any:
        """Create the batch of a training step.

        Args:
            step: Number of the training step, starting at 0.

        Returns:
            The batch. It depends only on the step's number, so that interrupted runs can resume.
        """

    def split(self, batch: Any, parts: int) -> Sequence[Any]:
        """Split a batch into equal parts for a device with too little memory for the whole batch.

        Args:
            batch: The batch.
            parts: Number of parts.

        Returns:
            The parts.
        """

    def loss(self, batch: Any) -> tuple[Tensor, dict[str, float]]:
        """Compute the loss of a batch.

        Args:
            batch: The batch.

        Returns:
            The loss to minimise, which is averaged over the samples, and figures for the log.
        """

    def evaluate(self) -> dict[str, float]:
        """Return figures on held-out data, if any. `score` selects the best weights."""


def held_out_accuracy(batches: Iterable[Tensor]) -> dict[str, float]:
    """Compute the share of held-out samples whose right long form is the nearest.

    Args:
        batches: For each batch, whether each sample is right, [samples].

    Returns:
        The share (0..1) under the key `score`. Empty if there are no batches.
    """
    nearest = list(batches)
    return {"score": torch.cat(nearest).double().mean().item()} if nearest else {}


WINDOWS = (32, 48, 64)
"""Numbers of word pieces of a context window. Each batch uses one of them at random, so that the
model learns from short and long contexts."""


class Batch(NamedTuple):
    """Tensors of one step.

    Attributes:
        ids: Word pieces of the contexts, [samples, tokens].
        mask: Whether each is a token rather than padding, [samples, tokens].
        mention: Whether each token belongs to the mention, [samples, tokens].
        rows: Row numbers of long forms, the right one first, [samples, candidates].
        candidates: The long forms of these rows, with one row per sample.
    """

    ids: Tensor
    mask: Tensor
    mention: Tensor
    rows: Tensor
    candidates: Packed

    def part(self, first: int, last: int) -> "Batch":
        """Return a slice of the samples.

        Args:
            first: Index of the first sample.
            last: Index after the last sample.

        Returns:
            The slice.
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
    """Crop and pad the contexts of samples.

    Args:
        data: Tokenised samples.
        samples: Sample indices.
        size: Maximum number of word pieces of a context.
        pad_id: Id of the padding token.

    Returns:
        Word pieces, and whether each belongs to the mention, both [samples, tokens].
    """
    views = [crop(data.windows[i], data.mentions[i], size) for i in samples]
    ids = pad([view.ids for view in views], pad_id)
    mention = np.zeros(ids.shape, dtype=bool)
    for row, view in zip(mention, views, strict=True):
        row[slice(*view.mention)] = True
    return ids, mention


class CandidateObjective:
    """Trains AcroBERT with two softmax losses.

    One is over all long forms of the batch, the other over each sample's own candidates.
    """

    def __init__(self, module: AcroNetwork, source: SampleSource) -> None:
        """Combine a network and its samples.

        Args:
            module: The network to train.
            source: Source of the samples and their negatives.
        """
        self.module, self.source = module, source

    def batch(self, step: int) -> Batch:
        """Create the batch of a training step.

        Args:
            step: Number of the training step, starting at 0.

        Returns:
            The tensors of the batch.
        """
        return self._make(self.source.draw(step))

    def split(self, batch: Batch, parts: int) -> list[Batch]:
        """Split a batch into equal parts.

        In a part, each sample is compared with fewer negatives than in the whole batch.

        Args:
            batch: The batch.
            parts: Number of parts.

        Returns:
            The parts.
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
        """Score the long forms of a batch.

        Args:
            batch: The batch.

        Returns:
            Scores of all long forms, [samples, samples * candidates], and scores of each sample's
            own candidates, [samples, candidates].
        """
        n, k = batch.rows.shape
        vectors = self.module.encode_long_forms(batch.candidates)
        queries = self.module(batch.ids, batch.mask, batch.mention)
        scores = self.module.scale.exp() * queries @ vectors.T
        own_columns = torch.arange(n * k, device=scores.device).view(n, k)
        return scores, scores.gather(1, own_columns)

    def loss(self, batch: Batch) -> tuple[Tensor, dict[str, float]]:
        """Compute the sum of both losses.

        Args:
            batch: The batch.

        Returns:
            The scalar loss, and both losses with the accuracy over the sample's own candidates.
        """
        scores, candidates = self.scores(batch)
        n, k = batch.rows.shape
        flat = batch.rows.flatten()
        own_columns = torch.arange(0, n * k, k, device=flat.device)
        # Another sample's long form isn't a negative if it is this sample's answer, too.
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
        """Return as `score` the accuracy on held-out samples with their negatives, 0..1."""
        batches = map(self._make, self.source.held_out_draws())
        return held_out_accuracy(self.scores(batch)[1].argmax(1) == 0 for batch in batches)


class CandidateTripletObjective(CandidateObjective):
    """Trains AcroBERT with the paper's triplet loss over the distance `(1 - cosine) / 2`."""

    def __init__(self, module: AcroNetwork, source: SampleSource, margin: float = 0.2) -> None:
        """Combine a network and its samples.

        Args:
            module: The network to train.
            source: Source of the samples and their negatives.
            margin: Margin by which the right long form must be nearer, 0..1.
        """
        super().__init__(module, source)
        self.margin = margin

    def loss(self, batch: Batch) -> tuple[Tensor, dict[str, float]]:
        """Compute the mean loss over all triplets.

        Args:
            batch: The batch.

        Returns:
            The scalar loss, the accuracy, and the share of triplets with a loss above 0.
        """
        distances = (1 - self.scores(batch)[1] / self.module.scale.exp()) / 2
        excess = distances[:, :1] - distances[:, 1:] + self.margin
        return excess.relu().mean(), {
            "accuracy": (distances.argmin(1) == 0).float().mean().item(),
            "open_triplets": (excess > 0).float().mean().item(),
        }
