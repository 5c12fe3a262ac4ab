"""One logistic regression for each acronym, over the words around it."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from .....arrays import Doubles
from .....dictionary import Candidate
from .....errors import require
from ....datasets.sample import Sample
from ..data import Training
from ..system import SYSTEMS, DisambiguationSystem
from ..words import words

NEAR = 3
"""Words on either side of the mention that are features by their place, too."""


@SYSTEMS.register("classifier", "A logistic regression over words for each acronym.", "ours")
@dataclass
class AcronymClassifier(DisambiguationSystem):
    """Logistic regression over an acronym's training long forms.

    Features are tf-idf of the context's words, and the nearest words with their side. An acronym
    without training samples gets its first candidate: all its scores are zero.

    Attributes:
        seed: Of the solver.
    """

    seed: int = 0

    def fit(self, training: Training) -> None:
        """Train a classifier for each acronym."""
        require("sklearn", "evaluation", "scikit-learn")
        from sklearn.feature_extraction.text import TfidfVectorizer
        from sklearn.linear_model import LogisticRegression

        self._classifiers: dict[str, Any] = {}
        self._only: dict[str, str] = {}  # acronyms of one long form in training
        by_acronym: defaultdict[str, list[Sample]] = defaultdict(list)
        for sample in training.labelled():
            by_acronym[sample.acronym].append(sample)
        self._vectorizer = TfidfVectorizer(analyzer=features, sublinear_tf=True)
        self._vectorizer.fit(one for group in by_acronym.values() for one in group)
        for acronym, group in by_acronym.items():
            long_forms = [sample.long_form for sample in group]
            if len(set(long_forms)) == 1:
                self._only[acronym] = long_forms[0]
                continue
            classifier = LogisticRegression(C=10, max_iter=200, random_state=self.seed)
            classifier.fit(self._vectorizer.transform(group), long_forms)
            self._classifiers[acronym] = classifier

    def score(self, sample: Sample, candidates: Sequence[Candidate]) -> Doubles:
        """Probabilities of the candidates that training showed; 0 of the others."""
        probabilities = {self._only[sample.acronym]: 1.0} if sample.acronym in self._only else {}
        if classifier := self._classifiers.get(sample.acronym):
            row = classifier.predict_proba(self._vectorizer.transform([sample]))[0]
            probabilities = dict(zip(classifier.classes_, row.tolist(), strict=True))
        return np.array(
            [probabilities.get(one.long_form, 0.0) for one in candidates], dtype=np.float64
        )


def features(sample: Sample) -> list[str]:
    """Return the context's words, and its nearest ones marked with the side they stand on."""
    before = words(sample.text[: sample.start])
    after = words(sample.text[sample.end :])
    sides = [f"<{word}" for word in before[-NEAR:]] + [f">{word}" for word in after[:NEAR]]
    return before + after + sides
