"""Training of the PLDA model that scores contexts under senses (`linking/sense_vectors.py`).

Training has two steps. First, the covariances of contexts within and between senses determine the
axes of the model (Ioffe 2006). Then the axes and their variances are trained to rank the right
sense of a context above the other senses of its acronym. For this, the mean of the right sense is
computed without the document that the context comes from.
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
"""Maximum number of other senses of its acronym with which a context is compared."""

AXES = 192
"""Maximum number of axes to keep, which are those on which senses vary most. Other axes hardly
separate senses, and with fewer axes, codes of the same size are more exact."""

FLOOR = 1e-6
"""Constant that is added to variances, so that no variance is zero."""

LEAST = 1e-2
"""Minimum variance between senses on an axis, relative to the variance within senses."""

RATE = 3e-3
"""Learning rate of the axes, relative to the mean absolute value of their components."""

PASSES = 100
"""Maximum number of times that each context is used on average. More passes would overfit small
data."""


@dataclass(frozen=True)
class SenseContexts:
    """Contexts of senses, grouped into observations.

    All contexts of a sense in the same document form one observation.

    Attributes:
        contexts: Vectors of the contexts, float32 [contexts, width].
        observation: Index of each context's observation, [contexts].
        sense: For each observation, the row of its sense in `keys`, [observations].
        means: Mean context of each observation, float32 [observations, width].
        keys: Keys of the senses in ascending order (see `sense_key`), uint64 [senses].
    """

    contexts: Floats
    observation: Ints
    sense: Ints
    means: Floats
    keys: NDArray[np.uint64]

    @classmethod
    def of(cls, keys: Sequence[int], documents: Sequence[str], contexts: Floats) -> "SenseContexts":
        """Group contexts by their sense and document.

        Args:
            keys: Key of each context's sense; see `sense_key`.
            documents: Id of each context's document.
            contexts: Vectors of the contexts, float32 [contexts, width].

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
        """Number of documents of each sense, in the type that models store, uint16 [senses]."""
        return self.documents.clip(max=np.iinfo(np.uint16).max).astype(np.uint16)

    @cached_property
    def centroids(self) -> Floats:
        """Mean of each sense's observations, which all have the same weight, [senses, width]."""
        return means_of(self.means, self.sense, len(self.keys))


def means_of(vectors: Floats, groups: Ints, number: int) -> Floats:
    """Compute the mean vector of each group of vectors.

    Args:
        vectors: Vectors to average, [n, width].
        groups: Number of each vector's group, starting at 0, [n].
        number: Number of groups. No group may be empty.

    Returns:
        The means in the order of the groups' numbers, [number, width].
    """
    order = np.argsort(groups, kind="stable")
    first = np.searchsorted(groups[order], np.arange(number))
    sums: Floats = np.add.reduceat(vectors[order], first, axis=0)
    return sums / np.bincount(groups, minlength=number)[:, None].astype(np.float32)


def covariances(seen: SenseContexts) -> tuple[Floats, Floats]:
    """Estimate the covariance of contexts within senses, and the covariance of senses.

    Both are shrunk towards spherical covariances (Ledoit and Wolf 2004), which makes them more
    reliable if there are few senses.

    Args:
        seen: Contexts of the senses.

    Returns:
        The covariance within senses and the covariance between senses, each [width, width].
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
    # The mean over few documents deviates from the sense by the variance within senses.
    return within, of_means - within * float((weights / documents).sum() / weights.sum())


def _shrunk(vectors: Floats) -> Floats:
    from sklearn.covariance import ledoit_wolf

    covariance: Floats = ledoit_wolf(vectors, assume_centered=True)[0].astype(np.float32)
    return covariance + FLOOR * np.eye(len(covariance), dtype=np.float32)


def axes_of(seen: SenseContexts) -> SenseLikelihood:
    """Find axes on which contexts of a sense have variance 1 and are uncorrelated (Ioffe 2006).

    Args:
        seen: Contexts of the senses.

    Returns:
        A PLDA model with these axes, in descending order of the variance between senses.
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
    """The PLDA model as a network whose axes, variances and temperature are trainable."""

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
        """Return the trained PLDA model, without the weight of the document count."""
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
        """Draw contexts, each with its right sense followed by other senses of its acronym.

        Returns:
            Vectors of the contexts [size, width], means of the senses [size, senses, width], number
            of documents behind each mean [size, senses], and whether there is a sense rather than
            padding [size, senses].
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
    """Train a PLDA model to separate the senses of each acronym.

    During training, a sense's number of documents has a weight of its own, so that the axes don't
    have to represent it. This weight is dropped at the end, because the linker has a separate
    feature for it.

    Args:
        seen: Contexts of the senses.
        acronyms: Acronym of each context in `seen`.
        rivals: A mapping from each acronym to the keys of its senses. Senses without contexts are
            ignored.
        axes: Maximum number of axes to keep.
        steps: Maximum number of training steps.
        batch: Number of contexts in a training step.
        seed: Random seed of the batches.
        report: Function that is called after each step with its number, starting at 1, and its
            loss.

    Returns:
        The trained PLDA model, or the one that `axes_of` computes if no acronym has several senses.
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
    """Group the keys of senses by the acronyms that have these senses.

    Args:
        pairs: Pairs of an acronym and the key of one of its senses; see `sense_key`.

    Returns:
        A mapping from each acronym to the set of its sense keys. Unknown acronyms have an empty
        set.
    """
    pools: defaultdict[str, set[int]] = defaultdict(set)
    for acronym, key in pairs:
        pools[acronym].add(key)
    return pools
