"""The system `nsp`: BERT's next-sentence head tells how well a long form fits the context."""

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
    """Scores candidates with the next-sentence head of BERT, without training.

    BERT reads each candidate together with the sentence, as `[CLS] long form [SEP] sentence [SEP]`.
    The score is `1 - d`, where `d` is the distance of GLADIS, section 4, equation 1.

    The paper does not say how much of the context BERT reads. Here, a checkpoint that stores no
    window reads up to 24 word pieces of a long form, and a context of at most 376 around the
    acronym, or 24 fewer than the checkpoint's positions if these are fewer than 400.

    Attributes:
        checkpoint: Folder or name of a BERT that has its next-sentence head, or the published
            `acrobert.pt`.
        device: Torch device to compute on, such as "cuda".
    """

    checkpoint: Checkpoint
    device: Device = "cpu"

    def fit(self, training: Training) -> None:
        """Load the BERT network with its next-sentence head. Nothing is trained.

        Args:
            training: Not used, because the network is not trained.
        """
        self._network = NextSentenceBERT.load(find_start(self.checkpoint)).to(self.device)

    def predict(self, questions: Sequence[Question]) -> Sequence[Doubles]:
        """Score how well the candidates of each mention fit its sentence.

        Args:
            questions: Mentions of acronyms, each with its candidate long forms.

        Returns:
            The scores for each mention, float64 [candidates], in the order of the questions. A
            larger score means a better fit. The scores are not probabilities.
        """
        contexts = [question.sample.mention for question in questions]
        names = [
            [candidate.long_form for candidate in question.candidates] for question in questions
        ]
        return [values.astype(np.float64) for values in self._network.score(contexts, names)]
