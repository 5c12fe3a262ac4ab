"""Sense vectors (UAD, Ciosici et al. 2019): each sense a token of its own for Word2Vec."""

from collections import Counter
from collections.abc import Iterable, Sequence

import numpy as np

from ....arrays import Doubles
from ....dictionary import Candidate
from ....errors import InputError, require
from ...datasets.sample import Sample
from .fasttext import cosine
from .protocol import Baseline, context_words, words

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
