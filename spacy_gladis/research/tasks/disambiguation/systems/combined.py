"""AcroBERT with BM25 beside it, and AcroBERT fine-tuned first."""

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
from .....linking.acrobert import PACKAGED, AcroBERT
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
"""Of the squared weights, of evidence in units of its deviation."""


def fit_weights(questions: Sequence[Doubles], answers: Sequence[int | None]) -> Doubles:
    """Fit the weights [columns] under which the right candidates are likeliest.

    Args:
        questions: The evidence [candidates, columns] of each question.
        answers: The right candidate's row; None where it is not among the candidates: such a
            question teaches nothing.

    Raises:
        InputError: If no question has an answer.
    """
    pairs = zip(questions, answers, strict=True)
    asked = [(rows, [answer]) for rows, answer in pairs if answer is not None]
    if not asked:
        raise InputError("Evidence is weighed on development samples, and this set gives none.")
    tables, right = zip(*asked, strict=True)
    spread = np.concatenate(tables).std(0).clip(min=1e-6)
    weights = fit_logit([rows / spread for rows in tables], right, penalty=RIDGE)
    return np.asarray(weights / spread)


@SYSTEMS.register(
    "combined", "AcroBERT's evidence and BM25's, weighed on development data.", "ours"
)
@dataclass
class Combined(DisambiguationSystem):
    """AcroBERT knows what a long form means, BM25 which words stood around it in training.

    No weight of AcroBERT's is trained. How much each piece of evidence weighs is fitted on the
    development samples: seconds, where fine-tuning takes minutes.

    Attributes:
        model: A folder of AcroBERT's weights; None for the packaged ones.
    """

    model: Model = None

    def fit(self, training: Training) -> None:
        """Index the training samples, and weigh the evidence on the development samples."""
        self.learn(AcroBERT.load(self.model), training)

    def learn(self, model: AcroBERT, training: Training) -> None:
        """Learn as `fit` does, with this AcroBERT."""
        self._bm25 = BM25()
        self._bm25.fit(training)
        self._acrobert = Linker(model, Dictionary.open(None), ranking="retriever")
        questions = [Question(one, training.table.get(one.acronym, ())) for one in training.dev]
        answers = [
            next((row for row, one in enumerate(options) if one.long_form == gold.long_form), None)
            for gold, options in questions
        ]
        self._weights = fit_weights(self._evidence(questions), answers)

    def predict(self, questions: Sequence[Question]) -> Sequence[Doubles]:
        """Probabilities of each question's candidates, which sum to 1."""
        logits = (rows @ self._weights for rows in self._evidence(questions))
        return [softmax(one) if len(one) else one for one in logits]

    def _evidence(self, questions: Sequence[Question]) -> list[Doubles]:
        """What speaks for each candidate, [candidates, FEATURES + 1]: AcroBERT's, then BM25's."""
        samples = [one.sample for one in questions]
        options = [one.candidates for one in questions]
        ours, _ = self._acrobert.compute_features(as_mentions(samples), options)
        lexical = self._bm25.predict(questions)
        # BM25 is a sum over the context's words: its spread grows with the root of their number.
        roots = [max(1, len(set(context_words(sample)))) ** 0.5 for sample in samples]
        return [
            np.column_stack([rows, scores / root]).astype(np.float64)
            for rows, scores, root in zip(ours, lexical, roots, strict=True)
        ]


ALL = 10**6
"""Contexts in a long form's centroid: these were labelled, none is left out."""


@SYSTEMS.register("finetuned", "AcroBERT fine-tuned on the set, with BM25 beside it.", "ours")
@dataclass
class Finetuned(DisambiguationSystem):
    """What `train finetune` makes of AcroBERT, with context centroids of the training samples.

    How much each piece of evidence weighs, BM25's among it, is fitted on the development samples.

    Attributes:
        model: A folder of AcroBERT's weights; None for the packaged ones.
        base: Another encoder to start from, BERT or MPNet.
        learning_rate: Peak learning rate.
        epochs: Passes over the training samples.
        seed: Of the fine-tuning and of the centroids.
    """

    model: Model = None
    base: Base = None
    learning_rate: float = 5e-5
    epochs: int = 1
    seed: int = 0

    def fit(self, training: Training) -> None:
        """Fine-tune, then weigh the evidence."""
        rows = training.labelled()
        entries = {name: [one.long_form for one in found] for name, found in training.table.items()}
        settings = FinetuneSettings((self.learning_rate,), self.epochs, seed=self.seed)
        with TemporaryDirectory(prefix="spacy-gladis-") as folder:
            train, dev, table = (Path(folder) / f"{one}.json" for one in ("train", "dev", "table"))
            write_samples(train, rows)
            write_samples(dev, training.dev)
            table.write_text(json.dumps(entries), "utf8")
            run, model = Path(folder) / "run", self.model or PACKAGED
            if self.base:
                model = Path(folder) / "start"
                AcroBERT.load(find_start(self.base)).save(model)
            finetune(model, train, dev, Dictionary.open(table), run, settings)
            tuned = AcroBERT.load(run / "model")
        tuned.centroids = build_centroids(tuned, list(rows), each=ALL, seed=self.seed)
        self._combined = Combined()
        self._combined.learn(tuned, training)

    def predict(self, questions: Sequence[Question]) -> Sequence[Doubles]:
        """Probabilities of each question's candidates, which sum to 1."""
        return self._combined.predict(questions)
