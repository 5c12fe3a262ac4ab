"""NOA and UAD: Word2Vec vectors of a context and of each candidate, compared by cosine."""

from collections import Counter
from collections.abc import Iterable, Sequence
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
"""The score of a candidate without a vector: the cosine of opposite vectors."""


@SYSTEMS.register("sense-vectors", "uad, where frequent words weigh less.", "ours", weighted=True)
@SYSTEMS.register("uad", "Cosine of the context and a sense's vector.", "SciAI/SciAD, section 4")
@dataclass
class UAD(DisambiguationSystem):
    """Score a sense by the cosine of its vector and the mean of the context's words.

    Reimplemented from the description (Ciosici et al. 2019): each mention in the training texts is
    replaced by a token of its sense, and Word2Vec learns vectors of words and senses together.

    Attributes:
        weighted: Whether a word of the context weighs by its inverse document frequency.
        width: Numbers in a vector.
        window: Words on either side that a vector is learnt from.
        epochs: Passes over the texts.
        seed: Of the vectors.
    """

    weighted: bool = False
    width: int = 100
    window: int = 10
    epochs: int = 20
    seed: int = 0

    def fit(self, training: Training) -> None:
        """Train vectors of words and senses."""
        self.train([with_sense(sample) for sample in training.labelled()])

    def train(self, sentences: Sequence[list[str]]) -> None:
        """Train vectors of the tokens of sentences."""
        model = require("gensim.models", "evaluation").Word2Vec(
            sentences,
            vector_size=self.width,
            window=self.window,
            min_count=1,
            sg=1,
            epochs=self.epochs,
            seed=self.seed,
            workers=1,  # more would make the order of the updates random
        )
        self._vectors = model.wv
        found = Counter(token for sentence in sentences for token in set(sentence))
        self._weights = {
            token: float(np.log(len(sentences) / count)) if self.weighted else 1.0
            for token, count in found.items()
        }

    def tokens(self, acronym: str, long_form: str) -> list[str]:
        """Return the tokens whose mean vector stands for a sense: its own token."""
        return [sense(acronym, long_form)]

    def score(self, sample: Sample, candidates: Sequence[Candidate]) -> Doubles:
        """Cosines of the context and each candidate."""
        known = [word for word in context_words(sample) if word in self._weights]
        context = self._sum(known, [self._weights[word] for word in known])
        scores = []
        for candidate in candidates:
            tokens = self.tokens(sample.acronym, candidate.long_form)
            shown = [token for token in tokens if token in self._weights]
            scores.append(cosine(context, self._sum(shown)) if shown else UNSEEN)
        return np.array(scores, dtype=np.float64)

    def _sum(self, tokens: Sequence[str], weights: Iterable[float] = ()) -> Doubles:
        """The weighted sum of the tokens' vectors; its direction is that of their mean."""
        vectors = np.array([self._vectors[token] for token in tokens], dtype=np.float64)
        factors = np.array([*weights] or [1.0] * len(tokens))
        total: Doubles = factors @ vectors.reshape(len(tokens), self.width)
        return total


@SYSTEMS.register("noa", "Cosine of context and long form's words.", "SciAI/SciAD, section 4")
@dataclass
class NOA(UAD):
    """Score a long form by the cosine of the means of its own words and of the context's.

    Reimplemented from the description (Charbonnier and Wartena 2018): Word2Vec learns from the
    training texts, whose labels are not read, and the context's words are weighed by their inverse
    document frequency.
    """

    weighted: bool = True

    def fit(self, training: Training) -> None:
        """Train vectors of words."""
        self.train([words(text) for text in training.texts])

    def tokens(self, acronym: str, long_form: str) -> list[str]:
        """Return the long form's words."""
        return words(long_form)


def sense(acronym: str, long_form: str) -> str:
    """Return the token of a sense: no word of a text, for it holds a blank."""
    return f"{acronym} = {long_form}"


def with_sense(sample: Sample) -> list[str]:
    """Return the words of a sample's text, its sense in the place of the mention."""
    token = sense(sample.acronym, sample.long_form)
    return [*words(sample.text[: sample.start]), token, *words(sample.text[sample.end :])]
