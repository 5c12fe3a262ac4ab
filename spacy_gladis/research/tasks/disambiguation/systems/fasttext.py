"""The system `fasttext`: cosine of the context and each long form with FastText word vectors."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import numpy as np
import typer

from .....arrays import Doubles
from .....dictionary import Candidate
from .....errors import require
from ....datasets.sample import Sample
from ....mining.readers import first_words
from ...options import Corpus
from ..data import Training
from ..system import SYSTEMS, DisambiguationSystem
from ..words import cosine, words


@SYSTEMS.register("fasttext", "Cosine of sums of FastText vectors.", "GLADIS, A.3")
@dataclass
class FastText(DisambiguationSystem):
    """Scores candidates by the cosine of two vectors, one of the sentence and one of the long form.

    Each vector is the sum of the FastText vectors of the words. The paper does not say where its
    word vectors come from (GLADIS, A.3). They can be loaded from a published model. Otherwise, they
    are trained on the data set's unlabelled texts, on the candidates' long forms, and on raw text
    if a file is given.

    Attributes:
        vectors: File of a published fastText model, such as `cc.en.300.bin`. None to train the
            vectors.
        corpus: File of raw text to train the vectors on. None to use no such text.
        corpus_words: Maximum number of words to read from the raw text. With the default, training
            takes seconds.
        width: Number of dimensions of a trained vector.
        buckets: Number of vectors that the character n-grams share in training. gensim's default of
            two million is meant for far more text.
        seed: Random seed of the trained vectors.
    """

    vectors: Annotated[
        Path | None, typer.Option(help="A fastText model (.bin). Default: train one.")
    ] = None
    corpus: Corpus = None
    corpus_words: int = 500_000
    width: int = 100
    buckets: int = 200_000
    seed: int = 0

    def fit(self, training: Training) -> None:
        """Load the word vectors, or train them on texts without labels.

        Args:
            training: Training data, of which the unlabelled texts and the candidates are used.

        Raises:
            MissingExtraError: If gensim is not installed.
        """
        models = require("gensim.models", "evaluation")
        if self.vectors is not None:
            self._vectors = models.fasttext.load_facebook_vectors(str(self.vectors))
            return
        sentences = [words(text) for text in training.texts]
        names = (
            candidate.long_form for options in training.table.values() for candidate in options
        )
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
            workers=1,  # several workers would update the vectors in random order
        )
        self._vectors = model.wv

    def score(self, sample: Sample, candidates: Sequence[Candidate]) -> Doubles:
        """Compute the cosine between the text of a mention and each candidate long form.

        Args:
            sample: The mention in its text.
            candidates: Candidate long forms of the acronym.

        Returns:
            The cosines, -1..1, float64 [candidates].
        """
        context = self._sum(words(sample.text))
        names = (self._sum(words(candidate.long_form)) for candidate in candidates)
        return np.array([cosine(context, name) for name in names], dtype=np.float64)

    def _sum(self, text: Sequence[str]) -> Doubles:
        vectors = [self._vectors[word] for word in text]
        return (
            np.sum(vectors, axis=0, dtype=np.float64)
            if vectors
            else np.zeros(self._vectors.vector_size)
        )
