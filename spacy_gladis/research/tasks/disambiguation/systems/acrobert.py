"""The packaged AcroBERT, which sees each sample without the others."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from .....arrays import Doubles
from .....linking import Linker
from .....linking.acrobert import AcroBERT
from .....linking.calibration import compute_nil_features
from .....text import Mention
from ....datasets.sample import Sample
from ...options import Cache, Model
from ..data import Question, Training
from ..system import SYSTEMS, DisambiguationSystem


@SYSTEMS.register("retriever", "The packaged AcroBERT's calibrated probabilities.", "ours")
@dataclass
class PackagedAcroBERT(DisambiguationSystem):
    """AcroBERT's calibrated probabilities, each sample by its own context alone.

    Attributes:
        model: A folder of AcroBERT's weights; None for the packaged ones.
        cache: A folder for the vectors of long forms.
        linker: The linker, after `fit`.
    """

    model: Model = None
    cache: Cache = None

    def fit(self, training: Training) -> None:
        """Load the weights. Nothing is trained.

        Args:
            training: Its dictionary is given to the linker.
        """
        model = AcroBERT.load(self.model)
        self.linker = Linker(model, training.dictionary, cache=self.cache)

    def predict(self, questions: Sequence[Question]) -> Sequence[Doubles]:
        """Compute calibrated probabilities.

        Args:
            questions: The questions.

        Returns:
            For each question float64 [candidates]. Their sum's distance to 1 is the probability of
            NIL.
        """
        calibration = self.linker.model.settings.disambiguation_weights
        mentions = as_mentions([question.sample for question in questions])
        candidates = [question.candidates for question in questions]
        scores = []
        candidate_logits = self.linker.score_candidates(mentions, candidates)
        for mention, logits in zip(mentions, candidate_logits, strict=True):
            features = compute_nil_features(len(logits), len(mention.text.split()), 1)
            probabilities = calibration.probabilities(logits, calibration.nil_logit(features))
            scores.append(np.asarray(probabilities, dtype=np.float64))
        return scores


def as_mentions(samples: Sequence[Sample]) -> list[Mention]:
    """Convert samples to mentions, each in a document of its own.

    Args:
        samples: The samples.

    Returns:
        The mentions, in the same order.
    """
    return [sample.mention._replace(document=number) for number, sample in enumerate(samples)]
