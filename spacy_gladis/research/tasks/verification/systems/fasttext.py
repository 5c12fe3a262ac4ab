"""FastText vectors and a multi-layer perceptron (WiC-TSV, section 4.1)."""

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
"""Number of vectors that the character n-grams share. gensim's default of two million suits far
more text."""


@SYSTEMS.register("fasttext", "FastText vectors and a perceptron.", "WiC-TSV, section 4.1")
@dataclass
class FastTextVerifier(VerificationSystem):
    """Verifies target senses with a perceptron that has one hidden layer.

    Its input is the concatenated mean word vectors of the context, the definition and the
    hypernyms, as far as the task shows them.

    Attributes:
        vectors: File of word vectors. None to train vectors.
        corpus: File of text to train the vectors on, in addition to the texts of the training set.
        corpus_words: Number of words to read from the corpus. More words take minutes instead of
            seconds.
        hidden: Width of the hidden layer.
        seed: Random seed of the         erceptron.
    """

    vectors: Annotated[
        Path | None, typer.Option(help="Word vectors in fastText's text format (.vec).")
    ] = None
    corpus: Corpus = None
    corpus_words: int = 200_000
    hidden: int = 100
    seed: int = 0

    def fit(self, training: Training) -> None:
        """Train the perceptron. A tenth of the data is held out for early stopping.

        Args:
            training: The training set, with its labels.

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
        """Predict probabilities.

        Args:
            questions: Target senses in their contexts.

        Returns:
            Probabilities [questions].
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
    """Read word vectors in word2vec's text format (`.vec`), as fastText publishes them.

    Args:
        path: Path of the file, plain or compressed (`.gz`).

    Returns:
        gensim's `KeyedVectors`.

    Raises:
        InputError: If the file does not exist.
        FormatError: If the file has another format.
    """
    if not path.is_file():
        raise InputError(f"{path} does not exist. Give a file of word vectors.")
    try:
        return require("gensim.models", "evaluation").KeyedVectors.load_word2vec_format(str(path))
    except (ValueError, UnicodeDecodeError) as error:
        raise FormatError(
            f"{path} is not a file of word vectors in text form (first line: words and dimensions; "
            f"then a word and its numbers a line): {error}"
        ) from None


def train_vectors(texts: Iterable[str]) -> Any:
    """Train skip-gram vectors of words and sub-words, reproducibly.

    Args:
        texts: The texts.

    Returns:
        gensim's `KeyedVectors`.

    Raises:
        InputError: If the texts hold too few words.
    """
    sentences = [words(text) for text in texts]
    model = require("gensim.models", "evaluation").FastText(
        vector_size=DIMENSIONS,
        sg=1,
        min_count=2,
        bucket=BUCKETS,
        epochs=EPOCHS,
        seed=0,
        workers=1,  # more would make the order of the updates random
    )
    model.build_vocab(sentences)
    if not len(model.wv):
        raise InputError("No word occurs twice in the texts. Give more text for the vectors.")
    model.train(sentences, total_examples=len(sentences), epochs=EPOCHS)
    return model.wv
