"""Self-alignment: names of one concept together, others apart (SapBERT, NAACL 2021, section 2).

The multi-similarity loss (Wang et al. 2019) over the pairs of a batch that are hard: a positive is
hard where some negative is nearer to the anchor, but for a margin, and the other way round.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional as F  # noqa: N812

from ..errors import InputError


@dataclass(frozen=True)
class AlignmentSettings:
    """alpha, beta, base: of the loss, as SapBERT has them. margin: by which a pair counts as hard.
    keep: weight of staying near to where training began. steps, pairs: batches, pairs in one."""

    steps: int = 400
    pairs: int = 256
    learning_rate: float = 1e-3
    alpha: float = 2.0
    beta: float = 50.0
    base: float = 0.5
    margin: float = 0.2
    keep: float = 1e-2
    seed: int = 0


def multi_similarity_loss(
    vectors: Tensor, labels: Tensor, settings: AlignmentSettings = AlignmentSettings()
) -> Tensor:
    """The loss of a batch, its mean over the anchors.

    vectors: unit vectors [texts, width]. labels: integers [texts], equal for one concept.
    """
    similarity = vectors @ vectors.T
    same = labels[:, None] == labels[None, :]
    itself = torch.eye(len(labels), dtype=torch.bool, device=labels.device)
    positive, negative = same & ~itself, ~same
    with torch.no_grad():
        infinite = torch.full_like(similarity, torch.inf)
        nearest = torch.where(negative, similarity, -infinite).amax(1, keepdim=True)
        farthest = torch.where(positive, similarity, infinite).amin(1, keepdim=True)
        positive &= similarity - settings.margin < nearest
        negative &= similarity + settings.margin > farthest
    zero = torch.zeros_like(similarity)
    pull = torch.where(positive, torch.exp(-settings.alpha * (similarity - settings.base)), zero)
    push = torch.where(negative, torch.exp(settings.beta * (similarity - settings.base)), zero)
    loss = torch.log1p(pull.sum(1)) / settings.alpha + torch.log1p(push.sum(1)) / settings.beta
    return loss.mean()


def learn_alignment(
    encode: Callable[[Sequence[str]], NDArray[np.float32]],
    groups: Sequence[Sequence[str]],
    settings: AlignmentSettings = AlignmentSettings(),
) -> NDArray[np.float32]:
    """A matrix [width, width] that brings the vectors of each group's texts together.

    encode: texts to unit vectors; it stays as it is, so that a text is encoded once. groups: the
    names and phrases of a concept each. Raises InputError where no group has two texts.
    """
    groups = [list(dict.fromkeys(group)) for group in groups]
    groups = [group for group in groups if len(group) > 1]
    if not groups:
        raise InputError("No concept has two names: there is nothing to align.")
    table = torch.from_numpy(encode([text for group in groups for text in group]))
    starts = np.cumsum([0, *map(len, groups)])
    random = np.random.default_rng(settings.seed)
    start = torch.eye(table.shape[1])
    matrix = start.clone().requires_grad_(True)
    optimizer = torch.optim.Adam([matrix], settings.learning_rate)
    for _ in range(settings.steps):
        size = min(settings.pairs, len(groups))
        chosen = random.choice(len(groups), size, replace=False)
        rows = np.concatenate(
            [starts[one] + random.choice(len(groups[one]), 2, replace=False) for one in chosen]
        )
        vectors = F.normalize(table[torch.from_numpy(rows)] @ matrix, dim=-1)
        labels = torch.arange(size).repeat_interleave(2)
        loss = multi_similarity_loss(vectors, labels, settings)
        loss = loss + settings.keep * (matrix - start).square().sum()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    learnt: NDArray[np.float32] = matrix.detach().numpy()
    return learnt
