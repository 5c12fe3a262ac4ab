"""Training objectives: a network, the batch of each step, and its loss.

`CandidateObjective` is ours: the right long form against the acronym's others. One encoding of the
context gets two losses, a softmax over all long forms in the batch and one over the sample's own
candidates.
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
    """A training task, whose batches are whatever `batch` returns and `loss` takes."""

    @property
    def module(self) -> nn.Module:
        """Network to train."""

    def batch(self, step: int) -> Any:
        """Make the batch of a step.

        Args:
            step: Number of the training step, starting at 0.

        Returns:
            A batch that depends on the number alone, so that runs resume.
        """

    def split(self, batch: Any, parts: int) -> Sequence[Any]:
        """Split a batch into equal parts for a device that lacks memory for the whole.

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
            The loss to minimise, averaged over the samples, and figures for the log.
        """

    def evaluate(self) -> dict[str, float]:
        """Return figures on held-out data, or none. The key `score` chooses the best weights."""


def held_out_accuracy(batches: Iterable[Tensor]) -> dict[str, float]:
    """Average whether each held-out sample's own long form is the nearest.

    Args:
        batches: Booleans of each batch, [samples].

    Returns:
        The share as `score`, 0..1. Empty without batches.
    """
    nearest = list(batches)
    return {"score": torch.cat(nearest).double().mean().item()} if nearest else {}


WINDOWS = (32, 48, 64)
"""Word pieces of context. A batch draws one size, so that short and long contexts are learnt."""


class Batch(NamedTuple):
    """Tensors of one step.

    Attributes:
        ids: Word pieces of the contexts, [samples, tokens].
        mask: Whether each is a token rather than padding, [samples, tokens].
        mention: Whether each token belongs to the mention, [samples, tokens].
        rows: Long form rows, the right one first, [samples, candidates].
        candidates: The packed long forms, a row per sample.
    """

    ids: Tensor
    mask: Tensor
    mention: Tensor
    rows: Tensor
    candidates: Packed

    def part(self, first: int, last: int) -> "Batch":
        """Return a slice of the samples.

        Args:
            first: First sample.
            last: End of the slice, exclusive.

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
        size: Word pieces of a context, at most.
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
    """Softmax losses over the long forms of the batch and over each sample's own candidates."""

    def __init__(self, module: AcroNetwork, source: SampleSource) -> None:
        """Combine a network and its samples.

        Args:
            module: The network to train.
            source: Source of the samples and their negatives.
        """
        self.module, self.source = module, source

    def batch(self, step: int) -> Batch:
        """Make the batch of a step.

        Args:
            step: Number of the training step, starting at 0.

        Returns:
            The batch.
        """
        return self._make(self.source.draw(step))

    def split(self, batch: Batch, parts: int) -> list[Batch]:
        """Split a batch into equal parts, whose samples see fewer negatives than the whole's.

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
            Scores of all long forms, [samples, samples * candidates], and of each sample's own,
            [samples,
            candidates].
        """
        n, k = batch.rows.shape
        vectors = self.module.encode_long_forms(batch.candidates)
        queries = self.module(batch.ids, batch.mask, batch.mention)
        scores = self.module.scale.exp() * queries @ vectors.T
        own_columns = torch.arange(n * k, device=scores.device).view(n, k)
        return scores, scores.gather(1, own_columns)

    def loss(self, batch: Batch) -> tuple[Tensor, dict[str, float]]:
        """Sum both losses.

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
        """Return `score`: the accuracy on held-out samples, each against its negatives, 0..1."""
        batches = map(self._make, self.source.held_out_draws())
        return held_out_accuracy(self.scores(batch)[1].argmax(1) == 0 for batch in batches)


class CandidateTripletObjective(CandidateObjective):
    """The paper's triplet loss for AcroBERT, over the distance `(1 - cosine) / 2`, 0..1."""

    def __init__(self, module: AcroNetwork, source: SampleSource, margin: float = 0.2) -> None:
        """Combine a network and its samples.

        Args:
            module: The network to train.
            source: Source of the samples and their negatives.
            margin: How much nearer the right long form must be, 0..1.
        """
        super().__init__(module, source)
        self.margin = margin

    def loss(self, batch: Batch) -> tuple[Tensor, dict[str, float]]:
        """Average the loss over all triplets.

        Args:
            batch: The batch.

        Returns:
            The scalar loss, the accuracy, and the share of triplets with a loss.
        """
        distances = (1 - self.scores(batch)[1] / self.module.scale.exp()) / 2
        excess = distances[:, :1] - distances[:, 1:] + self.margin
        return excess.relu().mean(), {
            "accuracy": (distances.argmin(1) == 0).float().mean().item(),
            "open_triplets": (excess > 0).float().mean().item(),
        }
