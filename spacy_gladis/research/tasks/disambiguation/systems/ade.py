"""The system `ade`: disambiguation by boosted trees over hand-made features."""

from collections import Counter
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
from ..words import context_words, words

FOLDS = 5
"""Number of folds into which the training samples are divided. The features of the samples in a
fold are computed from the other folds."""


@SYSTEMS.register("ade", "Boosted trees over features of candidates.", "SciAI/SciAD, section 4")
@dataclass
class ADE(DisambiguationSystem):
    """Scores candidates by gradient-boosted trees over features of popularity and context.

    This is a reimplementation from the description of Li et al. (2018). A candidate has five
    features:

    - the number of its training samples
    - their share of all training samples of the acronym
    - the tf-idf cosine between its training samples and the context of the mention
    - the same cosine for the words closest to the mention only
    - the share of the long form's words that occur in the context

    Attributes:
        near: Number of words on either side of the mention that count as close.
        seed: Random seed of the trees.
    """

    near: int = 5
    seed: int = 0

    def fit(self, training: Training) -> None:
        """Train the trees to distinguish right candidates from wrong ones.

        Args:
            training: Training data, of which the labelled training samples and the candidates are
                used.

        Raises:
            InputError: If there are no labelled samples.
            MissingExtraError: If scikit-learn is not installed.
        """
        require("sklearn", "evaluation", "scikit-learn")
        from sklearn.ensemble import GradientBoostingClassifier
        from sklearn.feature_extraction.text import TfidfVectorizer

        rows = training.labelled()
        self._vectorizer = TfidfVectorizer(analyzer=list, sublinear_tf=True)
        self._vectorizer.fit(map(context_words, rows))
        tables: list[list[float]] = []
        right: list[bool] = []
        for fold in range(FOLDS):
            self._index_contexts([row for number, row in enumerate(rows) if number % FOLDS != fold])
            for row in rows[fold::FOLDS]:
                candidates = training.table.get(row.acronym, ())
                tables += self._features(row, candidates)
                right += [candidate.long_form == row.long_form for candidate in candidates]
        self._trees = GradientBoostingClassifier(random_state=self.seed).fit(tables, right)
        self._index_contexts(rows)

    def score(self, sample: Sample, candidates: Sequence[Candidate]) -> Doubles:
        """Compute the probability that each candidate of a mention is right.

        Args:
            sample: The mention in its context.
            candidates: Candidate long forms of the acronym.

        Returns:
            The probabilities, float64 [candidates]. Their sum need not be 1, because each candidate
            is scored independently.
        """
        table = self._features(sample, candidates)
        probabilities: Doubles = self._trees.predict_proba(table)[:, 1]
        return probabilities

    def _index_contexts(self, rows: Sequence[Sample]) -> None:
        """Count the samples of each long form, and add up the vectors of their contexts."""
        self._counts = Counter((row.acronym, row.long_form) for row in rows)
        self._totals = Counter(row.acronym for row in rows)
        self._contexts: dict[tuple[str, str], Any] = {}
        for row in rows:
            sense, views = (row.acronym, row.long_form), self._views(row)
            self._contexts[sense] = self._contexts.get(sense, 0 * views) + views

    def _views(self, sample: Sample) -> Any:
        """Return tf-idf vectors of the context and of its closest words, sparse [2, words]."""
        before, after = words(sample.text[: sample.start]), words(sample.text[sample.end :])
        near = before[-self.near :] + after[: self.near]
        return self._vectorizer.transform([before + after, near])

    def _features(self, sample: Sample, candidates: Sequence[Candidate]) -> list[list[float]]:
        """Compute the five features of each candidate, [candidates, 5]."""
        views, context = self._views(sample), set(context_words(sample))
        table = []
        for candidate in candidates:
            sense = sample.acronym, candidate.long_form
            count, cosines = self._counts[sense], np.zeros(2)
            if count:
                contexts = self._contexts[sense]
                norms = np.sqrt(contexts.multiply(contexts).sum(1))
                cosines = np.ravel(views.multiply(contexts).sum(1) / np.maximum(norms, 1e-12))
            names = words(candidate.long_form)
            shared = sum(word in context for word in names) / max(1, len(names))
            share = count / max(1, self._totals[sample.acronym])
            table.append([count, share, *cosines, shared])
        return table
