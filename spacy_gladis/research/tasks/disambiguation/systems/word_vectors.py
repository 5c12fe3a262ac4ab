"""The systems `uad`, `sense-vectors` and `noa`: cosine of the context and each candidate.

They train Word2Vec vectors on the texts of the data set.
"""

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
"""Score of a candidate without a vector. It is the smallest possible cosine."""


@SYSTEMS.register(
    "sense-vectors", "uad with lower weights for frequent words.", "ours", weighted=True
)
@SYSTEMS.register("uad", "Cosine of the context and a sense's vector.", "SciAI/SciAD, section 4")
@dataclass
class UAD(DisambiguationSystem):
    """Scores candidates by the cosine between the context and a vector of the sense.

    A sense is an acronym with one of its long forms. Before training, each mention is replaced by a
    token that stands for its sense. Word2Vec then trains vectors of words and senses together. The
    context is represented by the mean vector of its words. This is a reimplementation from the
    description of Ciosici et al. (2019). The settings of Word2Vec, including skip-gram, were chosen
    here. The SciAI/SciAD paper uses those of the original papers (Appendix B.1).

    Attributes:
        weighted: Whether to weight the words of the context by their inverse document frequency.
        width: Number of dimensions of a vector.
        window: Number of words on either side of a token from which its vector is trained.
        epochs: Number of passes over the training texts.
        seed: Random seed of the vectors.
    """

    weighted: bool = False
    width: int = 100
    window: int = 10
    epochs: int = 20
    seed: int = 0

    def fit(self, training: Training) -> None:
        """Train the vectors of words and senses.

        Args:
            training: Training data, of which the labelled training samples are used.

        Raises:
            InputError: If there are no labelled samples.
            MissingExtraError: If gensim is not installed.
        """
        self.train([with_sense(sample) for sample in training.labelled()])

    def train(self, sentences: Sequence[list[str]]) -> None:
        """Train Word2Vec vectors of all tokens in the given sentences.

        Args:
            sentences: Sentences as lists of tokens. A token is a word, or stands for a sense.

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
            workers=1,  # several workers would update the vectors in random order
        )
        self._vectors = model.wv
        sentence_counts = Counter(token for sentence in sentences for token in set(sentence))
        self._weights = {
            token: float(np.log(len(sentences) / count)) if self.weighted else 1.0
            for token, count in sentence_counts.items()
        }

    def tokens(self, acronym: str, long_form: str) -> list[str]:
        """Return the tokens whose mean vector represents a candidate.

        Args:
            acronym: Acronym of the mention.
            long_form: Long form of the candidate.

        Returns:
            A list of one token, which stands for the sense.
        """
        return [sense(acronym, long_form)]

    def score(self, sample: Sample, candidates: Sequence[Candidate]) -> Doubles:
        """Compute the cosine between the context of a mention and each candidate.

        Args:
            sample: The mention in its context.
            candidates: Candidate long forms of the acronym.

        Returns:
            The cosines, -1..1, float64 [candidates]. A candidate without a vector has the score
            `UNSEEN`.
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
        """Return the weighted sum of vectors, which has the same direction as their mean."""
        vectors = np.array([self._vectors[token] for token in tokens], dtype=np.float64)
        factors = np.array([*weights] or [1.0] * len(tokens))
        total: Doubles = factors @ vectors.reshape(len(tokens), self.width)
        return total


@SYSTEMS.register("noa", "Cosine of context and long form's words.", "SciAI/SciAD, section 4")
@dataclass
class NOA(UAD):
    """Scores candidates by the cosine between the context and the words of the long form.

    Both are represented by the mean of their Word2Vec vectors, which are trained on the texts
    without labels. The words of the context are weighted by their inverse document frequency. This
    is a reimplementation from the description of Charbonnier and Wartena (2018). The settings of
    Word2Vec are those of `UAD`, not those of the original paper.

    Attributes:
        weighted: Whether to weight the words of the context by their inverse document frequency.
    """

    weighted: bool = True

    def fit(self, training: Training) -> None:
        """Train the word vectors on texts without labels.

        Args:
            training: Training data, of which only the unlabelled texts are used.

        Raises:
            MissingExtraError: If gensim is not installed.
        """
        self.train([words(text) for text in training.texts])

    def tokens(self, acronym: str, long_form: str) -> list[str]:
        """Return the tokens whose mean vector represents a candidate.

        Args:
            acronym: Not used, because a long form has the same words for every acronym.
            long_form: Long form of the candidate.

        Returns:
            The lower-case words of the long form.
        """
        return words(long_form)


def sense(acronym: str, long_form: str) -> str:
    """Return the token that stands for a sense, which is an acronym with one of its long forms.

    The token contains blanks, so that it differs from every word of a text.

    Args:
        acronym: Acronym of the sense, such as "CNN".
        long_form: Long form of the sense, such as "convolutional neural network".

    Returns:
        A token such as "CNN = convolutional neural network".
    """
    return f"{acronym} = {long_form}"


def with_sense(sample: Sample) -> list[str]:
    """Return the words of a labelled text, with its mention replaced by the token of the sense.

    Args:
        sample: The mention in its text, with its long form.

    Returns:
        The lower-case words of the text and the token, in text order.
    """
    token = sense(sample.acronym, sample.long_form)
    return [*words(sample.text[: sample.start]), token, *words(sample.text[sample.end :])]
