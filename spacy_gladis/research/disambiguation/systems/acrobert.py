"""AcroBERT as it is: the packaged weights, or those of a folder, without training on the task."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ....dictionary import Dictionary
from ....modeling.calibration import surroundings
from ....rules import Mention
from ...datasets.sample import Sample
from .protocol import Baseline, Candidates, Scores

if TYPE_CHECKING:
    from ....modeling import Disambiguator


class AcroBERTScorer(Baseline):
    """AcroBERT's calibrated probabilities, each sample by its own context alone."""

    def __init__(self, disambiguator: "Disambiguator") -> None:
        self.disambiguator = disambiguator

    @classmethod
    def load(cls, model: Path | None = None) -> "AcroBERTScorer":
        """With the weights of a folder (None: the packaged ones) and the packaged dictionary."""
        from ....modeling import AcroBERT, Disambiguator

        return cls(Disambiguator(AcroBERT.load(model), Dictionary.open(None)))

    def predict(self, samples: Sequence[Sample], candidates: Candidates) -> Scores:
        """The probabilities of each sample's candidates; what they lack to 1 is "none of these"."""
        calibration = self.disambiguator.model.settings.weights_of_given
        mentions = as_mentions(samples)
        scores = []
        for mention, logits in zip(
            mentions, self.disambiguator.logits(mentions, candidates), strict=True
        ):
            alone = surroundings(len(logits), len(mention.text.split()), 1)
            probabilities = calibration.probabilities(logits, calibration.nil_logit(alone))
            scores.append(np.asarray(probabilities, dtype=np.float64))
        return scores


def as_mentions(samples: Sequence[Sample]) -> list[Mention]:
    """The samples as AcroBERT is asked about them, each a document of its own."""
    return [sample.mention._replace(document=number) for number, sample in enumerate(samples)]
