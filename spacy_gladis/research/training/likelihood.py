"""Learn how the contexts of senses vary (`linking/sense_vectors.py`), from many documents.

Two steps: the covariances within senses and between them give the axes (Ioffe 2006); then axes and
variances are trained to put the sense meant before the acronym's others, each asked about in a
document that its own sense is not told of.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import ceil

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from ...arrays import Floats, Ints
from ...linking.sense_vectors import SenseLikelihood

RIVALS = 15
"""Other senses of the acronym that a context is told apart from, at most."""

AXES = 192
"""Those on which senses vary most: the others tell them apart by little, and the fewer there are,
the closer a code of so many bytes comes to them."""

FLOOR = 1e-6
"""Added to variances, so that none is nothing."""

LEAST = 1e-2
"""The least variance between senses on an axis, as a share of that within them."""

RATE = 3e-3
"""Of the axes, as a share of their mean size."""

PASSES = 100
"""Times that each context is asked about, at most: few are soon learnt by heart."""


@dataclass(frozen=True)
class SenseContexts:
    """Contexts of senses, those of one document together.

    contexts: [contexts, width]. observation: of each context, its sense in its document. sense: of
    each observation. means: of the contexts of each observation [observations, width]. keys: of
    each sense, ascending.
    """

    contexts: Floats
    observation: Ints
    sense: Ints
    means: Floats
    keys: NDArray[np.uint64]

    @classmethod
    def of(cls, keys: Sequence[int], documents: Sequence[str], contexts: Floats) -> "SenseContexts":
        """Contexts [contexts, width] by the keys of their senses and their documents."""
        names, sense = np.unique(np.array(keys, np.uint64), return_inverse=True)
        _, document = np.unique(np.array(documents), return_inverse=True)
        pairs = sense.astype(np.int64) * (int(document.max(initial=0)) + 1) + document
        distinct, observation = np.unique(pairs, return_inverse=True)
        means = means_of(contexts, observation, len(distinct))
        of = np.empty(len(distinct), np.int64)
        of[observation] = sense
        return cls(contexts, observation, of, means, names)

    @cached_property
    def documents(self) -> Floats:
        """How many each sense was seen in, [senses]."""
        counts: Floats = np.bincount(self.sense, minlength=len(self.keys)).astype(np.float32)
        return counts

    @property
    def seen(self) -> NDArray[np.uint16]:
        """The same as a file holds it, [senses]."""
        return self.documents.clip(max=np.iinfo(np.uint16).max).astype(np.uint16)

    @cached_property
    def centroids(self) -> Floats:
        """The mean of each sense, every document alike, [senses, width]."""
        return means_of(self.means, self.sense, len(self.keys))


def means_of(vectors: Floats, groups: Ints, number: int) -> Floats:
    """Of each of so many groups the mean of its vectors [n, width]; groups: of each vector."""
    order = np.argsort(groups, kind="stable")
    first = np.searchsorted(groups[order], np.arange(number))
    sums: Floats = np.add.reduceat(vectors[order], first, axis=0)
    return sums / np.bincount(groups, minlength=number)[:, None].astype(np.float32)


def covariances(seen: SenseContexts) -> tuple[Floats, Floats]:
    """Of contexts within senses and of senses, [width, width].

    Shrunk towards round ones (Ledoit and Wolf 2004): nothing beside many senses, and what keeps few
    from being told apart by chance.
    """
    documents, centroids = seen.documents, seen.centroids
    repeated = documents[seen.sense] > 1
    number = documents[seen.sense][repeated]
    apart = seen.means[repeated] - centroids[seen.sense[repeated]]
    apart *= np.sqrt(number / (number - 1))[:, None]
    weights = documents / (documents + 1)
    around = centroids - centroids.mean(axis=0)
    of_means = _shrunk(around * np.sqrt(weights / weights.mean())[:, None])
    within = _shrunk(apart) if len(apart) else np.diag(np.diag(of_means)) / 2
    # A mean of few documents lies off its sense by what contexts vary.
    return within, of_means - within * float((weights / documents).sum() / weights.sum())


def _shrunk(vectors: Floats) -> Floats:
    from sklearn.covariance import ledoit_wolf

    covariance: Floats = ledoit_wolf(vectors, assume_centered=True)[0].astype(np.float32)
    return covariance + FLOOR * np.eye(len(covariance), dtype=np.float32)


def axes_of(seen: SenseContexts) -> SenseLikelihood:
    """The axes on which contexts vary by 1 within senses, with the variances between them."""
    within, between = covariances(seen)
    values, vectors = np.linalg.eigh(within)
    whitening = vectors / np.sqrt(values)
    variances, axes = np.linalg.eigh(whitening.T @ between @ whitening)
    order = np.argsort(-variances)
    projection = (whitening @ axes[:, order]).astype(np.float32)
    least = np.maximum(variances[order], LEAST).astype(np.float32)
    return SenseLikelihood(seen.centroids.mean(axis=0), projection, least, 1.0)


class _Network(nn.Module):
    """The likelihood with its axes, variances and temper as parameters."""

    def __init__(self, start: SenseLikelihood) -> None:
        super().__init__()
        self.mean = nn.Parameter(torch.from_numpy(start.mean.copy()))
        self.projection = nn.Parameter(torch.from_numpy(start.projection.copy()))
        self.between = nn.Parameter(torch.from_numpy(np.log(start.between)))
        self.temper = nn.Parameter(torch.tensor(-1.0))
        self.number = nn.Parameter(torch.tensor(0.0))

    def forward(self, queries: Tensor, means: Tensor, seen: Tensor) -> Tensor:
        """Logits of senses [queries, senses] by means [queries, senses, width] of so many."""
        asked = ((queries - self.mean) @ self.projection)[:, None]
        between = self.between.exp()
        known = between * seen[..., None]
        expected = known / (known + 1) * ((means - self.mean) @ self.projection)
        spread = between / (known + 1) + 1
        ratios = -0.5 * ((asked - expected) ** 2 / spread + spread.log()).sum(-1)
        logits: Tensor = self.temper.exp() * ratios + self.number * seen.clamp(min=1).log()
        return logits

    def likelihood(self) -> SenseLikelihood:
        """What was learnt."""
        mean, projection, between, temper = (
            one.detach().numpy()
            for one in (self.mean, self.projection, self.between.exp(), self.temper.exp())
        )
        return SenseLikelihood(mean, projection, between, float(temper))


class _Questions:
    """Contexts of acronyms whose senses are to be told apart."""

    def __init__(
        self, seen: SenseContexts, acronyms: Sequence[str], rivals: Mapping[str, Iterable[int]]
    ) -> None:
        self.seen, self.acronyms = seen, acronyms
        self.documents, self.centroids = seen.documents, seen.centroids
        self.sense = seen.sense[seen.observation]
        row_of = {int(key): row for row, key in enumerate(seen.keys)}
        self.pools = {
            acronym: np.array(sorted({row_of[key] for key in keys if key in row_of}), np.int64)
            for acronym, keys in rivals.items()
        }
        several = self.documents[self.sense] > 1
        self.asked = np.array(
            [row for row in np.flatnonzero(several).tolist() if len(self._others(row))], np.int64
        )

    def _others(self, row: int) -> Ints:
        pool = self.pools[self.acronyms[row]]
        others: Ints = pool[pool != self.sense[row]]
        return others

    def batch(self, size: int, rng: np.random.Generator) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """Contexts [size, width]; the means of their own senses, first, and of others
        [size, senses, width]; of how many documents they are, and which there are [size, senses].
        """
        rows = self.asked[rng.integers(0, len(self.asked), size)]
        senses = np.full((size, RIVALS + 1), -1)
        for line, row in enumerate(rows.tolist()):
            others = rng.permutation(self._others(row))[:RIVALS]
            senses[line, : len(others) + 1] = self.sense[row], *others
        means, counts = self.centroids[senses], self.documents[senses]
        own = counts[:, 0].copy()
        counts[:, 0] -= 1  # its own sense is not told of the document that is asked about
        means[:, 0] *= own[:, None]
        means[:, 0] -= self.seen.means[self.seen.observation[rows]]
        means[:, 0] /= counts[:, 0, None]
        queries = self.seen.contexts[rows].astype(np.float32)
        arrays = (queries, means, counts, senses >= 0)
        return tuple(torch.from_numpy(array) for array in arrays)  # type: ignore[return-value]


def fit_likelihood(
    seen: SenseContexts,
    acronyms: Sequence[str],
    rivals: Mapping[str, Iterable[int]],
    *,
    axes: int = AXES,
    steps: int = 1600,
    batch: int = 512,
    seed: int = 0,
    report: Callable[[int, float], None] = lambda step, loss: None,
) -> SenseLikelihood:
    """The axes, trained where an acronym's senses in several documents are to be told apart.

    How many documents a sense was seen in is weighed beside them, so that the axes need not tell
    it; that weight is not kept, since the evidence has one of its own.

    acronyms: of each context. rivals: of each acronym the keys of its senses; those that were never
    seen are of no account. axes: as many at most. batch: contexts a step. report: is given the step
    and its loss.
    """
    start = axes_of(seen)
    start = start.select_axes(np.arange(min(axes, len(start.between))))
    questions = _Questions(seen, acronyms, rivals)
    if not len(questions.asked):
        return start
    steps = min(steps, ceil(PASSES * len(questions.asked) / batch))
    network = _Network(start)
    optimiser = torch.optim.Adam(
        [
            {"params": [network.projection], "lr": RATE * float(np.abs(start.projection).mean())},
            {"params": [network.between, network.temper, network.number], "lr": 1e-2},
            {"params": [network.mean], "lr": 1e-4},
        ]
    )
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimiser, lambda step: min(1.0, (step + 1) / 20) * (1 - step / steps)
    )
    rng = np.random.default_rng(seed)
    for step in range(steps):
        *asked, there = questions.batch(batch, rng)
        logits = network(*asked).masked_fill(~there, float("-inf"))
        loss = -logits.log_softmax(1)[:, 0].mean()
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        schedule.step()
        report(step + 1, loss.item())
    return network.likelihood()


def pools_of(pairs: Iterable[tuple[str, int]]) -> defaultdict[str, set[int]]:
    """The senses of each acronym, by their keys, of pairs of both."""
    pools: defaultdict[str, set[int]] = defaultdict(set)
    for acronym, key in pairs:
        pools[acronym].add(key)
    return pools
