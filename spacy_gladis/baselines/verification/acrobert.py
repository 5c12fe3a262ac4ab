"""AcroBERT asked about one sense: does this long form, or definition, fit here?"""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from ...corpus.target_sense import TargetSense
from ...errors import InputError
from .protocol import Floats

WARM = 256
"""Items that the first odds are fitted to, so that training starts from the zero-shot answers."""


class AcroBERTZeroShot:
    """The retriever's cosine of context and sense, and a threshold set on the training set.

    model: folder of AcroBERT's weights, or of any BERT as an untrained start; None: packaged.
    """

    def __init__(self, model: Path | None = None) -> None:
        self.model = _load(model)
        self.threshold: float | None = None

    def fit(self, senses: Sequence[TargetSense], labels: Sequence[bool], seed: int) -> None:
        """Take the threshold with the highest accuracy; the network stays as it is."""
        self.threshold = best_threshold(_cosines(self.model, senses), labels)

    def predict(self, senses: Sequence[TargetSense]) -> Floats:
        """The cosines, moved so that the threshold is at 0.5; an order, not calibrated."""
        if self.threshold is None:
            raise InputError("AcroBERTZeroShot answers after it has its threshold: call fit first.")
        scores: Floats = (1 + np.clip(_cosines(self.model, senses) - self.threshold, -1, 1)) / 2
        return scores


class AcroBERTFineTuned:
    """The sum of retriever and cross-encoder, fine-tuned as the logit of "it fits".

    epochs, learning_rate, batch_size: of the fine-tuning. report: is given each log record.
    """

    def __init__(
        self,
        model: Path | None = None,
        *,
        epochs: int = 3,
        learning_rate: float = 5e-5,
        batch_size: int = 32,
        report: Callable[[dict[str, Any]], None] = lambda record: None,
    ) -> None:
        self.start = model
        self.epochs, self.learning_rate, self.batch_size = epochs, learning_rate, batch_size
        self.report = report
        self._verifier: Any = None

    def fit(self, senses: Sequence[TargetSense], labels: Sequence[bool], seed: int) -> None:
        """Fine-tune a fresh copy of the model."""
        from ...modeling.odds import fit_odds
        from ...modeling.verification import AcroBERTVerification
        from ...training.verification import VerificationObjective, finetune

        contexts, texts = _texts(senses)
        model = _load(self.start)
        # Drawn, because a file may hold all its true items first.
        some = np.random.default_rng(seed).permutation(len(senses))[:WARM]
        odds = fit_odds(
            _cosines(model, [senses[row] for row in some]), [labels[row] for row in some]
        )
        verifier = self._verifier = AcroBERTVerification(model, odds)
        objective = VerificationObjective(
            verifier,
            lambda rows: verifier([contexts[row] for row in rows], [texts[row] for row in rows]),
            labels,
            [len(context.text) + len(text) for context, text in zip(contexts, texts, strict=True)],
            batch_size=self.batch_size,
            seed=seed,
        )
        finetune(
            objective, epochs=self.epochs, learning_rate=self.learning_rate, report=self.report
        )

    def predict(self, senses: Sequence[TargetSense]) -> Floats:
        """Probabilities."""
        if self._verifier is None:
            raise InputError("AcroBERTFineTuned answers after it has learnt: call fit first.")
        from ...modeling.precision import inference

        contexts, texts = _texts(senses)
        probabilities = []
        with inference(self._verifier):
            for first in range(0, len(texts), self.batch_size):
                part = slice(first, first + self.batch_size)
                logits = self._verifier(contexts[part], texts[part])
                probabilities.append(logits.sigmoid().double().cpu().numpy())
        return np.concatenate(probabilities)


def best_threshold(scores: Floats, labels: Sequence[bool]) -> float:
    """The threshold with the highest accuracy, half-way between two scores."""
    order = np.argsort(scores, kind="stable")
    truth = np.asarray(labels, dtype=bool)[order]
    # With the threshold below place i, the first i answers are no and the others yes.
    right = np.concatenate([[0], np.cumsum(~truth)]) + truth.sum()
    right -= np.concatenate([[0], np.cumsum(truth)])
    place = int(right.argmax())
    ordered = np.concatenate([[-1.0], scores[order], [1.0]])
    return float(ordered[place : place + 2].mean())


def _cosines(model: Any, senses: Sequence[TargetSense]) -> Floats:
    cosines: Floats = model.compare(*_texts(senses)).astype(np.float64)
    return cosines


def _load(model: Path | None) -> Any:
    from ...modeling import AcroBERT

    return AcroBERT.load(model)


def _texts(senses: Sequence[TargetSense]) -> tuple[list[Any], list[str]]:
    from ...modeling import Context

    contexts = [Context(one.text, one.start, one.end) for one in senses]
    return contexts, [f"{one.target}: {one.sense}" for one in senses]
