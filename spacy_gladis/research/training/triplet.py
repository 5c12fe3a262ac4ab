"""The paper's objective: a long form meant is nearer to its context than another (section 4.2)."""

from dataclasses import dataclass

import torch
from torch import Tensor

from .next_sentence import NextSentenceNetwork
from .pairs import PairBatch, PairSource, distances_of, held_out_accuracy, on_device_of


@dataclass
class TripletObjective:
    """Triplet loss `max(0, d(meant) - d(other) + margin)` over `d = P(y = 1)`, mean over triplets.

    margin: by how much nearer the long form meant has to be, 0..1.
    """

    module: NextSentenceNetwork
    source: PairSource
    margin: float = 0.2

    def batch(self, step: int) -> PairBatch:
        return on_device_of(self.module, self.source.batch(step))

    def split(self, batch: PairBatch, parts: int) -> list[PairBatch]:
        return batch.split(parts)

    def loss(self, batch: PairBatch) -> tuple[Tensor, dict[str, float]]:
        """All choices of all samples in one pass; logs accuracy and the share of triplets open."""
        logits, _ = self.module(batch.pairs)
        distances = distances_of(logits, batch.choices)
        excess = distances[:, :1] - distances[:, 1:] + self.margin
        with torch.no_grad():
            figures = {
                "accuracy": (distances.argmin(1) == 0).float().mean().item(),
                "open_triplets": (excess > 0).float().mean().item(),
            }
        return excess.relu().mean(), figures

    def evaluate(self) -> dict[str, float]:
        """Accuracy on the held-out samples, each against its negatives; the score."""
        found = held_out_accuracy(self.module, self.source)
        return {"score": found["held_out_accuracy"]} if found else {}
