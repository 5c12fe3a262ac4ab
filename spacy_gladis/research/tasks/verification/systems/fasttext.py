"""The system `fasttext`: a perceptron over FastText vectors verifies a sense.

This is a baseline of the WiC-TSV paper (section 4.1). The paper does not report the settings of the
perceptron. The number of hidden units, the weight decay, the early stopping and the scaling of the
inputs to mean 0 and variance 1 are ours.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer

from .....arrays import Doubles, Floats
from .....errors import FormatError, InputError, require
from ....datasets.wic_tsv import TargetSense
from ....mining.readers import first_words
from ...disambiguation.words import words
from ...options import Corpus
from ..data import Training
from ..system import SYSTEMS, VerificationSystem

DIMENSIONS = 100
EPOCHS = 3
BUCKETS = 200_000
"""Number of vectors that the character n-grams share. gensim's default of two million is meant for
far more text."""


@SYSTEMS.register("fasttext", "FastText vectors and a perceptron.", "WiC-TSV, section 4.1")
@dataclass
class FastTextVerifier(VerificationSystem):
    """Verifies senses with a perceptron over FastText word vectors.

    The input of the perceptron joins the mean word vectors of the context, the definition and the
    hypernyms. Descriptions that the subtask does not show are left out. The perceptron has one
    hidden layer.

    Trained word vectors also see the contexts, definitions and hypernyms of WiC-TSV's training set,
    even the descriptions that the subtask does not show.

    Attributes:
        vectors: File of word vectors. None to train the vectors.
        corpus: File of raw text to train the vectors on, in addition to the texts of the training
            set. None to use no such text.
        corpus_words: Maximum number of words to read from the raw text. With many more words than
            the default, training takes minutes instead of seconds.
        hidden: Number of units of the hidden layer.
        seed: Random seed of the perceptron. Trained word vectors always have the seed 0, so the
            results of several seeds differ only by the perceptron.
    """

    vectors: Annotated[
        Path | None, typer.Option(help="Word vectors in fastText's text format (.vec).")
    ] = None
    corpus: Corpus = None
    corpus_words: int = 200_000
    hidden: int = 100
    seed: int = 0

    def fit(self, training: Training) -> None:
        """Load or train the word vectors, then train the perceptron.

        A tenth of the training set is held out for early stopping.

        Args:
            training: Target words in their contexts, with senses and labels.

        Raises:
            MissingExtraError: If scikit-learn or gensim is not installed.
        """
        require("sklearn", "evaluation", "scikit-learn")
        from sklearn.neural_network import MLPClassifier
        from sklearn.pipeline import make_pipeline
        from sklearn.preprocessing import StandardScaler

        if self.vectors is not None:
            self._vectors = read_vectors(self.vectors)
        else:
            first = first_words(self.corpus, self.corpus_words) if self.corpus else ()
            self._vectors = train_vectors(chain(training.texts, map(" ".join, first)))
        definitions, hypernyms = zip(
            *((s.definition, s.hypernyms) for s in training.senses), strict=True
        )
        self._shown = any(definitions), any(hypernyms)
        perceptron = MLPClassifier(
            (self.hidden,), alpha=1e-2, early_stopping=True, random_state=self.seed, max_iter=100
        )
        self._model = make_pipeline(StandardScaler(), perceptron)
        self._model.fit(self._features(training.senses), list(training.labels))

    def predict(self, questions: Sequence[TargetSense]) -> Doubles:
        """Predict the probability that each target word has the given sense.

        Args:
            questions: Target words in their contexts, each with a sense.

        Returns:
            The probabilities, float64 [questions], in the order of the questions.
        """
        probabilities: Doubles = self._model.predict_proba(self._features(questions))[:, 1]
        return probabilities

    def _features(self, senses: Sequence[TargetSense]) -> Floats:
        rows = []
        for sense in senses:
            texts = sense.mention.text, sense.definition, " ".join(sense.hypernyms)
            shown = zip(texts, (True, *self._shown), strict=True)
            parts = [self._mean(text) for text, is_shown in shown if is_shown]
            rows.append(np.concatenate(parts))
        return np.stack(rows)

    def _mean(self, text: str) -> Floats:
        vectors = [self._vectors[word] for word in words(text) if word in self._vectors]
        if not vectors:
            return np.zeros(self._vectors.vector_size, dtype=np.float32)
        mean: Floats = np.mean(vectors, axis=0)
        return mean


def read_vectors(path: Path) -> Any:
    """Read word vectors from a file in the text format of word2vec and fastText.

    The first line of the file has the number of words and of dimensions. Each other line has a word
    and its numbers.

    Args:
        path: Path of the file (`.vec`), which may be compressed (`.vec.gz`).

    Returns:
        The vectors as `KeyedVectors` of gensim.

    Raises:
        InputError: If the file does not exist.
        FormatError: If the file has another format.
        MissingExtraError: If gensim is not installed.
    """
    if not path.is_file():
        raise InputError(f"{path} does not exist. Give a file of word vectors.")
    try:
        return require("gensim.models", "evaluation").KeyedVectors.load_word2vec_format(str(path))
    except (ValueError, UnicodeDecodeError) as error:
        raise FormatError(
            f"{path} is not a file of word vectors in text form: {error}. The first line must have "
            "the number of words and of dimensions, and each other line a word and its numbers."
        ) from None


def train_vectors(texts: Iterable[str]) -> Any:
    """Train FastText vectors of words and character n-grams with the skip-gram model.

    The same texts always give the same vectors.

    Args:
        texts: Texts to train on. Only words that occur at least twice are used.

    Returns:
        The vectors as `KeyedVectors` of gensim.

    Raises:
        InputError: If no word occurs twice in the texts.
        MissingExtraError: If gensim is not installed.
    """
    sentences = [words(text) for text in texts]
    model = require("gensim.models", "evaluation").FastText(
        vector_size=DIMENSIONS,
        sg=1,
        min_count=2,
        bucket=BUCKETS,
        epochs=EPOCHS,
        seed=0,
        workers=1,  # several workers would update the vectors in random order
    )
    model.build_vocab(sentences)
    if not len(model.wv):
        raise InputError("No word occurs twice in the texts. Give more text for the vectors.")
    model.train(sentences, total_examples=len(sentences), epochs=EPOCHS)
    return model.wv
