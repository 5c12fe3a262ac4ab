"""Training objectives for a BERT that reads a long form and a context as a pair.

`TripletObjective` is the objective of GLADIS. `MaskedObjective` is that of BERT, for the ablation
(GLADIS, Table A4). Its next-sentence prediction classifies each pair separately: the right long
form "belongs together" with the context, and wrong ones are "apart". In the pairs that belong
together, words are masked as in BERT: 15 % of the word pieces, of which 80 % become `[MASK]`, 10 %
become another word piece, and 10 % stay.
"""

from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional as F  # noqa: N812

from ...errors import InputError
from .next_sentence import (
    APART,
    NOT_HIDDEN,
    NextSentenceNetwork,
    SentencePairs,
    distances_of,
    make_pairs,
)
from .objective import held_out_accuracy
from .order import Draw, SampleSource, equal_parts


@dataclass
class PairObjective:
    """Base class of training objectives for networks that read a long form with a context.

    All pairs of a sample follow one another in a batch, with the right long form first.

    Attributes:
        module: Network to train.
        source: Source of the samples and their negatives.
    """

    module: NextSentenceNetwork
    source: SampleSource

    @property
    def choices(self) -> int:
        """Number of pairs of each sample: the right long form and all negatives."""
        return 1 + self.source.negatives

    def batch(self, step: int) -> SentencePairs:
        """Create the pairs of a training step, on the network's device.

        Args:
            step: Number of the batch, starting at 0.

        Returns:
            The pairs of all samples in the batch.
        """
        return self._pairs(self.source.draw(step))

    def split(self, batch: SentencePairs, parts: int) -> list[SentencePairs]:
        """Split a batch into parts of whole samples, for a device with too little memory.

        Args:
            batch: Pairs of all samples in the batch.
            parts: Maximum number of parts.

        Returns:
            The parts, whose sizes differ by at most one sample.
        """
        k = self.choices
        return [
            SentencePairs(*(tensor[first * k : last * k] for tensor in batch))
            for first, last in equal_parts(len(batch.ids) // k, parts)
        ]

    def evaluate(self) -> dict[str, float]:
        """Measure the accuracy on held-out samples: how often the right long form is the nearest.

        Returns:
            The accuracy, 0..1, under the key `score`. Empty if there are no held-out samples.
        """
        draws = map(self._pairs, self.source.held_out_draws())
        return held_out_accuracy(
            self.distances(self.module(pairs)[0]).argmin(1) == 0 for pairs in draws
        )

    def distances(self, logits: Tensor) -> Tensor:
        """Convert next-sentence logits to distances, with one row for each sample.

        Args:
            logits: Logits of the next-sentence head, [pairs, 2].

        Returns:
            Distances `d = P(y = 1)`, 0..1, [samples, choices].
        """
        return distances_of(logits).view(-1, self.choices)

    def _pairs(self, draw: Draw) -> SentencePairs:
        long_forms = [draw.data.long_forms[row] for line in draw.rows for row in line]
        windows = [draw.data.windows[i] for i in draw.samples for _ in range(self.choices)]
        pairs = make_pairs(long_forms, windows, self.source.pad_id)
        return pairs.to(next(self.module.parameters()).device)


@dataclass
class TripletObjective(PairObjective):
    """A training objective with the triplet loss `max(0, d(right) - d(wrong) + margin)`.

    The distance is `d = P(y = 1)`, the probability that long form and context do not belong
    together (GLADIS, section 4).

    Attributes:
        margin: Distance by which the right long form must be nearer than a wrong one, 0..1.
    """

    margin: float = 0.2

    def loss(self, batch: SentencePairs) -> tuple[Tensor, dict[str, float]]:
        """Compute the mean triplet loss of a batch over all negatives.

        Args:
            batch: Pairs of all samples in the batch.

        Returns:
            The scalar loss, and for the log the `accuracy` and the share of triplets whose loss is
            above 0 (`open_triplets`).
        """
        logits, _ = self.module(batch)
        distances = self.distances(logits)
        excess = distances[:, :1] - distances[:, 1:] + self.margin
        with torch.no_grad():
            figures = {
                "accuracy": (distances.argmin(1) == 0).float().mean().item(),
                "open_triplets": (excess > 0).float().mean().item(),
            }
        return excess.relu().mean(), figures


MASKED, AS_MASK, AS_OTHER = 0.15, 0.8, 0.9
"""Share of the word pieces that are masked, and cumulative shares of their replacements: up to
`AS_MASK` by `[MASK]`, and up to `AS_OTHER` by another word piece."""


@dataclass
class MaskedObjective(PairObjective):
    """A training objective with next-sentence prediction (NSP), masked words (MLM), or both.

    It serves for the ablation of GLADIS (Table A4).

    Attributes:
        words: Whether to train the prediction of masked words.
        mask_id: Id of the token `[MASK]`. None if the vocabulary has no such token.
        special: Ids of the tokens that are never masked.
        sentences: Whether to train next-sentence prediction.
    """

    words: bool
    mask_id: int | None
    special: tuple[int, ...] = ()
    sentences: bool = True

    def __post_init__(self) -> None:
        """Raise InputError if words should be masked but the vocabulary has no token `[MASK]`."""
        if self.words and self.mask_id is None:
            raise InputError(
                "The vocabulary of the checkpoint has no [MASK] token, so masked words cannot be "
                "trained. Choose another checkpoint or objective."
            )

    def batch(self, step: int) -> SentencePairs:
        """Create the pairs of a training step, with masked words in the first pair of each sample.

        No words are masked if only next-sentence prediction is trained.

        Args:
            step: Number of the batch, starting at 0.

        Returns:
            The pairs of all samples in the batch.
        """
        pairs = super().batch(step)
        if not self.words:
            return pairs
        rng = np.random.default_rng([self.source.seed, 3, step])
        ids, labels = (tensor.cpu().numpy().copy() for tensor in (pairs.ids, pairs.labels))
        hidden = (rng.random(ids.shape) < MASKED) & pairs.mask.cpu().numpy()
        hidden &= ~np.isin(ids, np.array(self.special, dtype=np.int64))
        hidden &= (np.arange(len(ids)) % self.choices == 0)[:, None]
        labels[hidden] = ids[hidden]
        fate = rng.random(ids.shape)
        vocabulary = self.module.bert.config.vocab_size
        other = rng.integers(vocabulary, size=ids.shape)
        ids = np.where(hidden & (fate < AS_MASK), self.mask_id or 0, ids)
        ids = np.where(hidden & (fate >= AS_MASK) & (fate < AS_OTHER), other, ids)
        changed = pairs._replace(ids=torch.from_numpy(ids), labels=torch.from_numpy(labels))
        return changed.to(pairs.ids.device)

    def loss(self, batch: SentencePairs) -> tuple[Tensor, dict[str, float]]:
        """Compute the next-sentence loss, the masked-word loss, or the sum of both.

        Args:
            batch: Pairs of all samples in the batch.

        Returns:
            The scalar loss, and for the log `next_sentence_loss`, `accuracy` and, if words are
            masked, `word_loss`.
        """
        logits, states = self.module(batch)
        nearest = self.distances(logits).argmin(1)
        apart = torch.full((len(nearest), self.choices), APART, device=logits.device)
        apart[:, 0] = 1 - APART
        # Both classes have the same total weight, although there are more negatives.
        weight = torch.ones(2, device=logits.device)
        weight[1 - APART] = self.choices - 1
        of_sentences = F.cross_entropy(logits, apart.flatten(), weight)
        accuracy = (nearest == 0).float().mean().item()
        figures = {"next_sentence_loss": of_sentences.item(), "accuracy": accuracy}
        losses = [of_sentences] if self.sentences else []
        if self.words:
            losses.append(self._word_loss(states, batch.labels))
            figures["word_loss"] = losses[-1].item()
        return torch.stack(losses).sum(), figures

    def _word_loss(self, states: Tensor, labels: Tensor) -> Tensor:
        hidden = labels != NOT_HIDDEN
        targets = labels[hidden]
        # Short pairs may have no masked word. The sum over none is 0, while its mean would be NaN.
        total = F.cross_entropy(self.module.word_logits(states[hidden]), targets, reduction="sum")
        return total / max(1, len(targets))
