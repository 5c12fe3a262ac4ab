"""The packaged AcroBERT, applied to each sample independently."""

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
    """Scores candidates by AcroBERT's calibrated probabilities, one sample at a time.

    Attributes:
        model: Folder with AcroBERT's weights. None for the packaged weights.
        cache: A folder for the vectors of long forms.
        linker: The linker, after `fit`.
    """

    model: Model = None
    cache: Cache = None

    def fit(self, training: Training) -> None:
        """Load the weights. Nothing is trained.

        Args:
            training: Only its dictionary is used, by the linker.
        """
        model = AcroBERT.load(self.model)
        self.linker = Linker(model, training.dictionary, cache=self.cache)

    def predict(self, questions: Sequence[Question]) -> Sequence[Doubles]:
        """Compute calibrated probabilities of each mention's candidates.

        Args:
            questions: Mentions to disambiguate, with their candidates.

        Returns:
            For each mention, float64 [candidates]. The remaining probability is that of NIL.
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
    """Convert samples to mentions, each in its own document.

    Args:
        samples: The samples.

    Returns:
        The mentions, in the same order.
    """
    return [sample.mention._replace(document=number) for number, sample in enumerate(samples)]
