"""Fitting of feature weights by conditional logit (McFadden 1974) and by logistic regression."""

from collections.abc import Collection, Sequence
from dataclasses import replace

import numpy as np

from ...arrays import Doubles, Flags, Floats, Numbers
from ...errors import InputError, require
from ...linking.calibration import FEATURES, NIL_FEATURES, SIGNED, Calibration

NAMES = (*FEATURES, *NIL_FEATURES)
"""Names of all weights that `fit_calibration` can fit: those of a candidate's features and of
NIL's."""


def fit_logit(
    questions: Sequence[Numbers],
    right: Sequence[Sequence[int]],
    *,
    start: Numbers | None = None,
    signed: Sequence[bool] | None = None,
    free: Sequence[bool] | None = None,
    penalty: float | Numbers = 0.0,
    weights: Numbers | None = None,
) -> Doubles:
    """Fit the weights of a conditional logit by maximum likelihood (McFadden 1974).

    In this model, the probability of each alternative of a question is proportional to the
    exponential of its weighted features.

    Args:
        questions: For each question, the features of its alternatives, [alternatives, columns].
        right: For each question, the rows of its right alternatives. There is at least one. If
            there are several, their probabilities are added.
        start: Initial weights, [columns]. Defaults to zeros.
        signed: For each weight, whether it may be negative. By default, all weights may be.
        free: For each weight, whether it is fitted. The others keep their values in `start`. By
            default, all weights are fitted.
        penalty: Factor of the squared weights, which are added to the mean loss. A number, or one
            for each column.
        weights: Weight of each question in the mean loss, [questions]. Equal by default.

    Returns:
        The fitted weights, float64 [columns].
    """
    import torch

    columns, longest = questions[0].shape[1], max(map(len, questions))
    padded = np.zeros((len(questions), longest, columns), questions[0].dtype)
    present = np.zeros(padded.shape[:2], dtype=bool)
    correct = np.zeros_like(present)
    for row, (table, rows) in enumerate(zip(questions, right, strict=True)):
        padded[row, : len(table)] = table
        present[row, : len(table)] = True
        correct[row, list(rows)] = True
    values, mask, target = (torch.from_numpy(array) for array in (padded, present, correct))
    share = torch.as_tensor(np.ones(len(questions)) if weights is None else weights).to(values)
    share /= share.sum()
    scale = torch.as_tensor(penalty).to(values)
    initial = torch.as_tensor(np.zeros(columns) if start is None else start).to(values)
    below = torch.tensor([True] * columns if signed is None else [*signed])
    fitted = torch.tensor([True] * columns if free is None else [*free])
    # Weights with a bound are fitted as squares. Squares are smooth and, unlike clamped values,
    # don't get stuck at the bound.
    roots = torch.where(below, initial, initial.clamp(min=0.05).sqrt()).requires_grad_()
    optimizer = torch.optim.LBFGS([roots], max_iter=200, line_search_fn="strong_wolfe")

    def current() -> torch.Tensor:
        return torch.where(fitted, torch.where(below, roots, roots**2), initial)

    def loss() -> torch.Tensor:
        optimizer.zero_grad()
        now = current()
        logs = torch.log_softmax((values @ now).masked_fill(~mask, -1e9), 1)
        value = -(torch.logsumexp(logs.masked_fill(~target, -1e9), 1) * share).sum()
        value = value + (scale * now**2).sum()
        value.backward()
        return value

    optimizer.step(loss)
    return current().detach().double().numpy()


def with_none(features: Numbers, none: Numbers) -> Numbers:
    """Add the alternative "none of these" to the candidates of a question.

    The features of this alternative have their own columns, in which the candidates are zero.

    Args:
        features: Features of the candidates, [candidates, columns].
        none: Features of "none of these", [none columns].

    Returns:
        Features of the candidates and, in the last row, of "none of these", [candidates + 1,
        columns + none columns].
    """
    table = np.zeros((len(features) + 1, features.shape[1] + len(none)), features.dtype)
    table[:-1, : features.shape[1]] = features
    table[-1, features.shape[1] :] = none
    return table


def fit_calibration(
    questions: Sequence[Floats],
    answers: Sequence[Sequence[int]],
    start: Calibration | None = None,
    fitted: Collection[str] = (*FEATURES, "nil"),
    *,
    nil: Floats | None = None,
    weights: Floats | None = None,
    closed: Flags | None = None,
    ridge: float = 0.0,
) -> Calibration:
    """Fit the weights of the linker's features by maximum likelihood.

    The weights are at least zero, except those of the features in `SIGNED`.

    Args:
        questions: For each question, the features of its candidates, float32 [candidates,
            FEATURES].
        answers: For each question, the rows of its right candidates. Empty if no candidate is
            right, so that NIL is the right answer.
        start: Initial weights, and the values of weights that are not fitted. Defaults to
            `Calibration()`.
        fitted: Names of the weights to fit.
        nil: Features of NIL for each question, float32 [questions, NIL_FEATURES]. By default, only
            the constant feature is 1, and the others are 0.
        weights: Weight of each question in the loss, [questions]. Equal by default.
        closed: For each question, whether NIL is excluded as an answer, bool [questions]. By
            default, it never is.
        ridge: Penalty on the squared weights of features that are scaled to standard deviation 1.
            The constant feature of NIL has no penalty.

    Returns:
        The fitted weights, rounded to four decimals.
    """
    start = start or Calibration()
    if nil is None:
        nil = np.tile(np.eye(1, len(NIL_FEATURES), dtype=np.float32), (len(questions), 1))
    tables = [with_none(*pair) for pair in zip(questions, nil, strict=True)]
    for row in np.flatnonzero(closed) if closed is not None else ():
        tables[row] = tables[row][:-1]
    right = [rows or [len(features)] for rows, features in zip(answers, questions, strict=True)]
    deviations = [np.concatenate(questions).std(0, ddof=1), nil.std(0, ddof=min(1, len(nil) - 1))]
    scale = np.concatenate(deviations)
    scale[len(FEATURES)] = 0  # the constant has no penalty
    solution = fit_logit(
        tables,
        right,
        start=np.array([getattr(start, name) for name in NAMES], np.float32),
        signed=[name in SIGNED for name in NAMES],
        free=[name in fitted for name in NAMES],
        penalty=ridge * scale**2,
        weights=weights,
    )
    rounded = dict(zip(NAMES, solution.round(4).tolist(), strict=True))
    return replace(start, **rounded)


TOLERANCE = 1e-9
"""Gradient at which the fit stops. It is finer than the rounding of the stored weights."""


def fit_logistic(features: Numbers, labels: Sequence[bool], decay: float) -> Floats:
    """Fit a logistic regression that predicts Boolean labels.

    Args:
        features: Features of the examples, [examples, features].
        labels: Label of each example.
        decay: Strength of the L2 penalty. Half of it times the squared weights and bias is added to
            the loss, which is summed over the examples.

    Returns:
        The weights of the features, followed by the bias, [features + 1].

    Raises:
        InputError: If all labels are the same.
    """
    if len(set(labels)) < 2:
        raise InputError("All training labels are the same. Give examples with both labels.")
    linear_model = require("sklearn.linear_model", "train", "scikit-learn")
    inputs = np.column_stack([features, np.ones(len(features))]).astype(np.float64)
    regression = linear_model.LogisticRegression(
        C=1 / decay, fit_intercept=False, solver="newton-cholesky", tol=TOLERANCE
    )
    weights: Floats = regression.fit(inputs, list(labels)).coef_[0]
    return weights
