"""Training of the likelihood of contexts under senses (`linking/sense_vectors.py`).

First, the covariances within and between senses give the axes (PLDA, Ioffe 2006). Then axes and
variances are trained to rank the sense meant above the acronym's others. The sense's mean leaves
out the document that the question comes from.
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
"""Maximum number of other senses of the acronym that a context is compared with."""

AXES = 192
"""Number of axes to keep, those on which senses vary most. Other axes hardly separate senses, and
with fewer axes, codes of the same size are more exact."""

FLOOR = 1e-6
"""Constant added to variances, so that no variance is zero."""

LEAST = 1e-2
"""Minimum variance between senses on an axis, as a share of the variance within senses."""

RATE = 3e-3
"""Learning rate of the axes, as a share of their mean size."""

PASSES = 100
"""Maximum number of times that each context is used. More passes would overfit small data."""


@dataclass(frozen=True)
class SenseContexts:
    """Contexts grouped into observations. An observation is a sense in a document.

    Attributes:
        contexts: Context vectors, [contexts, width].
        observation: Index of each context's observation, [contexts].
        sense: Row of each observation's sense in `keys`, [observations].
        means: Mean context of each observation, [observations, width].
        keys: Sense keys, ascending, [senses].
    """

    contexts: Floats
    observation: Ints
    sense: Ints
    means: Floats
    keys: NDArray[np.uint64]

    @classmethod
    def of(cls, keys: Sequence[int], documents: Sequence[str], contexts: Floats) -> "SenseContexts":
        """Group contexts by sense and document.

        Args:
            keys: Sense key of each context.
            documents: Document of each context.
            contexts: Context vectors, [contexts, width].

        Returns:
            The grouped contexts.
        """
        names, sense = np.unique(np.array(keys, np.uint64), return_inverse=True)
        _, document = np.unique(np.array(documents), return_inverse=True)
        pairs = sense.astype(np.int64) * (int(document.max(initial=0)) + 1) + document
        distinct, observation = np.unique(pairs, return_inverse=True)
        means = means_of(contexts, observation, len(distinct))
        sense_of = np.empty(len(distinct), np.int64)
        sense_of[observation] = sense
        return cls(contexts, observation, sense_of, means, names)

    @cached_property
    def documents(self) -> Floats:
        """Number of documents in which each sense occurs, float32 [senses]."""
        counts: Floats = np.bincount(self.sense, minlength=len(self.keys)).astype(np.float32)
        return counts

    @property
    def seen(self) -> NDArray[np.uint16]:
        """`documents` as a file stores them, uint16 [senses]."""
        return self.documents.clip(max=np.iinfo(np.uint16).max).astype(np.uint16)

    @cached_property
    def centroids(self) -> Floats:
        """Mean of each sense's observations, [senses, width]."""
        return means_of(self.means, self.sense, len(self.keys))


def means_of(vectors: Floats, groups: Ints, number: int) -> Floats:
    """Compute the mean vector of each group of vectors.

    Args:
        vectors: Vectors, [n, width].
        groups: Index of each vector's group, [n].
        number: Number of groups. No group may be empty.

    Returns:
        Means, [number, width].
    """
    order = np.argsort(groups, kind="stable")
    first = np.searchsorted(groups[order], np.arange(number))
    sums: Floats = np.add.reduceat(vectors[order], first, axis=0)
    return sums / np.bincount(groups, minlength=number)[:, None].astype(np.float32)


def covariances(seen: SenseContexts) -> tuple[Floats, Floats]:
    """Estimate the covariance of contexts within senses, and the covariance between senses.

    Both are shrunk towards spherical covariances (Ledoit and Wolf 2004), which matters if there are
    few senses.

    Args:
        seen: Contexts of the senses.

    Returns:
        The covariances within and between senses, each [width, width].
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
    # The mean of few documents deviates from its sense by the variance within it.
    return within, of_means - within * float((weights / documents).sum() / weights.sum())


def _shrunk(vectors: Floats) -> Floats:
    from sklearn.covariance import ledoit_wolf

    covariance: Floats = ledoit_wolf(vectors, assume_centered=True)[0].astype(np.float32)
    return covariance + FLOOR * np.eye(len(covariance), dtype=np.float32)


def axes_of(seen: SenseContexts) -> SenseLikelihood:
    """Find the axes on which contexts have variance 1 within senses (Ioffe 2006).

    Args:
        seen: Contexts of the senses.

    Returns:
        A likelihood model whose axes are sorted by decreasing variance between senses.
    """
    within, between = covariances(seen)
    values, vectors = np.linalg.eigh(within)
    whitening = vectors / np.sqrt(values)
    variances, axes = np.linalg.eigh(whitening.T @ between @ whitening)
    order = np.argsort(-variances)
    projection = (whitening @ axes[:, order]).astype(np.float32)
    least = np.maximum(variances[order], LEAST).astype(np.float32)
    return SenseLikelihood(seen.centroids.mean(axis=0), projection, least, 1.0)


class _Network(nn.Module):
    """The likelihood model as a network with axes, variances and temperature as parameters."""

    def __init__(self, start: SenseLikelihood) -> None:
        super().__init__()
        self.mean = nn.Parameter(torch.from_numpy(start.mean.copy()))
        self.projection = nn.Parameter(torch.from_numpy(start.projection.copy()))
        self.between = nn.Parameter(torch.from_numpy(np.log(start.between)))
        self.temper = nn.Parameter(torch.tensor(-1.0))
        self.number = nn.Parameter(torch.tensor(0.0))

    def forward(self, queries: Tensor, means: Tensor, seen: Tensor) -> Tensor:
        """Return logits of senses, [queries, senses].

        Args:
            queries: Context vectors, [queries, width].
            means: Mean contexts of the senses, [queries, senses, width].
            seen: Number of documents behind each mean, [queries, senses].
        """
        projected = ((queries - self.mean) @ self.projection)[:, None]
        between = self.between.exp()
        strength = between * seen[..., None]
        expected = strength / (strength + 1) * ((means - self.mean) @ self.projection)
        spread = between / (strength + 1) + 1
        ratios = -0.5 * ((projected - expected) ** 2 / spread + spread.log()).sum(-1)
        logits: Tensor = self.temper.exp() * ratios + self.number * seen.clamp(min=1).log()
        return logits

    def likelihood(self) -> SenseLikelihood:
        """Return the trained likelihood."""
        mean, projection, between, temper = (
            parameter.detach().numpy()
            for parameter in (self.mean, self.projection, self.between.exp(), self.temper.exp())
        )
        return SenseLikelihood(mean, projection, between, float(temper))


class _Questions:
    """Training questions: contexts of acronyms that have several senses to choose from."""

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
        self.queries = np.array(
            [row for row in np.flatnonzero(several).tolist() if len(self._others(row))], np.int64
        )

    def _others(self, row: int) -> Ints:
        pool = self.pools[self.acronyms[row]]
        others: Ints = pool[pool != self.sense[row]]
        return others

    def batch(self, size: int, rng: np.random.Generator) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """Draw contexts, each with its right sense and then the other senses of its acronym.

        Returns:
            Contexts, [size, width]. Means of the senses, [size, senses, width]. Number of documents
            behind each mean, and whether there is a sense, both [size, senses].
        """
        rows = self.queries[rng.integers(0, len(self.queries), size)]
        senses = np.full((size, RIVALS + 1), -1)
        for line, row in enumerate(rows.tolist()):
            others = rng.permutation(self._others(row))[:RIVALS]
            senses[line, : len(others) + 1] = self.sense[row], *others
        means, counts = self.centroids[senses], self.documents[senses]
        own_counts = counts[:, 0].copy()
        counts[:, 0] -= 1  # leave the question's document out of its own sense
        means[:, 0] *= own_counts[:, None]
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
    """Train the likelihood to separate the senses of each acronym.

    During training, a sense's number of documents has its own weight, so that the axes don't have
    to represent it. This weight is dropped at the end, because the evidence has one.

    Args:
        seen: Contexts of the senses.
        acronyms: Acronym of each context.
        rivals: A mapping from each acronym to its sense keys. Senses without contexts are ignored.
        axes: Maximum number of axes to keep.
        steps: Maximum number of training steps.
        batch: Number of contexts in a training step.
        seed: Random seed of the         atches.
        report: Called with the number of each step, starting at 1, and its loss.

    Returns:
        The trained likelihood model, or the untrained one if no acronym has several senses.
    """
    start = axes_of(seen)
    start = start.select_axes(np.arange(min(axes, len(start.between))))
    questions = _Questions(seen, acronyms, rivals)
    if not len(questions.queries):
        return start
    steps = min(steps, ceil(PASSES * len(questions.queries) / batch))
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
        *inputs, mask = questions.batch(batch, rng)
        logits = network(*inputs).masked_fill(~mask, float("-inf"))
        loss = -logits.log_softmax(1)[:, 0].mean()
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        schedule.step()
        report(step + 1, loss.item())
    return network.likelihood()


def pools_of(pairs: Iterable[tuple[str, int]]) -> defaultdict[str, set[int]]:
    """Group sense keys by acronym.

    Args:
        pairs: Pairs of an acronym and a sense key.

    Returns:
        A mapping from each acronym to its sense keys.
    """
    pools: defaultdict[str, set[int]] = defaultdict(set)
    for acronym, key in pairs:
        pools[acronym].add(key)
    return pools
