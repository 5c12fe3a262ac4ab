"""Systems over bags and vectors of words."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from ....arrays import Doubles
from ....dictionary import Candidate
from ....errors import InputError, require
from ...datasets.sample import Sample
from .protocol import Baseline, Table, context_words, first_words, words

WIDTH = 100
WINDOW = 10
EPOCHS = 20
UNSEEN = -1.0
"""The score of a sense that training did not show: below every cosine."""


class SenseVectors(Baseline):
    """Word2Vec over the training texts, in which every mention is replaced by its sense.

    A sense scores by the cosine of its vector and the mean of the context's words, the frequent
    ones weighing less. A sense that was not seen in training is the last choice.
    """

    def __init__(self, seed: int = 0) -> None:
        self.seed = seed

    def fit(self, samples: Iterable[Sample], development: Iterable[Sample] = ()) -> None:
        """Train the vectors. Raises InputError without samples."""
        models = require("gensim.models", "evaluation")
        rows = list(samples)
        if not rows:
            raise InputError("Sense vectors are learnt from labelled samples: give some.")
        model = models.Word2Vec(
            [with_sense(sample) for sample in rows],
            vector_size=WIDTH,
            window=WINDOW,
            min_count=1,
            sg=1,
            epochs=EPOCHS,
            seed=self.seed,
            workers=1,  # more would make the order of the updates random
        )
        self._vectors = model.wv
        texts = Counter(word for sample in rows for word in set(context_words(sample)))
        self._weights = {word: float(np.log(len(rows) / n)) for word, n in texts.items()}

    def score(self, sample: Sample, options: Sequence[Candidate]) -> Doubles:
        """Cosines of the context and each sense."""
        known = [word for word in context_words(sample) if word in self._weights]
        context = sum(
            (self._weights[word] * self._vectors[word].astype(np.float64) for word in known),
            np.zeros(WIDTH),
        )
        senses = [sense(sample.acronym, one.long_form) for one in options]
        return np.array(
            [
                cosine(context, self._vectors[one]) if one in self._vectors else UNSEEN
                for one in senses
            ],
            dtype=np.float64,
        )


def sense(acronym: str, long_form: str) -> str:
    """The token of a sense: no word of a text, for it holds a blank."""
    return f"{acronym} = {long_form}"


def with_sense(sample: Sample) -> list[str]:
    """The words of a sample's text, its sense in the place of the mention."""
    token = sense(sample.acronym, sample.long_form)
    return [*words(sample.text[: sample.start]), token, *words(sample.text[sample.end :])]


BUCKETS = 200_000
"""Character n-grams share so many vectors; gensim's own two million are for far more text."""
TEXT_WORDS = 500_000
"""Words of the raw text that are read: enough for words, and seconds instead of minutes."""


class FastText(Baseline):
    """Vectors trained on the samples' texts, the table's long forms and, if given, raw text.

    The samples' long forms are not looked at. text: a file in any format that 'corpus extract'
    reads.
    """

    def __init__(self, table: Table, text: Path | None = None, seed: int = 0) -> None:
        self.table, self.text, self.seed = table, text, seed

    def fit(self, samples: Iterable[Sample], development: Iterable[Sample] = ()) -> None:
        """Train the vectors. Raises InputError for a text of no known format."""
        models = require("gensim.models", "evaluation")
        sentences = [words(sample.text) for sample in samples]
        sentences += [words(one.long_form) for options in self.table.values() for one in options]
        if self.text is not None:
            sentences += first_words(self.text, TEXT_WORDS)
        model = models.FastText(
            sentences,
            vector_size=WIDTH,
            min_count=2 if self.text else 1,
            sg=1,
            bucket=BUCKETS,
            seed=self.seed,
            workers=1,  # more would make the order of the updates random
        )
        self._vectors = model.wv

    def score(self, sample: Sample, options: Sequence[Candidate]) -> Doubles:
        """Cosines of the context and each candidate."""
        context = self._sum(context_words(sample))
        names = (self._sum(words(one.long_form)) for one in options)
        return np.array([cosine(context, name) for name in names], dtype=np.float64)

    def _sum(self, text: Sequence[str]) -> Doubles:
        vectors = [self._vectors[word] for word in text]
        return np.sum(vectors, axis=0, dtype=np.float64) if vectors else np.zeros(WIDTH)


def cosine(one: Doubles, other: Doubles) -> float:
    """The cosine of two vectors, 0 where one of them is zero."""
    norms = float(np.linalg.norm(one) * np.linalg.norm(other))
    return float(one @ other) / norms if norms else 0.0


NEAR = 3
"""Words on either side of the mention that are features by their place, too."""


class AcronymClassifier(Baseline):
    """Logistic regression over an acronym's training long forms.

    Features: tf-idf of the context's words, and the nearest words with their side. An acronym
    without training samples gets its first candidate: all its scores are zero.
    """

    def __init__(self, seed: int = 0) -> None:
        self.seed = seed
        self._classifiers: dict[str, Any] = {}
        self._only: dict[str, str] = {}  # acronyms of one long form in training

    def fit(self, samples: Iterable[Sample], development: Iterable[Sample] = ()) -> None:
        """Train a classifier for each acronym. Raises InputError without samples."""
        require("sklearn", "evaluation", "scikit-learn")
        from sklearn.feature_extraction.text import TfidfVectorizer
        from sklearn.linear_model import LogisticRegression

        by_acronym: defaultdict[str, list[Sample]] = defaultdict(list)
        for sample in samples:
            by_acronym[sample.acronym].append(sample)
        if not by_acronym:
            raise InputError("One classifier an acronym learns from labelled samples: give some.")
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

    def score(self, sample: Sample, options: Sequence[Candidate]) -> Doubles:
        """Probabilities of the candidates that training showed; 0 of the others."""
        probabilities = {self._only[sample.acronym]: 1.0} if sample.acronym in self._only else {}
        if classifier := self._classifiers.get(sample.acronym):
            row = classifier.predict_proba(self._vectorizer.transform([sample]))[0]
            probabilities = dict(zip(classifier.classes_, row.tolist(), strict=True))
        return np.array(
            [probabilities.get(one.long_form, 0.0) for one in options], dtype=np.float64
        )


def features(sample: Sample) -> list[str]:
    """The context's words, and its nearest ones marked with the side they stand on."""
    before = words(sample.text[: sample.start])
    after = words(sample.text[sample.end :])
    sides = [f"<{word}" for word in before[-NEAR:]] + [f">{word}" for word in after[:NEAR]]
    return before + after + sides
