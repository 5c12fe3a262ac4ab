"""Training of the network that scores the candidates of an acronym (see `linking/calibration.py`).

The network is trained with a softmax over the candidates and NIL. A weighted sum of the features,
which is fitted first, is a part of the network and isn't changed by the training.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import torch

from ...arrays import Flags, Floats
from ...errors import InputError
from ...linking.calibration import (
    QUESTION_FEATURES,
    Calibration,
    ScoringNetwork,
    describe_question,
    make_inputs,
    standardise,
)
from ...linking.candidates import Question

HIDDEN, NIL_HIDDEN = 64, 8
"""Numbers of units in each hidden layer for candidates and for NIL."""

EPOCHS = 16
BATCH = 256
"""Number of questions in a training step."""

LEARNING_RATE = 0.002
WEIGHT_DECAY = 0.0001
DROPOUT = 0.2
"""Probability with which the output of a hidden unit is set to 0 in a training step."""

SMALLEST_DEVIATION = 0.001
MASKED = -1e9


@dataclass(frozen=True)
class ScoringExample:
    """An acronym in a text with the features of its candidates, for training.

    Attributes:
        question: The acronym with its candidates. There is at least one.
        table: Features of the candidates, float32 [candidates, FEATURES].
        right: Whether each candidate is right, bool [candidates]. If none is, NIL is right.
        weight: Weight of the acronym in the loss.
    """

    question: Question
    table: Floats
    right: Flags
    weight: float


def fit_network(
    examples: Sequence[ScoringExample],
    linear: Calibration,
    *,
    hidden: int = HIDDEN,
    epochs: int = EPOCHS,
    seed: int = 0,
    report: Callable[[int, float], None] = lambda epoch, loss: None,
) -> ScoringNetwork:
    """Train a network on labelled acronyms.

    Args:
        examples: Acronyms with the features of their candidates.
        linear: Weights of the features, whose sum the hidden layers correct.
        hidden: Number of units in each of the two hidden layers.
        epochs: Number of passes over the examples.
        seed: Random seed of the first weights, of the order of the examples and of the dropout.
        report: Function that is called after each epoch with its number, starting at 1, and the
            mean loss.

    Returns:
        The network.

    Raises:
        InputError: If there are no examples.
    """
    if not examples:
        raise InputError(
            "No labelled acronym has candidates. Use other texts, or a dictionary that lists their "
            "acronyms."
        )
    rng, generator = np.random.default_rng(seed), torch.Generator().manual_seed(seed)
    questions = [describe_question(example.question) for example in examples]
    inputs = [
        make_inputs(example.table, question)
        for example, question in zip(examples, questions, strict=True)
    ]
    stacked = np.concatenate(inputs)
    mean, deviation = stacked.mean(axis=0), stacked.std(axis=0) + SMALLEST_DEVIATION
    data = [
        _Example(
            standardise(values, mean, deviation),
            standardise(question, mean[-QUESTION_FEATURES:], deviation[-QUESTION_FEATURES:]),
            np.append(linear.logits(example.table), linear.nil_logit(example.question.nil)),
            np.append(example.right, not example.right.any()),
            example.weight,
        )
        for values, question, example in zip(inputs, questions, examples, strict=True)
    ]
    layers = _make_layers(stacked.shape[1], hidden, generator)
    optimizer = torch.optim.AdamW(layers.values(), lr=LEARNING_RATE, weight_decay=WEIGHT_DECAY)
    steps = epochs * -(-len(data) // BATCH)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, LEARNING_RATE, total_steps=steps)
    for epoch in range(epochs):
        order, total = rng.permutation(len(data)), 0.0
        for first in range(0, len(order), BATCH):
            batch = [data[i] for i in order[first : first + BATCH]]
            loss = _compute_loss(layers, batch, generator)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            schedule.step()
            total += loss.item() * len(batch)
        report(epoch + 1, total / len(data))
    arrays = {name: layer.detach().numpy() for name, layer in layers.items()}
    arrays |= {"mean": mean, "deviation": deviation, "linear": linear.weights}
    arrays["nil_linear"] = linear.nil_weights
    return ScoringNetwork(arrays)


@dataclass(frozen=True)
class _Example:
    """An example with standardised inputs, and with NIL as the last alternative."""

    inputs: Floats
    question: Floats
    linear: Floats
    right: Flags
    weight: float


def _make_layers(inputs: int, hidden: int, generator: torch.Generator) -> dict[str, torch.Tensor]:
    """Return the weights of the layers, drawn as in `torch.nn.Linear`."""

    def draw(*shape: int, fan_in: int) -> torch.Tensor:
        bound = fan_in**-0.5
        drawn: torch.Tensor = torch.rand(*shape, generator=generator) * 2 * bound - bound
        return drawn.requires_grad_()

    return {
        "weights_1": draw(inputs, hidden, fan_in=inputs),
        "bias_1": draw(hidden, fan_in=inputs),
        "weights_2": draw(hidden, hidden, fan_in=hidden),
        "bias_2": draw(hidden, fan_in=hidden),
        "weights_3": draw(hidden, fan_in=hidden),
        "bias_3": draw(1, fan_in=hidden),
        "nil_weights_1": draw(QUESTION_FEATURES, NIL_HIDDEN, fan_in=QUESTION_FEATURES),
        "nil_bias_1": draw(NIL_HIDDEN, fan_in=QUESTION_FEATURES),
        "nil_weights_2": draw(NIL_HIDDEN, fan_in=NIL_HIDDEN),
        "nil_bias_2": draw(1, fan_in=NIL_HIDDEN),
    }


def _compute_loss(
    layers: dict[str, torch.Tensor], batch: Sequence[_Example], generator: torch.Generator
) -> torch.Tensor:
    """Return the mean cross-entropy of the right alternatives of a batch."""
    counts = [len(example.inputs) for example in batch]
    most = max(counts)
    linear = np.full((len(batch), most + 1), MASKED, np.float32)
    right = np.zeros((len(batch), most + 1), bool)
    for row, (example, count) in enumerate(zip(batch, counts, strict=True)):
        linear[row, :count], linear[row, most] = example.linear[:-1], example.linear[-1]
        right[row, :count], right[row, most] = example.right[:-1], example.right[-1]
    rows = torch.from_numpy(np.repeat(np.arange(len(batch)), counts))
    columns = torch.from_numpy(np.concatenate([np.arange(count) for count in counts]))
    hidden = torch.from_numpy(np.concatenate([example.inputs for example in batch]))
    hidden = _drop(torch.relu(hidden @ layers["weights_1"] + layers["bias_1"]), generator)
    hidden = _drop(torch.relu(hidden @ layers["weights_2"] + layers["bias_2"]), generator)
    scores = hidden @ layers["weights_3"] + layers["bias_3"]
    questions = torch.from_numpy(np.stack([example.question for example in batch]))
    nil = torch.relu(questions @ layers["nil_weights_1"] + layers["nil_bias_1"])
    of_candidates = torch.zeros(len(batch), most).index_put((rows, columns), scores)
    of_nil = nil @ layers["nil_weights_2"] + layers["nil_bias_2"]
    logits = torch.cat([of_candidates, of_nil[:, None]], dim=1) + torch.from_numpy(linear)
    logs = torch.log_softmax(logits, dim=1)
    losses = -torch.logsumexp(logs.masked_fill(~torch.from_numpy(right), MASKED), dim=1)
    weights = torch.tensor([example.weight for example in batch], dtype=torch.float32)
    loss: torch.Tensor = (losses * weights).sum() / weights.sum()
    return loss


def _drop(hidden: torch.Tensor, generator: torch.Generator) -> torch.Tensor:
    is_kept = torch.rand(hidden.shape, generator=generator) >= DROPOUT
    return hidden * is_kept / (1 - DROPOUT)
