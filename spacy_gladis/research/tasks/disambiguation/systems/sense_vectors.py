"""Word2Vec over training texts whose mentions are replaced by their senses."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from .....arrays import Doubles
from .....dictionary import Candidate
from .....errors import require
from ....datasets.sample import Sample
from ..data import Training
from ..system import SYSTEMS, DisambiguationSystem
from ..words import context_words, cosine, words

UNSEEN = -1.0
"""The score of a sense that training did not show: below every cosine."""


@SYSTEMS.register(
    "sense-vectors", "Word2Vec of senses: each mention is replaced by its sense.", "ours"
)
@dataclass
class SenseVectors(DisambiguationSystem):
    """A sense scores by the cosine of its vector and the mean of the context's words.

    Frequent words weigh less. A sense that training does not show is the last choice.

    Attributes:
        width: Numbers in a vector.
        window: Words on either side that a vector is learnt from.
        epochs: Passes over the texts.
        seed: Of the vectors.
    """

    width: int = 100
    window: int = 10
    epochs: int = 20
    seed: int = 0

    def fit(self, training: Training) -> None:
        """Train the vectors."""
        rows = training.labelled()
        model = require("gensim.models", "evaluation").Word2Vec(
            [with_sense(sample) for sample in rows],
            vector_size=self.width,
            window=self.window,
            min_count=1,
            sg=1,
            epochs=self.epochs,
            seed=self.seed,
            workers=1,  # more would make the order of the updates random
        )
        self._vectors = model.wv
        texts = Counter(word for sample in rows for word in set(context_words(sample)))
        self._weights = {word: float(np.log(len(rows) / n)) for word, n in texts.items()}

    def score(self, sample: Sample, candidates: Sequence[Candidate]) -> Doubles:
        """Cosines of the context and each sense."""
        known = [word for word in context_words(sample) if word in self._weights]
        context = sum(
            (self._weights[word] * self._vectors[word].astype(np.float64) for word in known),
            np.zeros(self.width),
        )
        senses = [sense(sample.acronym, one.long_form) for one in candidates]
        return np.array(
            [
                cosine(context, self._vectors[one]) if one in self._vectors else UNSEEN
                for one in senses
            ],
            dtype=np.float64,
        )


def sense(acronym: str, long_form: str) -> str:
    """Return the token of a sense: no word of a text, for it holds a blank."""
    return f"{acronym} = {long_form}"


def with_sense(sample: Sample) -> list[str]:
    """Return the words of a sample's text, its sense in the place of the mention."""
    token = sense(sample.acronym, sample.long_form)
    return [*words(sample.text[: sample.start]), token, *words(sample.text[sample.end :])]
