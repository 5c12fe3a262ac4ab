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
"""Score of a candidate without a vector. It equals the cosine of opposite vectors."""


@SYSTEMS.register(
    "sense-vectors", "uad with lower weights for frequent words.", "ours", weighted=True
)
@SYSTEMS.register("uad", "Cosine of the context and a sense's vector.", "SciAI/SciAD, section 4")
@dataclass
class UAD(DisambiguationSystem):
    """Scores a sense by the cosine of its vector and the mean vector of the context's words.

    Reimplemented from the description (Ciosici et al. 2019). Each mention in the training texts is
    replaced by a token of its sense, and Word2Vec learns vectors of words and senses together.

    Attributes:
        weighted: Whether to weight the context's words by inverse document frequency.
        width: Number of dimensions of a vector.
        window: Number of words on either side of a word that its vector is trained on.
        epochs: Number of passes over the texts.
        seed: Random seed of the         ectors.
    """

    weighted: bool = False
    width: int = 100
    window: int = 10
    epochs: int = 20
    seed: int = 0

    def fit(self, training: Training) -> None:
        """Train vectors of words and senses.

        Args:
            training: Labelled samples.

        Raises:
            InputError: If there are no labelled samples.
            MissingExtraError: If gensim is not installed.
        """
        self.train([with_sense(sample) for sample in training.labelled()])

    def train(self, sentences: Sequence[list[str]]) -> None:
        """Train Word2Vec vectors of the tokens in sentences.

        Args:
            sentences: The tokens of each sentence.

        Raises:
            MissingExtraError: If gensim is not installed.
        """
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
        sentence_counts = Counter(token for sentence in sentences for token in set(sentence))
        self._weights = {
            token: float(np.log(len(sentences) / count)) if self.weighted else 1.0
            for token, count in sentence_counts.items()
        }

    def tokens(self, acronym: str, long_form: str) -> list[str]:
        """Return the tokens whose mean vector represents a sense.

        Args:
            acronym: The acronym.
            long_form: The long form.

        Returns:
            The sense's own token.
        """
        return [sense(acronym, long_form)]

    def score(self, sample: Sample, candidates: Sequence[Candidate]) -> Doubles:
        """Compute the cosine of the context and each candidate.

        Args:
            sample: The mention in its context.
            candidates: The acronym's candidates.

        Returns:
            Cosines, float64 [candidates]. `UNSEEN` for candidates without a vector.
        """
        known_words = [word for word in context_words(sample) if word in self._weights]
        context = self._sum(known_words, [self._weights[word] for word in known_words])
        scores = []
        for candidate in candidates:
            tokens = self.tokens(sample.acronym, candidate.long_form)
            known_tokens = [token for token in tokens if token in self._weights]
            scores.append(cosine(context, self._sum(known_tokens)) if known_tokens else UNSEEN)
        return np.array(scores, dtype=np.float64)

    def _sum(self, tokens: Sequence[str], weights: Iterable[float] = ()) -> Doubles:
        """Return the weighted sum of the tokens' vectors, which has the direction of their mean."""
        vectors = np.array([self._vectors[token] for token in tokens], dtype=np.float64)
        factors = np.array([*weights] or [1.0] * len(tokens))
        total: Doubles = factors @ vectors.reshape(len(tokens), self.width)
        return total


@SYSTEMS.register("noa", "Cosine of context and long form's words.", "SciAI/SciAD, section 4")
@dataclass
class NOA(UAD):
    """Scores a long form by the cosine of its words' mean vector and that of the context's words.

    Reimplemented from the description (Charbonnier and Wartena 2018). Word2Vec learns from the
    training texts without their labels, and the context's words are weighted by inverse document
    frequency.

    Attributes:
        weighted: Whether to weight the context's words by inverse document frequency.
    """

    weighted: bool = True

    def fit(self, training: Training) -> None:
        """Train vectors of words.

        Args:
            training: Training texts, whose labels are not used.

        Raises:
            MissingExtraError: If gensim is not installed.
        """
        self.train([words(text) for text in training.texts])

    def tokens(self, acronym: str, long_form: str) -> list[str]:
        """Return the tokens whose mean vector represents a sense.

        Args:
            acronym: Not used by this system.
            long_form: The long form.

        Returns:
            The long form's words.
        """
        return words(long_form)


def sense(acronym: str, long_form: str) -> str:
    """Return the token that represents a sense.

    The token contains blanks, so that it differs from every word of a text.

    Args:
        acronym: The acronym.
        long_form: The long form.

    Returns:
        The token.
    """
    return f"{acronym} = {long_form}"


def with_sense(sample: Sample) -> list[str]:
    """Return the words of a sample's text, with the token of its sense in place of the mention.

    Args:
        sample: The labelled sample.

    Returns:
        Lower-case words and the token.
    """
    token = sense(sample.acronym, sample.long_form)
    return [*words(sample.text[: sample.start]), token, *words(sample.text[sample.end :])]
