"""Our objective: the long form meant, against the acronym's other long forms.

Two losses over one encoding of the context: a softmax over every long form in the batch, and one
over the sample's own candidates.
"""

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional as F  # noqa: N812

from ...modeling.tokens import crop, pad
from .dataset import Array, TrainingSet
from .network import AcroNetwork, Packed, pack
from .order import Draw, SampleSource, equal_parts

WINDOWS = (32, 48, 64)
"""Word pieces of context, drawn for each batch: sentences stand alone or in a paragraph."""


class Batch(NamedTuple):
    """Tensors of one step; candidates' column 0 is the long form meant."""

    ids: Tensor
    mask: Tensor
    mention: Tensor
    rows: Tensor
    candidates: Packed

    def part(self, first: int, last: int) -> "Batch":
        """The samples from `first` to before `last`."""
        ids, owner, positions = (tensor[first:last] for tensor in self.candidates)
        packed = Packed(ids, (owner - first * self.rows.shape[1]).clamp(min=-1), positions)
        others = {name: one for name, one in self._asdict().items() if name != "candidates"}
        return Batch(candidates=packed, **{name: one[first:last] for name, one in others.items()})


def read_windows(
    data: TrainingSet, samples: Iterable[int], size: int, pad_id: int
) -> tuple[Array, Array]:
    """Word pieces of the samples' contexts, `size` of each at most, and which are the mention's."""
    views = [crop(data.windows[i], data.mentions[i], size) for i in samples]
    ids = pad([view.ids for view in views], pad_id)
    mention = np.zeros(ids.shape, dtype=bool)
    for row, view in zip(mention, views, strict=True):
        row[slice(*view.mention)] = True
    return ids, mention


class CandidateObjective:
    """Softmax over candidates: those of the batch, and the sample's own.

    source: of the samples and their wrong candidates.
    """

    def __init__(self, module: AcroNetwork, source: SampleSource) -> None:
        self.module, self.source = module, source

    def batch(self, step: int) -> Batch:
        """The batch of step `step`, with negatives drawn from the step's own seed."""
        return self._make(self.source.draw(step))

    def split(self, batch: Batch, parts: int) -> list[Batch]:
        """Equal parts of a batch; a part's samples see fewer negatives than the whole's."""
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
        """Scores of all long forms [batch, batch * candidates], of each sample's own [batch,
        candidates]."""
        n, k = batch.rows.shape
        vectors = self.module.encode_long_forms(batch.candidates)
        queries = self.module(batch.ids, batch.mask, batch.mention)
        retriever = self.module.scale.exp() * queries @ vectors.T
        own = torch.arange(n * k, device=retriever.device).view(n, k)
        return retriever, retriever.gather(1, own)

    def loss(self, batch: Batch) -> tuple[Tensor, dict[str, float]]:
        """Sum of both losses; logs the accuracy over the sample's own candidates."""
        retriever, candidates = self.scores(batch)
        n, k = batch.rows.shape
        flat = batch.rows.flatten()
        own = torch.arange(0, n * k, k, device=flat.device)
        # Another sample's long form that is this sample's own answer is not a negative.
        same = flat[None] == batch.rows[:, :1]
        same[torch.arange(n, device=flat.device), own] = False
        retrieval = F.cross_entropy(retriever.masked_fill(same, float("-inf")), own)
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
        """Accuracy on the held-out samples, each against its negatives."""
        right = total = 0
        for draw in self.source.held_out_draws():
            _, candidates = self.scores(self._make(draw))
            right += int((candidates.argmax(1) == 0).sum())
            total += len(candidates)
        return {"score": right / total} if total else {}
