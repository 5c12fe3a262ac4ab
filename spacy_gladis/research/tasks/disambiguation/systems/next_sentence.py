"""BERT's next-sentence head: does the long form follow the context?"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import numpy as np
import typer

from .....arrays import Doubles
from ....training.next_sentence import NextSentenceBERT
from ..data import Question, Training
from ..system import SYSTEMS, DisambiguationSystem


@SYSTEMS.register("nsp", "1 - d of BERT's next-sentence head.", "GLADIS, section 4")
@dataclass
class NextSentence(DisambiguationSystem):
    """`1 - d` of BERT's next-sentence head, each candidate read by itself in the context.

    Attributes:
        model: The published `acrobert.pt`, or a BERT's folder.
    """

    model: Annotated[
        Path, typer.Option(help="A BERT with a next-sentence head: acrobert.pt, or a folder.")
    ]

    def fit(self, training: Training) -> None:
        """Load the network; nothing is learnt."""
        self._network = NextSentenceBERT.load(self.model)

    def predict(self, questions: Sequence[Question]) -> Sequence[Doubles]:
        """The score of each candidate; no probabilities."""
        contexts = [one.sample.mention for one in questions]
        names = [[candidate.long_form for candidate in one.candidates] for one in questions]
        return [values.astype(np.float64) for values in self._network.score(contexts, names)]
