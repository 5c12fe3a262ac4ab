"""Conditional logit (McFadden 1974): how much each piece of evidence for a candidate weighs."""

from collections.abc import Sequence

import numpy as np

from ....errors import InputError
from .protocol import Floats

RIDGE = 0.003
"""Of the squared weights: with a few hundred questions none may grow without bound."""


def fit_weights(
    questions: Sequence[Floats], answers: Sequence[int | None], ridge: float = RIDGE
) -> Floats:
    """The weights [columns] under which the right candidates are likeliest.

    questions: evidence [candidates, columns] of each question. answers: the right one's row, None
    where it is not among the candidates: such a question teaches nothing. ridge: penalty of the
    squared weights of the evidence in units of its standard deviation. Raises InputError when no
    question has an answer.
    """
    import torch

    asked = [
        (torch.from_numpy(rows), answer)
        for rows, answer in zip(questions, answers, strict=True)
        if answer is not None
    ]
    if not asked:
        raise InputError(
            "Evidence is weighed on development samples that have their answer: give some."
        )
    spread = torch.cat([rows for rows, _ in asked]).std(0, correction=0).clamp(min=1e-6)
    weights = torch.zeros(len(spread), dtype=torch.float64, requires_grad=True)
    optimizer = torch.optim.LBFGS([weights], max_iter=200, line_search_fn="strong_wolfe")

    def loss() -> float:
        optimizer.zero_grad()
        shares = [torch.log_softmax(rows / spread @ weights, 0)[answer] for rows, answer in asked]
        value = ridge * weights.square().sum() - torch.stack(shares).mean()
        value.backward()
        return value.item()

    optimizer.step(loss)
    return np.asarray((weights / spread).detach().numpy(), dtype=np.float64)
