"""What a run trains: a network, the batch of a step, and a loss over it.

BERT's own objectives, for the ablation (GLADIS Table A4): next sentence, with masked words or not.

Next sentence: each pair is classified by itself, the long form meant as "belongs together" and the
others as "apart". Masked words are hidden in the pairs that belong together, as BERT hid them:
15 % of the word pieces, of which 80 % become `[MASK]`, 10 % another word and 10 % stay.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional as F  # noqa: N812

from ...errors import InputError
from .next_sentence import APART, NextSentenceNetwork
from .order import equal_parts
from .pairs import PairBatch, PairSource, distances_of, held_out_accuracy, on_device_of


class Objective(Protocol):
    """A training task. `Batch` is whatever `batch` makes and `loss` takes."""

    @property
    def module(self) -> nn.Module:
        """The network to train."""

    def batch(self, step: int) -> Any:
        """The batch of step `step`: the same whenever it is asked for, so that runs resume."""

    def split(self, batch: Any, parts: int) -> Sequence[Any]:
        """The batch in `parts` equal ones, for a device without memory for the whole."""

    def loss(self, batch: Any) -> tuple[Tensor, dict[str, float]]:
        """The loss to minimise, a mean over the samples, and figures for the log."""

    def evaluate(self) -> dict[str, float]:
        """Figures on held-out data; the key `score` chooses the best weights. May be empty."""


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


MASKED, AS_MASK, AS_OTHER = 0.15, 0.8, 0.9
"""Share of word pieces that are hidden; cumulative shares of what stands in their place."""

IGNORED = -100
"""The label of a word piece that is not hidden (torch's own default)."""


class MaskedBatch(NamedTuple):
    """Choices as in PairBatch, with words hidden; labels: [pairs, tokens], IGNORED or the word."""

    choices: PairBatch
    labels: Tensor


@dataclass
class MaskedObjective:
    """The loss of the next sentence (NSP) and, with `words`, that of masked words (MLM).

    mask_id: number of `[MASK]`. special: numbers of tokens that are never hidden.
    """

    module: NextSentenceNetwork
    source: PairSource
    words: bool
    mask_id: int | None
    special: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        if self.words and self.mask_id is None:
            raise InputError("the start's vocabulary has no [MASK]: it cannot learn masked words")

    def batch(self, step: int) -> MaskedBatch:
        """The batch of step `step`, its hidden words drawn from the step's own seed."""
        rng = np.random.default_rng([self.source.seed, 3, step])
        return self._hide(self.source.batch(step), rng)

    def split(self, batch: MaskedBatch, parts: int) -> list[MaskedBatch]:
        k = batch.choices.choices
        ends = equal_parts(batch.choices.samples, parts)
        return [
            MaskedBatch(choices, batch.labels[first * k : last * k])
            for choices, (first, last) in zip(batch.choices.split(parts), ends, strict=True)
        ]

    def _hide(self, batch: PairBatch, rng: np.random.Generator) -> MaskedBatch:
        labels = np.full(batch.pairs.ids.shape, IGNORED)
        if self.words:
            ids = batch.pairs.ids.numpy().copy()
            hidden = (rng.random(ids.shape) < MASKED) & batch.pairs.mask.numpy()
            hidden &= ~np.isin(ids, np.array(self.special, dtype=np.int64))
            hidden &= (np.arange(len(ids)) % batch.choices == 0)[:, None]
            labels[hidden] = ids[hidden]
            fate = rng.random(ids.shape)
            vocabulary = self.module.bert.config.vocab_size
            other = rng.integers(vocabulary, size=ids.shape)
            ids = np.where(hidden & (fate < AS_MASK), self.mask_id or 0, ids)
            ids = np.where(hidden & (fate >= AS_MASK) & (fate < AS_OTHER), other, ids)
            batch = batch._replace(pairs=batch.pairs._replace(ids=torch.from_numpy(ids)))
        batch = on_device_of(self.module, batch)
        return MaskedBatch(batch, torch.from_numpy(labels).to(batch.pairs.ids.device))

    def loss(self, batch: MaskedBatch) -> tuple[Tensor, dict[str, float]]:
        """Sum of the losses, each logged."""
        (pairs, choices), labels = batch
        logits, states = self.module(pairs)
        apart = torch.full((len(pairs.ids) // choices, choices), APART, device=logits.device)
        apart[:, 0] = 1 - APART
        # Each class weighs the same, though there are more negatives.
        weight = torch.ones(2, device=logits.device)
        weight[1 - APART] = choices - 1
        loss = F.cross_entropy(logits, apart.flatten(), weight)
        nearest = distances_of(logits, choices).argmin(1)
        accuracy = (nearest == 0).float().mean().item()
        figures = {"next_sentence_loss": loss.item(), "accuracy": accuracy}
        if self.words:
            of_words = self._word_loss(states, labels)
            figures["word_loss"] = of_words.item()
            loss = loss + of_words
        return loss, figures

    def _word_loss(self, states: Tensor, labels: Tensor) -> Tensor:
        hidden = labels != IGNORED
        wanted = labels[hidden]
        # No word may be hidden in a batch of short pairs; the sum over none is 0, its mean NaN.
        total = F.cross_entropy(self.module.word_logits(states[hidden]), wanted, reduction="sum")
        return total / max(1, len(wanted))

    def evaluate(self) -> dict[str, float]:
        """Held-out accuracy; the score."""
        found = held_out_accuracy(self.module, self.source)
        return {"score": found["held_out_accuracy"]} if found else {}
