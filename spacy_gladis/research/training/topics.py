"""Fit the classifier of contexts into topics, the dictionary's sources."""

from collections.abc import Callable

import numpy as np

from ...arrays import Floats
from ...dictionary import Dictionary
from ...modeling.sense_vectors import sense_key
from ...modeling.topics import Topics

EPOCHS = 12
BATCH = 2048
LEARNING_RATE = 0.05
DECAY = 2e-5


def source_topics(dictionary: Dictionary) -> tuple[list[str], dict[int, Floats]]:
    """The names of the dictionary's sources, and of each sense what share each source has in it.

    Returns the names in alphabetical order, and {sense key: [topics]}; shares sum to 1.
    """
    names = sorted(dictionary.sources)
    nothing = np.zeros((len(names), 1), np.float32)
    counting = Topics(names, nothing[:, 0], nothing, nothing[:, 0])
    shares: dict[int, Floats] = {}
    for acronym in dictionary:
        candidates = dictionary.candidates(acronym)
        of = counting.of_candidates(candidates, dictionary.sources)
        for candidate, row in zip(candidates, of, strict=True):
            if row.any():
                key = sense_key(candidate.long_form)
                shares[key] = shares.get(key, 0) + row
    return names, {key: row / row.sum() for key, row in shares.items()}


def fit_topics(
    names: list[str],
    contexts: Floats,
    shares: Floats,
    *,
    seed: int = 0,
    report: Callable[[int, float], None] = lambda epoch, loss: None,
) -> Topics:
    """A softmax regression of topics on contexts; rare topics count more.

    contexts: unit vectors [n, width]. shares: of each context's sense in the topics [n, topics],
    rows sum to 1. report: is given the epoch and its mean loss.
    """
    import torch

    prior = shares.mean(axis=0) + 1e-4
    rarity = 1 / np.sqrt(prior)
    targets = torch.from_numpy((shares * rarity / rarity.mean()).astype(np.float32))
    inputs = torch.from_numpy(np.asarray(contexts, np.float32))
    linear = torch.nn.Linear(inputs.shape[1], len(names))
    torch.nn.init.zeros_(linear.weight)
    torch.nn.init.zeros_(linear.bias)
    optimizer = torch.optim.Adam(linear.parameters(), lr=LEARNING_RATE)
    rng = np.random.default_rng(seed)
    for epoch in range(EPOCHS):
        losses = []
        for start in range(0, len(inputs), BATCH):
            if not start:
                order = torch.from_numpy(rng.permutation(len(inputs)))
            batch = order[start : start + BATCH]
            logs = torch.log_softmax(linear(inputs[batch]), 1)
            loss = -(targets[batch] * logs).sum(1).mean() + DECAY * (linear.weight**2).sum()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            losses.append(float(loss.detach()))
        report(epoch, float(np.mean(losses)))
    weights, bias = (part.detach().numpy() for part in (linear.weight, linear.bias))
    return Topics(names, prior / prior.sum(), weights, bias)
