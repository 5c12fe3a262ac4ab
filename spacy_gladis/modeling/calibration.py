"""From scores to probabilities: a conditional logit with an alternative for "none of these"."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass

import numpy as np
from numpy.typing import NDArray

FEATURES = (
    "cosine",
    "correction",
    "sense",
    "unseen",
    "seen",
    "domain_prior",
    "count_prior",
)
SIGNED = ("unseen",)
"""Features whose weight may be below zero; of all others more never speaks against a candidate."""

Floats = NDArray[np.float32]


@dataclass(frozen=True)
class Calibration:
    """Weights of what speaks for a candidate, and the weight of none of them being right.

    cosine: of the retriever's scaled cosine. correction: of the cross-encoder's correction.
    sense: of the likeness to the contexts the long form was seen in; unseen: of its having been
    seen in none; seen: of log(1 + how many those were). domain_prior: of log(1 + count), the
    dictionary's counts mixed by the context's own domain. count_prior: of log(1 + count over all
    domains). nil: the logit of the alternative "not in the dictionary".
    """

    cosine: float = 1.0
    correction: float = 1.0
    sense: float = 0.0
    unseen: float = 0.0
    seen: float = 0.0
    domain_prior: float = 0.3
    count_prior: float = 0.0
    nil: float = 0.0

    def logits(self, features: Floats) -> Floats:
        """Logits [candidates] of features [candidates, 7] in the order of FEATURES."""
        weights = np.array([getattr(self, name) for name in FEATURES], np.float32)
        return features @ weights

    def probabilities(self, logits: Floats) -> Floats:
        """Probabilities [candidates]; what they lack to 1 is the probability of NIL."""
        top = max(self.nil, float(logits.max(initial=self.nil)))
        weights = np.exp(logits - top)
        shares: Floats = weights / (weights.sum() + np.exp(self.nil - top))
        return shares


def fit_calibration(
    questions: Sequence[Floats], answers: Sequence[Sequence[int]], start: Calibration | None = None
) -> Calibration:
    """Maximise the likelihood of held-out answers.

    questions: features [candidates, 7] of each question. answers: rows of the candidates that
    spell the right meaning, none where the dictionary does not have it.
    Weights are held at or above zero, those of SIGNED apart.
    """
    import torch

    start = start or Calibration()
    width = max(len(features) for features in questions)
    padded = np.zeros((len(questions), width, len(FEATURES)), dtype=np.float32)
    there = np.zeros((len(questions), width + 1), dtype=bool)
    there[:, width] = True
    for row, features in enumerate(questions):
        padded[row, : len(features)] = features
        there[row, : len(features)] = True
    values, mask = torch.from_numpy(padded), torch.from_numpy(there)
    right = np.zeros_like(there)
    for row, places in enumerate(answers):
        right[row, list(places) or [width]] = True
    target = torch.from_numpy(right)
    lowest = torch.tensor([-np.inf if name in SIGNED else 0.0 for name in FEATURES])
    initial = [getattr(start, name) for name in (*FEATURES, "nil")]
    weights = torch.tensor(initial, requires_grad=True)
    optimizer = torch.optim.LBFGS([weights], max_iter=200, line_search_fn="strong_wolfe")

    def loss() -> torch.Tensor:
        optimizer.zero_grad()
        nil = weights[-1].expand(len(values), 1)
        logits = torch.cat([values @ torch.maximum(weights[:-1], lowest), nil], 1)
        shares = torch.log_softmax(logits.masked_fill(~mask, -1e9), 1)
        value = -torch.logsumexp(shares.masked_fill(~target, -1e9), 1).mean()
        value.backward()
        return value

    optimizer.step(loss)
    *fitted, nil = weights.detach().tolist()
    held = torch.maximum(torch.tensor(fitted), lowest).tolist()
    return Calibration(**{**asdict(start), **dict(zip(FEATURES, held, strict=True)), "nil": nil})
