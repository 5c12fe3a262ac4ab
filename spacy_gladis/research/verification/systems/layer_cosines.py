"""Cosines of context and sense at each layer of an encoder, weighted; the encoder fine-tuned."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ....errors import InputError
from ....rules import Mention
from ...datasets.target_sense import TargetSense
from .protocol import Floats

if TYPE_CHECKING:
    from ....modeling.tokens import Window
    from ..layer_cosines import LayerCosines


class LayerCosineVerifier:
    """Logistic regression on cosines, then fine-tuning from its answers.

    start: folder of AcroBERT's weights or of any BERT. frozen: see `LayerCosines`. epochs: 0 leaves
    the encoder as it is. learning_rate, batch_size: of the fine-tuning. report: is given each log
    record.
    """

    def __init__(
        self,
        start: Path,
        *,
        frozen: int = 0,
        epochs: int = 3,
        learning_rate: float = 5e-5,
        batch_size: int = 32,
        report: Callable[[dict[str, Any]], None] = lambda record: None,
    ) -> None:
        self.start, self.frozen, self.epochs = start, frozen, epochs
        self.learning_rate, self.batch_size = learning_rate, batch_size
        self.report = report
        self._network: LayerCosines | None = None

    def fit(self, senses: Sequence[TargetSense], labels: Sequence[bool], seed: int) -> None:
        """Weigh the cosines of a fresh copy of the encoder, and fine-tune it."""
        from ....modeling import AcroBERT
        from ...training.verification import VerificationObjective, finetune
        from ..layer_cosines import LayerCosines

        network = self._network = LayerCosines(AcroBERT.load(self.start), self.frozen)
        contexts, texts = self._windows(senses)
        network.begin(contexts, texts, labels)
        if not self.epochs:
            return
        objective = VerificationObjective(
            network,
            lambda rows: network([contexts[row] for row in rows], [texts[row] for row in rows]),
            labels,
            [len(one.ids) + len(two.ids) for one, two in zip(contexts, texts, strict=True)],
            batch_size=self.batch_size,
            seed=seed,
        )
        finetune(
            objective, epochs=self.epochs, learning_rate=self.learning_rate, report=self.report
        )

    def predict(self, senses: Sequence[TargetSense]) -> Floats:
        """Probabilities."""
        if self._network is None:
            raise InputError("LayerCosineVerifier answers after it has learnt: call fit first.")
        return self._network.probabilities(*self._windows(senses))

    def _windows(self, senses: Sequence[TargetSense]) -> "tuple[list[Window], list[Window]]":
        from ....modeling.tokens import SENSE_PIECES

        assert self._network is not None
        model = self._network.model
        plain = model.pieces.unmarked()
        # Only AcroBERT was taught what the marks of a mention mean.
        pieces = model.pieces if (self.start / "acrobert.json").is_file() else plain
        contexts = [one.mention for one in senses]
        texts = [Mention(f"{one.target}: {one.sense}", 0, len(one.target)) for one in senses]
        return pieces.windows(contexts, model.settings.window), plain.windows(texts, SENSE_PIECES)
