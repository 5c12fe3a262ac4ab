"""From scores to probabilities: a conditional logit with an alternative for "none of these"."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass

import numpy as np

FEATURES = ("cosine", "correction", "domain_prior", "count_prior")


@dataclass(frozen=True)
class Calibration:
    """Weights of what speaks for a candidate, and the weight of none of them being right.

    cosine: of the retriever's scaled cosine. correction: of the cross-encoder's correction.
    domain_prior: of log(1 + count), counts mixed by the context's own domain. count_prior: of
    log(1 + count over all domains). nil: the logit of the alternative "not in the dictionary".
    """

    cosine: float = 1.0
    correction: float = 1.0
    domain_prior: float = 0.3
    count_prior: float = 0.0
    nil: float = 0.0

    def logits(self, features: np.ndarray) -> np.ndarray:
        """Logits [candidates] of features [candidates, 4] in the order of FEATURES."""
        return features @ np.array([getattr(self, name) for name in FEATURES], features.dtype)

    def probabilities(self, logits: np.ndarray) -> np.ndarray:
        """Probabilities [candidates]; what they lack to 1 is the probability of NIL."""
        top = max(self.nil, float(logits.max(initial=self.nil)))
        weights = np.exp(logits - top)
        return weights / (weights.sum() + np.exp(self.nil - top))


def fit_calibration(
    questions: Sequence[np.ndarray], answers: Sequence[int], start: Calibration | None = None
) -> Calibration:
    """Maximise the likelihood of held-out answers.

    questions: features [candidates, 4] of each question. answers: the right candidate's row, -1
    where it is none of them. Feature weights are held at or above zero.
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
    target = torch.tensor([width if answer < 0 else answer for answer in answers])
    initial = [getattr(start, name) for name in (*FEATURES, "nil")]
    weights = torch.tensor(initial, requires_grad=True)
    optimizer = torch.optim.LBFGS([weights], max_iter=200, line_search_fn="strong_wolfe")

    def loss() -> torch.Tensor:
        optimizer.zero_grad()
        nil = weights[-1].expand(len(values), 1)
        logits = torch.cat([values @ weights[:-1].clamp(min=0), nil], 1)
        value = torch.nn.functional.cross_entropy(logits.masked_fill(~mask, -1e9), target)
        value.backward()  # type: ignore[no-untyped-call]
        return value

    optimizer.step(loss)  # type: ignore[arg-type]
    *fitted, nil = weights.detach().tolist()
    positive = {name: max(0.0, value) for name, value in zip(FEATURES, fitted, strict=True)}
    return Calibration(**{**asdict(start), **positive, "nil": nil})
