"""BERT's next-sentence head: does the long form belong to the context?"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from .....arrays import Doubles
from ....training.next_sentence import NextSentenceBERT
from ....training.start import find_start
from ...options import Checkpoint, Device
from ..data import Question, Training
from ..system import SYSTEMS, DisambiguationSystem


@SYSTEMS.register("nsp", "Next-sentence score of BERT, SciBERT or BioBERT.", "GLADIS, A.3")
@dataclass
class NextSentence(DisambiguationSystem):
    """Score each candidate by `1 - d` of BERT's next-sentence head (GLADIS, section 4, equation 1).

    The input is `[CLS] long form [SEP] sentence [SEP]`, one candidate at a time.

    Attributes:
        checkpoint: Folder or name of a BERT with its next-sentence head, or `acrobert.pt`.
        device: Torch device to compute on, such as "cuda".
    """

    checkpoint: Checkpoint
    device: Device = "cpu"

    def fit(self, training: Training) -> None:
        """Load the network. Nothing is trained.

        Args:
            training: Not used by this system.
        """
        self._network = NextSentenceBERT.load(find_start(self.checkpoint)).to(self.device)

    def predict(self, questions: Sequence[Question]) -> Sequence[Doubles]:
        """Score the candidates of each question.

        Args:
            questions: Mentions to disambiguate, with their candidates.

        Returns:
            For each mention, float64 [candidates]. The scores are not probabilities.
        """
        contexts = [question.sample.mention for question in questions]
        names = [
            [candidate.long_form for candidate in question.candidates] for question in questions
        ]
        return [values.astype(np.float64) for values in self._network.score(contexts, names)]
