"""Contexts of one sense near one another: what the centroids of contexts are asked for.

A batch holds samples, for each a second sample of its sense from another document, and the same of
a rival, another sense of the acronym. Every context is read once, its mention not marked (as
`shared_windows.py` reads it), and serves three losses: a softmax over the long forms of the batch
(as in `candidates.py`), a softmax over its other contexts, and the name of its source.
"""

from collections.abc import Sequence
from itertools import islice
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional as F  # noqa: N812

from ...errors import InputError
from ...modeling.network import AcroNetwork, Packed, in_rows, pack
from ...modeling.shared_windows import REACH
from .candidates import read_windows
from .dataset import Array, TrainingSet
from .order import equal_parts
from .teacher import Ranking

WINDOWS = (48, 64, 96)
"""Word pieces that are read, drawn for each batch; of them REACH to each side are looked at."""


class Senses:
    """The samples of a training set by their sense: (acronym, long form)."""

    def __init__(self, data: TrainingSet) -> None:
        self.data = data
        self.order = np.lexsort((data.positives, data.acronyms))
        pair = np.stack([data.acronyms[self.order], data.positives[self.order]])
        first = np.flatnonzero(np.r_[True, (pair[:, 1:] != pair[:, :-1]).any(axis=0)])
        self.offsets = np.r_[first, len(data)]
        """Of each sense's samples in `order`."""
        self.of = np.empty(len(data), dtype=np.int64)
        self.of[self.order] = np.repeat(np.arange(len(first)), np.diff(self.offsets))
        """The sense of each sample."""
        self.long_forms = pair[1, first]
        acronyms = pair[0, first]
        documents = data.documents[self.order]
        repeated = np.maximum.reduceat(documents, first) > np.minimum.reduceat(documents, first)
        self.partnered = np.flatnonzero(repeated)
        """Those that several documents have."""
        self.first = np.searchsorted(acronyms, np.arange(len(data.pools)), side="left")
        self.last = np.searchsorted(acronyms, np.arange(len(data.pools)), side="right")
        """The senses of each acronym are those from `first` to before `last`."""

    def samples(self, sense: int) -> Array:
        """Those of a sense."""
        found: Array = self.order[self.offsets[sense] : self.offsets[sense + 1]]
        return found

    def partner(self, sample: int, rng: np.random.Generator) -> int | None:
        """Another document's sample of the same sense, None where there is none."""
        samples = self.samples(int(self.of[sample]))
        documents = self.data.documents
        others = samples[documents[samples] != documents[sample]]
        return int(rng.choice(others)) if len(others) else None

    def rival(self, sample: int, rng: np.random.Generator) -> int | None:
        """A sample of another sense of the acronym, None where it has but one."""
        acronym = self.data.acronyms[sample]
        alike = {int(self.data.positives[sample])}
        alike.update(self.data.spellings[self.data.positives[sample]].tolist())
        senses = range(int(self.first[acronym]), int(self.last[acronym]))
        others = [sense for sense in senses if int(self.long_forms[sense]) not in alike]
        return int(rng.choice(self.samples(int(rng.choice(others))))) if others else None


class Batch(NamedTuple):
    """Tensors of one step.

    ids, mask, mention, near: [contexts, tokens]. target: [contexts], which of the packed
    `long_forms` is meant. same: [contexts, long forms], the one meant and what is spelt almost like
    it. documents, domains: [contexts]. taught: [contexts, long forms], a teacher's logits.
    """

    ids: Tensor
    mask: Tensor
    mention: Tensor
    near: Tensor
    target: Tensor
    same: Tensor
    documents: Tensor
    domains: Tensor
    long_forms: Packed
    taught: Tensor | None = None


class SenseObjective:
    """Softmax over long forms, softmax over contexts, and the source, of the same contexts.

    batch_size: senses a batch, each that several documents have once an epoch; their partners and
    rivals come on top. negatives: further long forms a sample. held_out_samples: how many are asked
    about. context_weight, domain_weight: of the second and the third loss. ranking: of the training
    set, which the first softmax is to equal, too; ranking_weight: of that.
    """

    def __init__(
        self,
        module: AcroNetwork,
        training: TrainingSet,
        *,
        batch_size: int,
        negatives: int,
        seed: int,
        pad_id: int,
        held_out: TrainingSet | None = None,
        held_out_samples: int = 1000,
        context_weight: float = 1.0,
        domain_weight: float = 0.1,
        ranking: Ranking | None = None,
        ranking_weight: float = 1.0,
    ) -> None:
        self.module, self.training, self.pad_id = module, training, pad_id
        self.ranking, self.ranking_weight = ranking, ranking_weight
        self.negatives, self.seed, self.batch_size = negatives, seed, batch_size
        self.context_weight, self.domain_weight = context_weight, domain_weight
        self.senses = Senses(training)
        if not len(self.senses.partnered):
            raise InputError("no sense of the samples is in two documents: give more samples")
        self.held_out = Senses(held_out) if held_out is not None else None
        self.held_out_samples = held_out_samples

    def batch(self, step: int) -> list[list[int]]:
        """The samples of step `step`, each with its partner, its rival and the rival's partner."""
        senses = self.senses
        epoch, row = divmod(step, max(1, len(senses.partnered) // self.batch_size))
        order = np.random.default_rng([self.seed, 0, epoch]).permutation(senses.partnered)
        rng = np.random.default_rng([self.seed, 1, step])
        return [
            _group(senses, int(rng.choice(senses.samples(int(sense)))), rng)
            for sense in order[row * self.batch_size : (row + 1) * self.batch_size]
        ]

    def split(self, batch: list[list[int]], parts: int) -> list[list[list[int]]]:
        """Equal parts of a batch; a part's contexts see fewer others than the whole's."""
        return [batch[first:last] for first, last in equal_parts(len(batch), parts)]

    def loss(self, batch: list[list[int]]) -> tuple[Tensor, dict[str, float]]:
        """Weighted sum of the three losses; logs each, and how often the right one is first."""
        made = self._make(self.training, batch, ranking=self.ranking)
        queries, domains = self.module(made.ids, made.mask, made.mention, made.near)
        scale = self.module.scale.exp()
        by_name = scale * queries @ self.module.encode_long_forms(made.long_forms).T
        own = made.target[:, None]
        rivals = made.same.scatter(1, own, False)  # other spellings are no wrong answers
        retrieval = F.cross_entropy(by_name.masked_fill(rivals, float("-inf")), made.target)
        contexts, right = context_loss(scale * queries @ queries.T, made)
        naming = F.cross_entropy(domains.float(), made.domains)
        with torch.no_grad():
            best = by_name.masked_fill(rivals, float("-inf")).argmax(1)
            figures = {
                "long_form_loss": retrieval.item(),
                "context_loss": contexts.item(),
                "long_form_accuracy": (best == made.target).float().mean().item(),
                "context_accuracy": right,
            }
        loss = retrieval + self.context_weight * contexts + self.domain_weight * naming
        if made.taught is not None:
            ranking = F.cross_entropy(by_name, made.taught.softmax(1))
            figures["ranking_loss"] = ranking.item()
            loss = loss + self.ranking_weight * ranking
        return loss, figures

    def evaluate(self) -> dict[str, float]:
        """Of held-out samples with a partner and a rival: how often the own sense is nearer than
        the rival's, by long form and by context."""
        if self.held_out is None:
            return {}
        rng = np.random.default_rng([self.seed, 2])
        order = rng.permutation(len(self.held_out.data)).tolist()
        drawn = (_group(self.held_out, sample, rng, whole=True) for sample in order)
        groups = list(islice((group for group in drawn if len(group) == 3), self.held_out_samples))
        right = np.zeros(2)
        for start in range(0, len(groups), self.batch_size):
            right += self._right(groups[start : start + self.batch_size])
        long_form, context = (right / max(1, len(groups))).tolist()
        score = (long_form + context) / 2
        return {"held_out_long_form": long_form, "held_out_context": context, "score": score}

    def _right(self, groups: Sequence[Sequence[int]]) -> Array:
        """Of groups of three, how many are right by long form and by context."""
        assert self.held_out is not None
        made = self._make(self.held_out.data, groups, window=WINDOWS[-1])
        queries, _ = self.module(made.ids, made.mask, made.mention, made.near)
        names = self.module.encode_long_forms(made.long_forms)[made.target]
        query, partner, rival = queries.view(len(groups), 3, -1).unbind(1)
        name, _, rivals_name = names.view(len(groups), 3, -1).unbind(1)
        pairs = ((name, rivals_name), (partner, rival))
        return np.array(
            [int(((query * one).sum(1) > (query * other).sum(1)).sum()) for one, other in pairs]
        )

    def _make(
        self,
        data: TrainingSet,
        groups: Sequence[Sequence[int]],
        window: int | None = None,
        ranking: Ranking | None = None,
    ) -> Batch:
        samples = [sample for group in groups for sample in group]
        rng = np.random.default_rng([self.seed, 3, samples[0]])
        size = window or int(rng.choice(WINDOWS))
        ids, mention = read_windows(data, samples, size, self.pad_id)
        there = ids != self.pad_id
        near = there.copy()
        for row, own in zip(near, mention, strict=True):
            first, last = np.flatnonzero(own)[[0, -1]]
            row[: max(0, first - REACH)] = False
            row[last + 1 + REACH :] = False
        meant = data.positives[samples]
        wrong = [r for group in groups for r in data.negatives(group[0], self.negatives, rng)]
        rows = np.unique(np.r_[meant, np.array(wrong, dtype=meant.dtype)])
        same = np.zeros((len(samples), len(rows)), dtype=bool)
        for line, row in enumerate(meant):
            same[line] = np.isin(rows, [row, *data.spellings[row].tolist()])
        device = next(self.module.parameters()).device
        arrays = (
            ids,
            there,
            mention,
            near,
            np.searchsorted(rows, meant),
            same,
            data.documents[samples],
            data.domains[samples].astype(np.int64),
        )
        packed = pack(list(in_rows([data.long_forms[row] for row in rows])), self.pad_id)
        tensors = [torch.from_numpy(array).to(device) for array in arrays]
        made = Batch(*tensors, packed.to(device))  # type: ignore[call-arg, arg-type]
        if ranking is None:
            return made
        return made._replace(taught=torch.from_numpy(ranking.logits(samples, rows)).to(device))


def context_loss(scores: Tensor, batch: Batch) -> tuple[Tensor, float]:
    """Softmax of each context that has a partner over all other contexts [contexts, contexts].

    A document's other contexts and those of other spellings are neither right nor wrong.
    """
    partner = batch.target[:, None] == batch.target[None]
    document = batch.documents[:, None] == batch.documents[None]
    spelling = batch.same[:, batch.target]
    hidden = document | (spelling & ~partner)
    right = partner & ~hidden
    asked = right.any(1)
    if not asked.any():
        return scores.sum() * 0.0, 0.0
    scores = scores.float().masked_fill(hidden, float("-inf"))[asked]
    right = right[asked]
    log = scores - scores.logsumexp(1, keepdim=True)
    loss = -(log.masked_fill(~right, 0.0).sum(1) / right.sum(1)).mean()
    first = right.gather(1, scores.argmax(1, keepdim=True)).float().mean().item()
    return loss, first


def _group(
    senses: Senses, sample: int, rng: np.random.Generator, *, whole: bool = False
) -> list[int]:
    """A sample, its partner, a rival and, but for a `whole` group of three, the rival's partner."""
    rival = senses.rival(sample, rng)
    members = [sample, senses.partner(sample, rng), rival]
    if rival is not None and not whole:
        members.append(senses.partner(rival, rng))
    return [member for member in members if member is not None]
