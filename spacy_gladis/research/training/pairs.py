"""Batches of (long form, context) pairs for the objectives with BERT's next-sentence head."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor

from .dataset import Array, TrainingSet
from .next_sentence import APART, NextSentenceNetwork, Pairs, make_pairs
from .order import BatchOrder, equal_parts


class PairBatch(NamedTuple):
    """Samples with their choices: `pairs` hold a sample's choices one after another, the long
    form meant first."""

    pairs: Pairs
    choices: int

    @property
    def samples(self) -> int:
        """How many samples there are."""
        return len(self.pairs.ids) // self.choices

    def split(self, parts: int) -> list["PairBatch"]:
        """Equal parts, whole samples each."""
        k = self.choices
        return [
            PairBatch(Pairs(*(tensor[first * k : last * k] for tensor in self.pairs)), k)
            for first, last in equal_parts(self.samples, parts)
        ]


class PairSource:
    """Draws the batches of training and held-out samples.

    negatives: wrong long forms a sample, ambiguous ones first (GLADIS section 4.2). batch_size:
    samples a batch. cap: samples of one (acronym, long form) an epoch.
    """

    def __init__(
        self,
        training: TrainingSet,
        *,
        batch_size: int,
        negatives: int = 2,
        cap: int = 4,
        seed: int = 0,
        held_out: TrainingSet | None = None,
        pad_id: int = 0,
    ) -> None:
        self.training, self.held_out = training, held_out
        self.batch_size, self.negatives, self.seed, self.pad_id = (
            batch_size,
            negatives,
            seed,
            pad_id,
        )
        self.order = BatchOrder(training, batch_size, cap, seed)

    def batch(self, step: int) -> PairBatch:
        """The batch of step `step`, with negatives drawn from the step's own seed."""
        rng = np.random.default_rng([self.seed, 1, step])
        return self._make(self.training, self.order[step], rng)

    def held_out_batches(self) -> Iterator[PairBatch]:
        """The held-out samples, always with the same negatives."""
        total = 0 if self.held_out is None else len(self.held_out)
        for start in range(0, total, self.batch_size):
            assert self.held_out is not None
            indices = np.arange(start, min(start + self.batch_size, total))
            rng = np.random.default_rng([self.seed, 2, start])
            yield self._make(self.held_out, indices, rng)

    def _make(self, data: TrainingSet, samples: Array, rng: np.random.Generator) -> PairBatch:
        rows = data.choices(samples, self.negatives, rng)
        long_forms = [data.long_forms[row] for line in rows for row in line]
        windows = [data.windows[i] for i in samples for _ in range(rows.shape[1])]
        return PairBatch(make_pairs(long_forms, windows, self.pad_id), rows.shape[1])


def on_device_of(module: torch.nn.Module, batch: PairBatch) -> PairBatch:
    """The batch where the module is."""
    return batch._replace(pairs=batch.pairs.to(next(module.parameters()).device))


def distances_of(logits: Tensor, choices: int) -> Tensor:
    """`d = P(y = 1)`, [samples, choices], of next-sentence logits [pairs, 2]."""
    return torch.softmax(logits, -1)[:, APART].view(-1, choices)


def held_out_accuracy(module: NextSentenceNetwork, source: PairSource) -> dict[str, float]:
    """Share of held-out samples whose own long form is the nearest; empty without any."""
    right = total = 0
    for batch in source.held_out_batches():
        pairs, choices = on_device_of(module, batch)
        distances = module.distances(pairs).view(-1, choices)
        right += int((distances.argmin(1) == 0).sum())
        total += len(distances)
    return {"held_out_accuracy": right / total} if total else {}
