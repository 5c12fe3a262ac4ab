"""Systems without a network of their own: one always answers yes, one averages other systems."""

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
    """Baseline that always answers yes, even if this is the less frequent label.

    WiC-TSV calls it BaselineTrue.
    """

    def predict(self, questions: Sequence[TargetSense]) -> Doubles:
        """Return the probability 1 for every question.

        Args:
            questions: Target words in their contexts, each with a sense. Only their number matters.

        Returns:
            An array of ones, float64 [questions].
        """
        return np.ones(len(questions))


@SYSTEMS.register("mean", "Mean probability of fine-tuned systems.", "ours")
@dataclass
class Mean(FineTuned):
    """Verifies senses by the mean probability of several fine-tuned systems.

    Attributes:
        member: Names of the systems to average. Each of them gets the settings of this system, such
            as its seed.
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
        """Create and fine-tune all systems whose probabilities are averaged.

        Args:
            training: Target words in their contexts, with senses and labels.
        """
        options = asdict(self)
        entries = [entry for entry, _ in SYSTEMS.select(self.member).values()]
        self._members = [entry.system(**entry.settings(options)) for entry in entries]
        for system in self._members:
            system.fit(training)

    def predict(self, questions: Sequence[TargetSense]) -> Doubles:
        """Average the probabilities that the systems predict for each question.

        Args:
            questions: Target words in their contexts, each with a sense.

        Returns:
            The mean probabilities, float64 [questions], in the order of the questions.
        """
        means: Doubles = np.mean(
            [list(system.predict(questions)) for system in self._members], axis=0
        )
        return means
