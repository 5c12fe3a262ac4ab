"""What a run trains: a network, the batch of a step, and a loss over it.

Ours, `CandidateObjective`: the long form meant, against the acronym's other long forms. Two losses
over one encoding of the context: a softmax over every long form in the batch, and one over the
sample's own candidates.

GLADIS's own, `TripletObjective`, and BERT's, `MaskedObjective`, for the ablation (Table A4). Next
sentence: each pair is classified by itself, the long form meant as "belongs together" and the
others as "apart". Masked words are hidden in the pairs that belong together, as BERT hid them:
15 % of the word pieces, of which 80 % become `[MASK]`, 10 % another word and 10 % stay.
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


def held_out_accuracy(found: Iterable[Tensor]) -> dict[str, float]:
    """The score: the share of held-out samples whose own long form is the nearest.

    found: of each batch's samples, whether it is. Empty without any.
    """
    nearest = list(found)
    return {"score": torch.cat(nearest).double().mean().item()} if nearest else {}


@dataclass
class PairObjective:
    """A network that reads pairs of contexts and long forms: a sample's choices one after another,
    the long form meant first."""

    module: NextSentenceNetwork
    source: SampleSource

    @property
    def choices(self) -> int:
        """Pairs of a sample."""
        return 1 + self.source.negatives

    def batch(self, step: int) -> SentencePairs:
        """The pairs of step `step`."""
        return self._pairs(self.source.draw(step))

    def split(self, batch: SentencePairs, parts: int) -> list[SentencePairs]:
        """Equal parts, whole samples each."""
        k = self.choices
        return [
            SentencePairs(*(tensor[first * k : last * k] for tensor in batch))
            for first, last in equal_parts(len(batch.ids) // k, parts)
        ]

    def evaluate(self) -> dict[str, float]:
        """Accuracy on the held-out samples, each against its negatives."""
        draws = map(self._pairs, self.source.held_out_draws())
        return held_out_accuracy(
            self.distances(self.module(pairs)[0]).argmin(1) == 0 for pairs in draws
        )

    def distances(self, logits: Tensor) -> Tensor:
        """`d = P(y = 1)`, [samples, choices], of next-sentence logits [pairs, 2]."""
        return distances_of(logits).view(-1, self.choices)

    def _pairs(self, draw: Draw) -> SentencePairs:
        long_forms = [draw.data.long_forms[row] for line in draw.rows for row in line]
        windows = [draw.data.windows[i] for i in draw.samples for _ in range(self.choices)]
        pairs = make_pairs(long_forms, windows, self.source.pad_id)
        return pairs.to(next(self.module.parameters()).device)


@dataclass
class TripletObjective(PairObjective):
    """Triplet loss `max(0, d(meant) - d(other) + margin)` over `d = P(y = 1)`, mean over triplets.

    margin: by how much nearer the long form meant has to be, 0..1.
    """

    margin: float = 0.2

    def loss(self, batch: SentencePairs) -> tuple[Tensor, dict[str, float]]:
        """All choices of all samples in one pass; logs accuracy and the share of triplets open."""
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
"""Share of word pieces that are hidden; cumulative shares of what stands in their place."""


@dataclass
class MaskedObjective(PairObjective):
    """The loss of the next sentence (NSP), of masked words (MLM), or their sum (Table A4).

    Attributes:
        words: Whether masked words are learnt.
        mask_id: Number of `[MASK]`.
        special: Numbers of tokens that are never hidden.
        sentences: Whether the next sentence is learnt.
    """

    words: bool
    mask_id: int | None
    special: tuple[int, ...] = ()
    sentences: bool = True

    def __post_init__(self) -> None:
        if self.words and self.mask_id is None:
            raise InputError("the start's vocabulary has no [MASK]: it cannot learn masked words")

    def batch(self, step: int) -> SentencePairs:
        """The pairs of step `step`, with words of the first of each sample hidden, drawn from the
        step's own seed, and labelled."""
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
        """Sum of the losses that are learnt; each is logged."""
        logits, states = self.module(batch)
        nearest = self.distances(logits).argmin(1)
        apart = torch.full((len(nearest), self.choices), APART, device=logits.device)
        apart[:, 0] = 1 - APART
        # Each class weighs the same, though there are more negatives.
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
        wanted = labels[hidden]
        # No word may be hidden in a batch of short pairs; the sum over none is 0, its mean NaN.
        total = F.cross_entropy(self.module.word_logits(states[hidden]), wanted, reduction="sum")
        return total / max(1, len(wanted))


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
        batches = map(self._make, self.source.held_out_draws())
        return held_out_accuracy(self.scores(batch)[1].argmax(1) == 0 for batch in batches)


class CandidateTripletObjective(CandidateObjective):
    """The paper's triplet loss for AcroBERT, whose distance is `(1 - cosine) / 2`, 0..1.

    Args:
        module: The network.
        source: Of the samples and their ambiguous negatives.
        margin: By how much nearer the long form meant has to be.
    """

    def __init__(self, module: AcroNetwork, source: SampleSource, margin: float = 0.2) -> None:
        super().__init__(module, source)
        self.margin = margin

    def loss(self, batch: Batch) -> tuple[Tensor, dict[str, float]]:
        """Mean over triplets; logs the accuracy over the sample's own candidates."""
        distances = (1 - self.scores(batch)[1] / self.module.scale.exp()) / 2
        excess = distances[:, :1] - distances[:, 1:] + self.margin
        return excess.relu().mean(), {
            "accuracy": (distances.argmin(1) == 0).float().mean().item(),
            "open_triplets": (excess > 0).float().mean().item(),
        }
