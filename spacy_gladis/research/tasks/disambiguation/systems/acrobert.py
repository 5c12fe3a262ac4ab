"""AcroBERT as it is, each sample by its own context alone."""

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
class Retriever(DisambiguationSystem):
    """AcroBERT's calibrated probabilities, each sample by its own context alone.

    Attributes:
        model: A folder of AcroBERT's weights; None for the packaged ones.
        cache: A folder for the vectors of long forms.
    """

    model: Model = None
    cache: Cache = None

    def fit(self, training: Training) -> None:
        """Load the weights; nothing is learnt."""
        model = AcroBERT.load(self.model)
        self.linker = Linker(model, training.dictionary, cache=self.cache)

    def predict(self, questions: Sequence[Question]) -> Sequence[Doubles]:
        """The probabilities of the candidates; what they lack to 1 is "none of these"."""
        calibration = self.linker.model.settings.disambiguation_weights
        mentions = as_mentions([one.sample for one in questions])
        candidates = [one.candidates for one in questions]
        scores = []
        weighed = self.linker.score_candidates(mentions, candidates)
        for mention, logits in zip(mentions, weighed, strict=True):
            alone = compute_nil_features(len(logits), len(mention.text.split()), 1)
            probabilities = calibration.probabilities(logits, calibration.nil_logit(alone))
            scores.append(np.asarray(probabilities, dtype=np.float64))
        return scores


def as_mentions(samples: Sequence[Sample]) -> list[Mention]:
    """The samples as AcroBERT is asked about them, each a document of its own."""
    return [sample.mention._replace(document=number) for number, sample in enumerate(samples)]
