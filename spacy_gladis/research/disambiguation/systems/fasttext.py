"""FastText (Bojanowski et al. 2017): summed vectors of the words, compared by cosine."""

from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np

from ....arrays import Doubles
from ....dictionary import Candidate
from ....errors import require
from ...datasets.sample import Sample
from .protocol import Baseline, Table, context_words, first_words, words

WIDTH = 100
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
