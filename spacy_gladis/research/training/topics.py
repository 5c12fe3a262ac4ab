"""Training of the classifier that estimates the topics of a context.

The topics are the sources of a dictionary and the branches of its common lists.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from ...dictionary import Dictionary
from ...errors import require
from ...linking.sense_vectors import ContextCentroids, sense_key
from ...linking.topics import Topics, find_branch

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

EPOCHS = 6
BATCH = 2048
LEARNING_RATE = 0.05
DECAY = 2e-5

MOST = 12
"""Maximum number of contexts of a sense that are drawn in an epoch."""


def source_topics(dictionary: Dictionary) -> tuple[list[str], dict[int, int], "csr_matrix"]:
    """Compute the share of each topic in each sense of a dictionary.

    A sense has the topics of the sources that list it.

    Args:
        dictionary: Dictionary whose sources and branches are the topics.

    Returns:
        A tuple of three values: the names of the topics in alphabetical order, a mapping from each
        sense key to its row, and the shares as a sparse float32 matrix [senses, topics]. Each row
        sums to 1, or is empty if the sense has no topics.
    """
    sparse = require("scipy.sparse", "train", "scipy")
    names = sorted({*dictionary.sources, *map(find_branch, dictionary.sources)} - {""})
    nothing = np.zeros((len(names), 1), np.float32)
    counting = Topics(names, nothing[:, 0], nothing, nothing[:, 0])
    row_of: dict[int, int] = {}
    rows, topics, shares = [], [], []
    for acronym in dictionary:
        candidates = dictionary.candidates(acronym)
        located = counting.locate_candidates(candidates, dictionary.sources)
        candidate_rows = [
            row_of.setdefault(sense_key(candidate.long_form), len(row_of))
            for candidate in candidates
        ]
        rows += [candidate_rows[row] for row in located.rows.tolist()]
        topics += located.topics.tolist()
        shares += located.shares.tolist()
    table = sparse.csr_matrix((shares, (rows, topics)), (len(row_of), len(names)), np.float32)
    whole = np.maximum(np.asarray(table.sum(axis=1)).ravel(), 1e-9)
    return names, row_of, sparse.diags(1 / whole).dot(table).tocsr().astype(np.float32)


def fit_topics(
    dictionary: Dictionary,
    centroids: ContextCentroids,
    *,
    epochs: int = EPOCHS,
    seed: int = 0,
    report: Callable[[int, float], None] = lambda epoch, loss: None,
) -> Topics:
    """Fit a softmax regression that estimates the topics of contexts.

    The contexts are drawn from the distributions that the PLDA model assigns to the senses. Rare
    topics have a higher weight in the loss.

    Args:
        dictionary: Dictionary whose sources and branches are the topics.
        centroids: Centroids with a PLDA model. In each epoch, as many contexts of a sense are drawn
            as it was seen in, up to `MOST`.
        epochs: Number of epochs.
        seed: Random seed of the contexts.
        report: Function that is called after each epoch with its number, starting at 0, and its
            mean loss.

    Returns:
        The topic classifier. It has no topics if no sense of the centroids has a topic.
    """
    import torch

    likelihood = centroids.likelihood
    assert likelihood is not None
    names, row_of, shares = source_topics(dictionary)
    matches = [(at, row_of[key]) for at, key in enumerate(centroids.keys.tolist()) if key in row_of]
    chosen, rows = np.array(matches, np.int64).reshape(-1, 2).T
    has_topic = np.asarray(shares[rows].sum(axis=1)).ravel() > 0
    chosen, rows = chosen[has_topic], rows[has_topic]
    if not len(rows):
        return Topics.empty(len(likelihood.mean))
    seen = centroids.seen[chosen].astype(np.float32)
    expected = centroids.decode_rotated(chosen)
    spread = np.sqrt(likelihood.between / (likelihood.between * seen[:, None] + 1) + 1)
    often = np.minimum(seen, MOST).astype(np.int64)
    prior = np.asarray(shares[rows].T.dot(often / often.sum())).ravel() + 1e-4
    rarity = 1 / np.sqrt(prior)
    rarity /= rarity.mean()
    linear = torch.nn.Linear(expected.shape[1], len(names))
    torch.nn.init.zeros_(linear.weight)
    torch.nn.init.zeros_(linear.bias)
    optimizer = torch.optim.Adam(linear.parameters(), lr=LEARNING_RATE)
    steps = epochs * -(-int(often.sum()) // BATCH)
    schedule = torch.optim.lr_scheduler.LinearLR(optimizer, 1.0, 0.0, steps)
    rng = np.random.default_rng(seed)
    for epoch in range(epochs):
        order = rng.permutation(np.repeat(np.arange(len(rows)), often))
        losses = []
        for start in range(0, len(order), BATCH):
            batch = order[start : start + BATCH]
            noise = rng.standard_normal((len(batch), expected.shape[1]), np.float32)
            drawn = torch.from_numpy(expected[batch] + spread[batch] * noise)
            target = shares[rows[batch]].toarray() * rarity.astype(np.float32)
            logs = torch.log_softmax(linear(drawn), 1)
            loss = -(torch.from_numpy(target) * logs).sum(1).mean()
            loss = loss + DECAY * (linear.weight**2).sum()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            schedule.step()
            losses.append(float(loss.detach()))
        report(epoch, float(np.mean(losses)))
    weights, bias = (part.detach().numpy() for part in (linear.weight, linear.bias))
    # The projection onto the axes is a linear map, so it can be included in the weights.
    of_vectors = weights @ likelihood.projection.T
    return Topics(names, prior / prior.sum(), of_vectors, bias - of_vectors @ likelihood.mean)
