"""The systems `combined` and `finetuned`: AcroBERT and BM25 with fitted weights."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from scipy.special import softmax

from .....arrays import Doubles
from .....dictionary import Dictionary
from .....errors import InputError
from .....linking import Linker
from .....linking.acrobert import AcroBERT
from .....linking.model_folder import find_weights
from ....datasets.sample import write_samples
from ....training.centroids import build_centroids
from ....training.finetune import FinetuneSettings, finetune
from ....training.logit import fit_logit
from ....training.start import find_start
from ...options import Base, Model
from ..data import Question, Training
from ..system import SYSTEMS, DisambiguationSystem
from ..words import context_words
from .acrobert import as_mentions
from .bm25 import BM25

RIDGE = 0.003
"""Penalty on the squares of the weights. The features are scaled to standard deviation 1."""


def fit_weights(questions: Sequence[Doubles], answers: Sequence[int | None]) -> Doubles:
    """Fit the weights of features so that the right candidates become as likely as possible.

    The probabilities are a softmax of the weighted sums of the features. A penalty keeps the
    weights small.

    Args:
        questions: Features of the candidates of each question, float64 [candidates, features].
        answers: Index of the right candidate of each question. None if the right long form is not
            among the candidates. Such questions are not used.

    Returns:
        Weights of the features, float64 [features].

    Raises:
        InputError: If no question has a right candidate.
    """
    pairs = zip(questions, answers, strict=True)
    answered = [(rows, [answer]) for rows, answer in pairs if answer is not None]
    if not answered:
        raise InputError(
            "The weights of the features are fitted on development samples, but this data set has "
            "none whose long form is among the candidates."
        )
    tables, right = zip(*answered, strict=True)
    spread = np.concatenate(tables).std(0).clip(min=1e-6)
    weights = fit_logit([rows / spread for rows in tables], right, penalty=RIDGE)
    return np.asarray(weights / spread)


@SYSTEMS.register("combined", "AcroBERT's evidence and BM25, weighted on development data.", "ours")
@dataclass
class Combined(DisambiguationSystem):
    """Scores candidates by a weighted sum of AcroBERT's features and BM25.

    AcroBERT scores the meaning of a long form. BM25 scores the words that occurred around it in the
    training samples. The weights are fitted on the development samples. AcroBERT itself is not
    trained, so that fitting takes seconds instead of minutes.

    Attributes:
        model: Folder with AcroBERT's weights. None for the packaged weights.
    """

    model: Model = None

    def fit(self, training: Training) -> None:
        """Index the training samples, and fit the feature weights on the development samples.

        Args:
            training: Labelled training and development samples, with the candidates of their
                acronyms.

        Raises:
            InputError: If no development sample has a long form that is a candidate.
        """
        self.learn(AcroBERT.load(self.model), training)

    def learn(self, model: AcroBERT, training: Training) -> None:
        """Fit the system with an AcroBERT model that is already loaded.

        `Finetuned` calls this method with its fine-tuned model.

        Args:
            model: AcroBERT model that computes the features.
            training: Labelled training and development samples, with the candidates of their
                acronyms.

        Raises:
            InputError: If no development sample has a long form that is a candidate.
        """
        self._bm25 = BM25()
        self._bm25.fit(training)
        self._acrobert = Linker(model, Dictionary.open(None), ranking="retriever")
        questions = [Question(row, training.table.get(row.acronym, ())) for row in training.dev]
        answers = [
            next((row for row, c in enumerate(options) if c.long_form == gold.long_form), None)
            for gold, options in questions
        ]
        self._weights = fit_weights(self._features(questions), answers)

    def predict(self, questions: Sequence[Question]) -> Sequence[Doubles]:
        """Compute the probabilities of the candidate long forms of each mention.

        Args:
            questions: Mentions of acronyms, each with its candidate long forms.

        Returns:
            The probabilities for each mention, float64 [candidates], in the order of the questions.
            They are a softmax of the weighted sums, so that their sum is 1.
        """
        logits = (rows @ self._weights for rows in self._features(questions))
        return [softmax(row) if len(row) else row for row in logits]

    def _features(self, questions: Sequence[Question]) -> list[Doubles]:
        """Compute AcroBERT's features and the BM25 feature, [candidates, FEATURES + 1]."""
        samples = [question.sample for question in questions]
        options = [question.candidates for question in questions]
        ours, _ = self._acrobert.compute_features(as_mentions(samples), options)
        lexical = self._bm25.predict(questions)
        # BM25 is a sum over the context's words, so its spread grows with the root of their number.
        roots = [max(1, len(set(context_words(sample)))) ** 0.5 for sample in samples]
        return [
            np.column_stack([rows, scores / root]).astype(np.float64)
            for rows, scores, root in zip(ours, lexical, roots, strict=True)
        ]


ALL = 10**6
"""Maximum number of contexts in the centroid of a long form. It is so large that all contexts are
used."""


@SYSTEMS.register("finetuned", "AcroBERT fine-tuned on the data set, combined with BM25.", "ours")
@dataclass
class Finetuned(DisambiguationSystem):
    """Scores candidates by a fine-tuned AcroBERT combined with BM25.

    AcroBERT is fine-tuned on the training samples as by the command `train finetune`. It also gets
    a centroid of the training contexts of each long form. As in `Combined`, the weights of the
    features are fitted on the development samples.

    Attributes:
        model: Folder with AcroBERT's weights to start from. None for the packaged weights.
        base: Other encoder to start from, such as a BERT or MPNet checkpoint. None to start from
            AcroBERT.
        learning_rate: Peak learning rate.
        epochs: Number of passes over the training samples.
        seed: Random seed of the fine-tuning and of the centroids.
    """

    model: Model = None
    base: Base = None
    learning_rate: float = 5e-5
    epochs: int = 1
    seed: int = 0

    def fit(self, training: Training) -> None:
        """Fine-tune AcroBERT on the training samples, then fit the weights of the features.

        Args:
            training: Labelled training and development samples, with the candidates of their
                acronyms.

        Raises:
            InputError: If there are no training samples, or if no development sample has a long
                form that is a candidate.
        """
        rows = training.labelled()
        entries = {
            name: [candidate.long_form for candidate in options]
            for name, options in training.table.items()
        }
        settings = FinetuneSettings((self.learning_rate,), self.epochs, seed=self.seed)
        with TemporaryDirectory(prefix="spacy-gladis-") as folder:
            train, dev, table = (
                Path(folder) / f"{name}.json" for name in ("train", "dev", "table")
            )
            write_samples(train, rows)
            write_samples(dev, training.dev)
            table.write_text(json.dumps(entries), "utf8")
            run, model = Path(folder) / "run", find_weights(self.model)
            if self.base:
                model = Path(folder) / "start"
                AcroBERT.load(find_start(self.base)).save(model)
            finetune(model, train, dev, Dictionary.open(table), run, settings)
            tuned = AcroBERT.load(run / "model")
        tuned.centroids = build_centroids(tuned, list(rows), each=ALL, seed=self.seed)
        self._combined = Combined()
        self._combined.learn(tuned, training)

    def predict(self, questions: Sequence[Question]) -> Sequence[Doubles]:
        """Compute the probabilities of the candidate long forms of each mention.

        Args:
            questions: Mentions of acronyms, each with its candidate long forms.

        Returns:
            The probabilities for each mention, float64 [candidates], in the order of the questions.
            They are a softmax of the weighted sums, so that their sum is 1.
        """
        return self._combined.predict(questions)
