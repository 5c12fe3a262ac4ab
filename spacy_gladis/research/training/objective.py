"""Training objectives: a network, the batch of each step, and its loss.

`CandidateObjective` is ours: the right long form against the acronym's others. One encoding of the
context gets two losses, a softmax over all long forms in the batch and one over the sample's own
candidates.

`TripletObjective` is GLADIS's, `MaskedObjective` BERT's for the ablation (Table A4). Next-sentence
prediction classifies each pair by itself, the right long form as "belongs together" and others as
"apart". Words are masked in the pairs that belong together as in BERT: 15 % of the word pieces, of
which 80 % become `[MASK]`, 10 % another word, and 10 % stay.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional as F  # noqa: N812

from ...encoder.word_pieces import crop, pad
from ...errors import InputError
from .dataset import Array, TrainingSet
from .network import AcroNetwork, Packed, pack
from .next_sentence import (
    APART,
    NOT_HIDDEN,
    NextSentenceNetwork,
    SentencePairs,
    distances_of,
    make_pairs,
)
from .order import Draw, SampleSource, equal_parts


class Objective(Protocol):
    """A training task, whose batches are whatever `batch` returns and `loss` takes."""

    @property
    def module(self) -> nn.Module:
        """Network to train."""

    def batch(self, step: int) -> Any:
        """Make the batch of a step.

        Args:
            step: The batch's number, from 0.

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


@dataclass
class PairObjective:
    """A base for networks that read pairs of long form and context.

    The pairs of a sample follow one another, the right long form first.

    Attributes:
        module: The network to train.
        source: Source of the samples and their negatives.
    """

    module: NextSentenceNetwork
    source: SampleSource

    @property
    def choices(self) -> int:
        """Pairs of a sample."""
        return 1 + self.source.negatives

    def batch(self, step: int) -> SentencePairs:
        """Make the pairs of a step.

        Args:
            step: The batch's number, from 0.

        Returns:
            The pairs.
        """
        return self._pairs(self.source.draw(step))

    def split(self, batch: SentencePairs, parts: int) -> list[SentencePairs]:
        """Split a batch into equal parts of whole samples.

        Args:
            batch: The pairs.
            parts: Number of parts.

        Returns:
            The parts.
        """
        k = self.choices
        return [
            SentencePairs(*(tensor[first * k : last * k] for tensor in batch))
            for first, last in equal_parts(len(batch.ids) // k, parts)
        ]

    def evaluate(self) -> dict[str, float]:
        """Return `score`: the accuracy on held-out samples, each against its negatives, 0..1."""
        draws = map(self._pairs, self.source.held_out_draws())
        return held_out_accuracy(
            self.distances(self.module(pairs)[0]).argmin(1) == 0 for pairs in draws
        )

    def distances(self, logits: Tensor) -> Tensor:
        """Return the distances `d = P(y = 1)` by sample.

        Args:
            logits: Next-sentence logits, [pairs, 2].

        Returns:
            Distances, 0..1, [samples, choices].
        """
        return distances_of(logits).view(-1, self.choices)

    def _pairs(self, draw: Draw) -> SentencePairs:
        long_forms = [draw.data.long_forms[row] for line in draw.rows for row in line]
        windows = [draw.data.windows[i] for i in draw.samples for _ in range(self.choices)]
        pairs = make_pairs(long_forms, windows, self.source.pad_id)
        return pairs.to(next(self.module.parameters()).device)


@dataclass
class TripletObjective(PairObjective):
    """Triplet loss `max(0, d(right) - d(other) + margin)` over `d = P(y = 1)` (GLADIS, section 4).

    Attributes:
        margin: How much nearer the right long form must be, 0..1.
    """

    margin: float = 0.2

    def loss(self, batch: SentencePairs) -> tuple[Tensor, dict[str, float]]:
        """Average the loss over all triplets.

        Args:
            batch: The pairs.

        Returns:
            The scalar loss, the accuracy, and the share of triplets with a loss.
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
"""Share of word pieces to mask, and cumulative shares of their replacements."""


@dataclass
class MaskedObjective(PairObjective):
    """Loss of next-sentence prediction (NSP), masked words (MLM), or both (GLADIS, Table A4).

    Attributes:
        words: Whether to learn masked words.
        mask_id: Token `[MASK]`.
        special: Tokens that are never masked.
        sentences: Whether to learn the next sentence.
    """

    words: bool
    mask_id: int | None
    special: tuple[int, ...] = ()
    sentences: bool = True

    def __post_init__(self) -> None:
        """Raise InputError if words are to be masked and the vocabulary has no mask."""
        if self.words and self.mask_id is None:
            raise InputError(
                "The checkpoint's vocabulary has no [MASK], so masked words cannot be trained."
            )

    def batch(self, step: int) -> SentencePairs:
        """Make the pairs of a step, with words of each sample's first pair masked and labelled.

        Args:
            step: The batch's number, from 0.

        Returns:
            The pairs.
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
        """Sum the losses to learn.

        Args:
            batch: The pairs.

        Returns:
            The scalar loss, and each loss with the accuracy for the log.
        """
        logits, states = self.module(batch)
        nearest = self.distances(logits).argmin(1)
        apart = torch.full((len(nearest), self.choices), APART, device=logits.device)
        apart[:, 0] = 1 - APART
        # Weight the classes equally, although there are more negatives.
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
        pad_id: Padding token.

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
            step: The batch's number, from 0.

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
        retriever = self.module.scale.exp() * queries @ vectors.T
        own_columns = torch.arange(n * k, device=retriever.device).view(n, k)
        return retriever, retriever.gather(1, own_columns)

    def loss(self, batch: Batch) -> tuple[Tensor, dict[str, float]]:
        """Sum both losses.

        Args:
            batch: The batch.

        Returns:
            The scalar loss, and both losses with the accuracy over the sample's own candidates.
        """
        retriever, candidates = self.scores(batch)
        n, k = batch.rows.shape
        flat = batch.rows.flatten()
        own_columns = torch.arange(0, n * k, k, device=flat.device)
        # Another sample's long form isn't a negative if it is this sample's answer, too.
        same = flat[None] == batch.rows[:, :1]
        same[torch.arange(n, device=flat.device), own_columns] = False
        retrieval = F.cross_entropy(retriever.masked_fill(same, float("-inf")), own_columns)
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
