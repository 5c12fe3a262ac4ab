"""FastText: cosines of the context's and the long forms' words."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from .....arrays import Doubles
from .....dictionary import Candidate
from .....errors import require
from ....datasets.sample import Sample
from ....mining.readers import first_words
from ...options import Corpus
from ..data import Training
from ..system import SYSTEMS, DisambiguationSystem
from ..words import context_words, cosine, words


@SYSTEMS.register(
    "fasttext", "FastText trained on the texts and long forms, by cosine.", "GLADIS, section 5.1"
)
@dataclass
class FastText(DisambiguationSystem):
    """Vectors trained on the samples' texts, the set's long forms and, if given, raw text.

    Attributes:
        corpus: Raw text for the vectors.
        corpus_words: Words of the raw text that are read: enough for words, and seconds instead of
            minutes.
        width: Numbers in a vector.
        buckets: Vectors that the character n-grams share; gensim's own two million are for far
            more text.
        seed: Of the vectors.
    """

    corpus: Corpus = None
    corpus_words: int = 500_000
    width: int = 100
    buckets: int = 200_000
    seed: int = 0

    def fit(self, training: Training) -> None:
        """Train the vectors; the samples' long forms are not looked at."""
        models = require("gensim.models", "evaluation")
        sentences = [words(text) for text in training.texts]
        names = (one.long_form for options in training.table.values() for one in options)
        sentences += map(words, names)
        if self.corpus is not None:
            sentences += first_words(self.corpus, self.corpus_words, words)
        model = models.FastText(
            sentences,
            vector_size=self.width,
            min_count=2 if self.corpus else 1,
            sg=1,
            bucket=self.buckets,
            seed=self.seed,
            workers=1,  # more would make the order of the updates random
        )
        self._vectors = model.wv

    def score(self, sample: Sample, candidates: Sequence[Candidate]) -> Doubles:
        """Cosines of the context and each candidate."""
        context = self._sum(context_words(sample))
        names = (self._sum(words(one.long_form)) for one in candidates)
        return np.array([cosine(context, name) for name in names], dtype=np.float64)

    def _sum(self, text: Sequence[str]) -> Doubles:
        vectors = [self._vectors[word] for word in text]
        return np.sum(vectors, axis=0, dtype=np.float64) if vectors else np.zeros(self.width)
