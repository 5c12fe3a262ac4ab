"""The lower bound, and the mean of fine-tuned systems."""

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


@SYSTEMS.register("always-true", "Yes, whatever it is asked.", "WiC-TSV, Table 4")
@dataclass
class AlwaysTrue(VerificationSystem):
    """WiC-TSV's BaselineTrue: yes, the answer of most items, whatever is asked."""

    def predict(self, questions: Sequence[TargetSense]) -> Doubles:
        """1 for each."""
        return np.ones(len(questions))


@SYSTEMS.register("mean", "Mean probability of fine-tuned systems.", "ours")
@dataclass
class Mean(FineTuned):
    """The mean probability of several fine-tuned systems.

    Attributes:
        member: The systems' names.
    """

    member: Annotated[
        tuple[str, ...], typer.Option(help="A system whose mean `mean` takes (repeatable).")
    ] = ("bert", "bert-cls", "bert-marked", "bert-joint", "cosines-tuned", "acrobert-tuned")

    def fit(self, training: Training) -> None:
        """Fine-tune all of them."""
        options = asdict(self)
        entries = [entry for entry, _ in SYSTEMS.select(self.member).values()]
        self._members = [entry.system(**entry.settings(options)) for entry in entries]
        for one in self._members:
            one.fit(training)

    def predict(self, questions: Sequence[TargetSense]) -> Doubles:
        """The means."""
        means: Doubles = np.mean([list(one.predict(questions)) for one in self._members], axis=0)
        return means
