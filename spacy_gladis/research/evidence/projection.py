"""Training of the projection that brings the vector of a context closer to that of its sense.

The encoder learned to match contexts with long forms. Glosses describe senses better, but the
encoder never saw one in training. A linear map of the context's vector learns the match instead, as
in bilinear models of word sense disambiguation. It is trained on labelled texts with a softmax over
an acronym's candidates, to which all other features contribute with fixed weights. The encoder
doesn't change, so that all stored vectors stay valid.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from ...arrays import Flags, Floats
from ...linking import Linker
from ...linking.calibration import Calibration
from ...linking.features import COSINE, MATCH, select_candidates
from ...linking.sense_vectors import SenseProjection
from .fit import MOST_MENTIONS, Labelled, fit

RANK = 96
"""Rank of the matrix that is added to the identity."""

EPOCHS = 6
DROPOUT = 0.3
"""Probability with which a component of a context's vector is set to 0 in a training step."""

BATCH = 256
"""Number of questions in a training step."""

LEARNING_RATE = 0.001
RIVALS = 24
"""Maximum number of candidates of a question. Those with the highest prior logits are used."""

START = 9.0
"""Initial factor of the cosines, which is trained too."""

MASKED = -1e9


@dataclass(frozen=True)
class Choice:
    """An acronym in a text, with the vectors of the candidates to choose from.

    Attributes:
        query: Mean vector of the encoded contexts, float32 [width].
        vectors: Vectors of the candidates, float16 [candidates, width].
        prior: Logits of the candidates without their cosines, float32 [candidates].
        right: Whether each candidate is right, bool [candidates]. At least one is.
        weight: Weight of the acronym in the loss.
        text: Index of the text.
    """

    query: Floats
    vectors: NDArray[np.float16]
    prior: Floats
    right: Flags
    weight: float
    text: int


def make_choices(
    linker: Linker, acronyms: Sequence[Labelled], weights: Floats, start: Calibration
) -> list[Choice]:
    """Collect the candidates and vectors of the acronyms whose meaning the dictionary lists.

    Args:
        linker: Linker that encodes the long forms of candidates.
        acronyms: Labelled acronyms with the features of their candidates.
        weights: Weight of each acronym in the fit of the prior, [acronyms].
        start: Weights with which the linker selected the candidates to encode.

    Returns:
        A choice for each acronym that has a right and a wrong candidate.
    """
    without = [_without_cosines(acronym) for acronym in acronyms]
    prior = fit(without, weights)
    choices = []
    for acronym in without:
        candidates = acronym.evidence.question.candidates
        if not 0 < len(acronym.right) < len(candidates):
            continue
        logits = prior.logits(acronym.evidence.mean_table)
        likeliest = np.argsort(-logits, kind="stable")[:RIVALS]
        encoded = np.intersect1d(likeliest, select_candidates(acronym.evidence.mean_table, start))
        rows = np.union1d(encoded, np.array(acronym.right, np.int64))
        right = np.isin(rows, acronym.right)
        if right.all():
            continue
        vectors = linker.reader.vectors.get([candidates[row] for row in rows])
        weight = float(min(acronym.mentions, MOST_MENTIONS))
        query = acronym.evidence.queries.mean(axis=0)
        coded = vectors.astype(np.float16)
        choices.append(Choice(query, coded, logits[rows], right, weight, acronym.text))
    return choices


def _without_cosines(acronym: Labelled) -> Labelled:
    table = acronym.evidence.mean_table.copy()
    table[:, [COSINE, MATCH]] = 0
    return acronym._replace(evidence=replace(acronym.evidence, mean_table=table))


def fit_projection(
    choices: Sequence[Choice],
    *,
    epochs: int = EPOCHS,
    rank: int = RANK,
    seed: int = 0,
    report: Callable[[int, float], None] = lambda epoch, loss: None,
) -> SenseProjection:
    """Fit a projection on choices, with the cross-entropy of the right candidates as loss.

    Args:
        choices: Acronyms in texts, with their right and wrong candidates.
        epochs: Number of passes over the choices.
        rank: Rank of the matrix that is added to the identity.
        seed: Random seed of the first weights and of the order of the choices.
        report: Function that is called after each epoch with its number, starting at 1, and the
            mean loss.

    Returns:
        The projection.
    """
    rng = np.random.default_rng(seed)
    generator = torch.Generator().manual_seed(seed)
    width = len(choices[0].query)
    left = torch.zeros(rank, width, requires_grad=True)
    right = (0.05 * torch.randn(width, rank, generator=generator)).requires_grad_()
    scale = torch.tensor(START, requires_grad=True)
    groups: list[dict[str, Any]] = [
        {"params": [left, right]},
        {"params": [scale], "lr": 30 * LEARNING_RATE},
    ]
    optimizer = torch.optim.Adam(groups, lr=LEARNING_RATE)
    for epoch in range(epochs):
        order, total = rng.permutation(len(choices)), 0.0
        for first in range(0, len(order), BATCH):
            batch = [choices[i] for i in order[first : first + BATCH]]
            queries, vectors, prior, is_right, weights = _stack(batch)
            is_kept = torch.rand(queries.shape, generator=generator) >= DROPOUT
            dropped = queries * is_kept / (1 - DROPOUT)
            projected = torch.nn.functional.normalize(queries + dropped @ right @ left, dim=1)
            cosines = (vectors @ projected[:, :, None]).squeeze(2)
            logs = torch.log_softmax(scale * cosines + prior, dim=1)
            losses = -torch.logsumexp(logs.masked_fill(~is_right, MASKED), dim=1)
            loss = (losses * weights).sum() / weights.sum()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            total += loss.item() * len(batch)
        report(epoch + 1, total / len(choices))
    matrix = torch.eye(width) + right @ left
    return SenseProjection(matrix.detach().numpy())


def _stack(
    choices: Sequence[Choice],
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]:
    """Return the arrays of choices as padded tensors. Padding has a prior logit of `MASKED`."""
    most, width = max(len(choice.prior) for choice in choices), len(choices[0].query)
    vectors = np.zeros((len(choices), most, width), np.float32)
    prior = np.full((len(choices), most), MASKED, np.float32)
    right = np.zeros((len(choices), most), bool)
    for row, choice in enumerate(choices):
        count = len(choice.prior)
        vectors[row, :count], prior[row, :count] = choice.vectors, choice.prior
        right[row, :count] = choice.right
    queries = np.stack([choice.query for choice in choices])
    weights = np.array([choice.weight for choice in choices], np.float32)
    arrays = (queries, vectors, prior, right, weights)
    tensors = [torch.from_numpy(array) for array in arrays]
    return tensors[0], tensors[1], tensors[2], tensors[3], tensors[4]


def update_matches(
    linker: Linker,
    projection: SenseProjection,
    acronyms: Iterable[Labelled],
    weights: Calibration,
) -> None:
    """Set the projection of a linker, and compute the features that depend on it anew.

    Args:
        linker: Linker whose model gets the projection.
        projection: The new projection.
        acronyms: Labelled acronyms. The feature tables of their evidence are changed in place.
        weights: Weights with which the linker selected the candidates to encode.
    """
    linker.model.projection = projection
    for acronym in acronyms:
        evidence = acronym.evidence
        if not evidence.question.candidates:
            continue
        of_contexts = projection.project(evidence.queries)
        for table, context in zip(evidence.tables, of_contexts, strict=True):
            rows = select_candidates(table, weights)
            candidates = [evidence.question.candidates[row] for row in rows.tolist()]
            matches = linker.model.scale * (linker.reader.vectors.get(candidates) @ context)
            table[:, MATCH] = matches.min()
            table[rows, MATCH] = matches
        evidence.mean_table[:, MATCH] = np.mean([t[:, MATCH] for t in evidence.tables], axis=0)
