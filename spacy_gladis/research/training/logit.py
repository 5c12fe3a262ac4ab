"""The conditional logit that is fitted wherever candidates are weighed against each other."""

from collections.abc import Collection, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ...modeling.calibration import FEATURES, NIL_FEATURES, SIGNED, Calibration, Floats

NAMES = (*FEATURES, *NIL_FEATURES)


def fit_calibration(
    questions: Sequence[Floats],
    answers: Sequence[Sequence[int]],
    start: Calibration | None = None,
    fitted: Collection[str] = (*FEATURES, "nil"),
    *,
    nil: Floats | None = None,
    weights: Floats | None = None,
    closed: NDArray[np.bool_] | None = None,
    ridge: float = 0.0,
) -> Calibration:
    """Maximise the likelihood of held-out answers.

    questions: features [candidates, FEATURES] of each question. answers: rows of the candidates
    that spell the right meaning, none where the dictionary does not have it. fitted: the weights to
    change; the others stay as in `start`. nil: what speaks for NIL, [questions, NIL_FEATURES];
    None: its constant alone. weights: how much each question counts, [questions]. closed: which
    questions have no alternative of NIL, [questions]; None: all have. ridge: the
    penalty on squared weights, of features scaled to a deviation of 1. Weights are held at or above
    zero, those of SIGNED apart.
    """
    import torch

    start = start or Calibration()
    count, width = len(questions), max(len(features) for features in questions)
    padded = np.zeros((count, width, len(FEATURES)), dtype=np.float32)
    there = np.zeros((count, width + 1), dtype=bool)
    there[:, width] = True if closed is None else ~closed
    right = np.zeros_like(there)
    for row, (features, places) in enumerate(zip(questions, answers, strict=True)):
        padded[row, : len(features)] = features
        there[row, : len(features)] = True
        right[row, list(places) or [width]] = True
    if nil is None:
        nil = np.zeros((count, len(NIL_FEATURES)), np.float32)
        nil[:, 0] = 1
    shares = np.ones(count, np.float32) if weights is None else np.asarray(weights, np.float32)
    values, mask, target, alone, share = (
        torch.from_numpy(array) for array in (padded, there, right, nil, shares / shares.sum())
    )
    scale = torch.cat([values[mask[:, :width]].std(0), alone.std(0) if count > 1 else alone[0]])
    scale[len(FEATURES)] = 0  # the constant is free
    # Bounded weights are squares: smooth, and never stuck at the bound as a clamp would be.
    signed = torch.tensor([name in SIGNED for name in NAMES])
    free = torch.tensor([name in fitted for name in NAMES])
    initial = torch.tensor([float(getattr(start, name)) for name in NAMES])
    roots = torch.where(signed, initial, initial.clamp(min=0.05).sqrt()).requires_grad_()
    optimizer = torch.optim.LBFGS([roots], max_iter=200, line_search_fn="strong_wolfe")

    def current() -> torch.Tensor:
        return torch.where(free, torch.where(signed, roots, roots**2), initial)

    def loss() -> torch.Tensor:
        optimizer.zero_grad()
        now = current()
        none = alone @ now[len(FEATURES) :]
        logits = torch.cat([values @ now[: len(FEATURES)], none[:, None]], 1)
        logs = torch.log_softmax(logits.masked_fill(~mask, -1e9), 1)
        value = -(torch.logsumexp(logs.masked_fill(~target, -1e9), 1) * share).sum()
        value = value + ridge * ((now * scale) ** 2).sum()
        value.backward()
        return value

    optimizer.step(loss)
    found = [round(value, 4) for value in current().tolist()]
    return replace(start, **dict(zip(NAMES, found, strict=True)))


def sharpen(
    questions: Sequence[Floats], answers: Sequence[Sequence[int]], calibration: Calibration
) -> Calibration:
    """Fit the temperature and the weight of NIL alone; takes what `fit_calibration` takes.

    The order in which a calibration puts the candidates stays as it is.
    """
    columns = []
    for features in questions:
        alone = np.zeros_like(features)
        alone[:, FEATURES.index("cosine")] = calibration.logits(features)
        columns.append(alone)
    found = fit_calibration(columns, answers, Calibration(), ("cosine", "nil"))
    weights = {n: round(getattr(calibration, n) * found.cosine, 4) for n in FEATURES}
    return Calibration(**weights, nil=found.nil)
