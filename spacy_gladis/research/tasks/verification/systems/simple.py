"""Simple systems: a lower bound that always answers yes, and the mean of fine-tuned systems."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Annotated

import numpy as np
import typer

from .....arrays import Doubles
from ....datasets.wic_tsv import TargetSense
from ..data import Training
from ..finetuning import FineTuned
from ..system import SYSTEMS, VerificationSystem


@SYSTEMS.register("always-true", "Always answers yes.", "WiC-TSV, Table 4")
@dataclass
class AlwaysTrue(VerificationSystem):
    """WiC-TSV's baseline BaselineTrue, which always answers yes, the majority label."""

    def predict(self, questions: Sequence[TargetSense]) -> Doubles:
        """Return 1 for each question.

        Args:
            questions: Target senses in their contexts.

        Returns:
            Probabilities [questions].
        """
        return np.ones(len(questions))


@SYSTEMS.register("mean", "Mean probability of fine-tuned systems.", "ours")
@dataclass
class Mean(FineTuned):
    """Averages the probabilities of several fine-tuned systems.

    Attributes:
        member: Names of the systems to average.
    """

    member: Annotated[tuple[str, ...], typer.Option(help="System to average. Repeatable.")] = (
        "bert",
        "bert-cls",
        "bert-marked",
        "bert-joint",
        "cosines-tuned",
        "acrobert-tuned",
    )

    def fit(self, training: Training) -> None:
        """Fine-tune all systems.

        Args:
            training: The training set, with its labels.
        """
        options = asdict(self)
        entries = [entry for entry, _ in SYSTEMS.select(self.member).values()]
        self._members = [entry.system(**entry.settings(options)) for entry in entries]
        for system in self._members:
            system.fit(training)

    def predict(self, questions: Sequence[TargetSense]) -> Doubles:
        """Average the systems' probabilities.

        Args:
            questions: Target senses in their contexts.

        Returns:
            Probabilities [questions].
        """
        means: Doubles = np.mean(
            [list(system.predict(questions)) for system in self._members], axis=0
        )
        return means
