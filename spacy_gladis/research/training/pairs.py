"""Batches of (long form, context) pairs for the objectives with BERT's next-sentence head."""

from collections.abc import Iterator
from typing import NamedTuple

import torch
from torch import Tensor

from .next_sentence import APART, NextSentenceNetwork, SentencePairs, make_pairs
from .order import Draw, SampleSource, equal_parts


class PairBatch(NamedTuple):
    """Samples with their choices: `pairs` hold a sample's choices one after another, the long
    form meant first."""

    pairs: SentencePairs
    choices: int

    @property
    def samples(self) -> int:
        return len(self.pairs.ids) // self.choices

    def split(self, parts: int) -> list["PairBatch"]:
        """Equal parts, whole samples each."""
        k = self.choices
        return [
            PairBatch(SentencePairs(*(tensor[first * k : last * k] for tensor in self.pairs)), k)
            for first, last in equal_parts(self.samples, parts)
        ]


class PairSource(SampleSource):
    """Batches of pairs of the samples' contexts and their choices."""

    def batch(self, step: int) -> PairBatch:
        return self._make(self.draw(step))

    def held_out_batches(self) -> Iterator[PairBatch]:
        return map(self._make, self.held_out_draws())

    def _make(self, draw: Draw) -> PairBatch:
        choices = draw.rows.shape[1]
        long_forms = [draw.data.long_forms[row] for line in draw.rows for row in line]
        windows = [draw.data.windows[i] for i in draw.samples for _ in range(choices)]
        return PairBatch(make_pairs(long_forms, windows, self.pad_id), choices)


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
