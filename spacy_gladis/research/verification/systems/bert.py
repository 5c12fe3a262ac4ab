"""A fine-tuned BERT that reads context and sense as one sequence (WiC-TSV, section 4)."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ....errors import InputError
from ...datasets.target_sense import TargetSense
from .protocol import Floats

if TYPE_CHECKING:
    from ..network import Pairs, Pooling, VerificationNetwork

BATCH = 64  # pairs in one pass of prediction


class BertVerifier:
    """An encoder, fine-tuned with a linear layer on top.

    start: folder of the encoder: any that transformers loads, or AcroBERT's. pooling: what the
    answer is read from, "concat" is the paper's. marked: put the target in quotation marks.
    named: put the target before the sense. frozen: layers from the bottom, and the embeddings, that
    are not trained; 0 trains everything. epochs, learning_rate, batch_size: of the fine-tuning.
    report: is given each log record.
    """

    def __init__(
        self,
        start: Path,
        *,
        pooling: "Pooling" = "concat",
        marked: bool = False,
        named: bool = False,
        frozen: int = 0,
        epochs: int = 3,
        learning_rate: float = 5e-5,
        batch_size: int = 32,
        report: Callable[[dict[str, Any]], None] = lambda record: None,
    ) -> None:
        self.start, self.pooling, self.marked, self.named = start, pooling, marked, named
        self.frozen, self.epochs = frozen, epochs
        self.learning_rate, self.batch_size = learning_rate, batch_size
        self.report = report
        self._network: VerificationNetwork | None = None
        self._tokenizer: Any = None

    def fit(self, senses: Sequence[TargetSense], labels: Sequence[bool], seed: int) -> None:
        """Fine-tune a fresh copy of the encoder."""
        import torch

        from ...training.verification import VerificationObjective, finetune
        from ..network import VerificationNetwork, freeze, load_encoder

        torch.manual_seed(seed)  # of the new layer's first weights
        encoder, self._tokenizer = load_encoder(self.start)
        freeze(encoder, self.frozen)
        network = self._network = VerificationNetwork(encoder, self.pooling)
        pairs = self._pairs(senses)
        objective = VerificationObjective(
            network,
            lambda rows: network(pairs.take(rows)),
            labels,
            pairs.mask.sum(1).tolist(),
            batch_size=self.batch_size,
            seed=seed,
        )
        finetune(
            objective, epochs=self.epochs, learning_rate=self.learning_rate, report=self.report
        )

    def predict(self, senses: Sequence[TargetSense]) -> Floats:
        """Probabilities, the pairs read in batches of similar length."""
        if self._network is None:
            raise InputError("BertVerifier answers after it has learnt: call fit first.")
        from ....modeling.precision import inference

        pairs = self._pairs(senses)
        order = pairs.mask.sum(1).argsort(stable=True).tolist()
        probabilities = np.zeros(len(senses))
        with inference(self._network):
            for first in range(0, len(order), BATCH):
                rows = order[first : first + BATCH]
                logits = self._network(pairs.take(rows))
                probabilities[rows] = logits.sigmoid().double().cpu().numpy()
        return probabilities

    def _pairs(self, senses: Sequence[TargetSense]) -> "Pairs":
        from ..network import make_pairs

        contexts = [one.mention for one in senses]
        texts = [f"{one.target}: {one.sense}" if self.named else one.sense for one in senses]
        return make_pairs(self._tokenizer, contexts, texts, marked=self.marked)
