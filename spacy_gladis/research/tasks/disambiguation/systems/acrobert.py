"""The system `retriever`: disambiguation by the packaged AcroBERT, without training."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from .....arrays import Doubles
from .....linking import Linker
from .....linking.acrobert import AcroBERT
from .....linking.calibration import compute_probabilities
from .....linking.candidates import compute_nil_features
from .....text import Mention
from ....datasets.sample import Sample
from ...options import Cache, Model
from ..data import Question, Training
from ..system import SYSTEMS, DisambiguationSystem


@SYSTEMS.register("retriever", "The packaged AcroBERT's calibrated probabilities.", "ours")
@dataclass
class PackagedAcroBERT(DisambiguationSystem):
    """Scores the candidates of a mention by AcroBERT's calibrated probabilities.

    This is not the model of the GLADIS paper, which is the system `nsp`. It encodes contexts and
    long forms separately, and combines their cosine with other evidence such as counts and stored
    contexts. The packaged weights for given candidates were fitted on half of the rows of UAD,
    SciAD and Bio-UMLS.

    Each sample is treated as a separate document. Other mentions of the acronym have no influence.

    Attributes:
        model: Folder with AcroBERT's weights. None for the packaged weights.
        cache: Folder in which the vectors of long forms are kept between runs. None for no cache.
        linker: The linker that computes the scores. It is created by `fit`.
    """

    model: Model = None
    cache: Cache = None

    def fit(self, training: Training) -> None:
        """Load AcroBERT's weights. Nothing is trained.

        Args:
            training: Training data, of which only the dictionary is used.
        """
        model = AcroBERT.load(self.model)
        self.linker = Linker(model, training.dictionary, cache=self.cache)

    def predict(self, questions: Sequence[Question]) -> Sequence[Doubles]:
        """Compute calibrated probabilities of the candidate long forms of each mention.

        Args:
            questions: Mentions of acronyms, each with its candidate long forms.

        Returns:
            The probabilities for each mention, float64 [candidates]. Their sum may be less than 1.
            The rest is the probability of NIL, that none of the candidates is right.
        """
        calibration = self.linker.model.settings.disambiguation_weights
        mentions = as_mentions([question.sample for question in questions])
        candidates = [question.candidates for question in questions]
        scores = []
        candidate_logits = self.linker.score_candidates(mentions, candidates)
        for mention, logits in zip(mentions, candidate_logits, strict=True):
            features = compute_nil_features(len(logits), len(mention.text.split()), 1)
            probabilities = compute_probabilities(logits, calibration.nil_logit(features))
            scores.append(np.asarray(probabilities, dtype=np.float64))
        return scores


def as_mentions(samples: Sequence[Sample]) -> list[Mention]:
    """Convert samples to mentions for the linker, each of them in its own document.

    Args:
        samples: Acronyms in their contexts.

    Returns:
        A mention for each sample, in the same order. The index of the sample is the number of the
        mention's document.
    """
    return [sample.mention._replace(document=number) for number, sample in enumerate(samples)]
