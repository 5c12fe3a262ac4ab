"""AcroBERT as it is, with BM25 beside it, and fine-tuned."""

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from scipy.special import softmax

from ....arrays import Doubles
from ....dictionary import Dictionary
from ....errors import InputError
from ....linking import Disambiguator
from ....linking.acrobert import PACKAGED, AcroBERT
from ....linking.calibration import surroundings
from ....text import Mention
from ...datasets.sample import Sample, write_samples
from ...training.centroids import build_centroids
from ...training.finetune import FinetuneSettings, finetune
from ...training.logit import fit_logit
from ...training.start import find_start
from .counting import BM25
from .protocol import Baseline, Candidates, Scores, Table, context_words


class AcroBERTScorer(Baseline):
    """AcroBERT's calibrated probabilities, each sample by its own context alone."""

    def __init__(self, disambiguator: Disambiguator) -> None:
        self.disambiguator = disambiguator

    @classmethod
    def load(
        cls, model: Path | None, dictionary: Dictionary | None = None, cache: Path | None = None
    ) -> "AcroBERTScorer":
        """With the weights of a folder and a dictionary (None: the packaged ones)."""
        known = dictionary or Dictionary.open(None)
        return cls(Disambiguator(AcroBERT.load(model), known, cache=cache))

    def predict(self, samples: Sequence[Sample], candidates: Candidates) -> Scores:
        """The probabilities of each sample's candidates; what they lack to 1 is "none of these"."""
        calibration = self.disambiguator.model.settings.weights_of_given
        mentions = as_mentions(samples)
        scores = []
        weighed = self.disambiguator.logits(mentions, candidates)
        for mention, logits in zip(mentions, weighed, strict=True):
            alone = surroundings(len(logits), len(mention.text.split()), 1)
            probabilities = calibration.probabilities(logits, calibration.nil_logit(alone))
            scores.append(np.asarray(probabilities, dtype=np.float64))
        return scores


def as_mentions(samples: Sequence[Sample]) -> list[Mention]:
    """The samples as AcroBERT is asked about them, each a document of its own."""
    return [sample.mention._replace(document=number) for number, sample in enumerate(samples)]


RIDGE = 0.003
"""Of the squared weights, of evidence in units of its deviation."""


def fit_weights(questions: Sequence[Doubles], answers: Sequence[int | None]) -> Doubles:
    """The weights [columns] under which the right candidates are likeliest.

    questions: evidence [candidates, columns] of each question. answers: the right one's row, None
    where it is not among the candidates: such a question teaches nothing. Raises InputError when no
    question has an answer.
    """
    pairs = zip(questions, answers, strict=True)
    asked = [(rows, [answer]) for rows, answer in pairs if answer is not None]
    if not asked:
        raise InputError(
            "Evidence is weighed on development samples that have their answer: give some."
        )
    tables, right = zip(*asked, strict=True)
    spread = np.concatenate(tables).std(0).clip(min=1e-6)
    weights = fit_logit([rows / spread for rows in tables], right, penalty=RIDGE)
    return np.asarray(weights / spread)


class Combined(Baseline):
    """AcroBERT knows what a long form means, BM25 which words stood around it in training.

    No weight of AcroBERT's is trained. BM25 indexes the training samples, and how much each piece
    of evidence weighs is fitted on the development samples: seconds, where fine-tuning takes
    minutes. table: candidates of each acronym.
    """

    def __init__(self, table: Table, model: AcroBERT) -> None:
        self.table = table
        self._bm25 = BM25(table)
        self._acrobert = Disambiguator(model, Dictionary.open(None), ranking="retriever")

    @classmethod
    def load(cls, table: Table, model: Path | None = None) -> "Combined":
        """With the weights of a folder; None: the packaged ones."""
        return cls(table, AcroBERT.load(model))

    def fit(self, samples: Iterable[Sample], development: Iterable[Sample] = ()) -> None:
        """Index the samples and weigh on the development ones; InputError without those."""
        self._bm25.fit(samples)
        held_out = list(development)
        options = [self.table.get(sample.acronym, ()) for sample in held_out]
        answers = [
            next((row for row, one in enumerate(found) if one.long_form == sample.long_form), None)
            for sample, found in zip(held_out, options, strict=True)
        ]
        self._weights = fit_weights(self._evidence(held_out, options), answers)

    def predict(self, samples: Sequence[Sample], candidates: Candidates) -> Scores:
        """Probabilities of each sample's candidates, which sum to 1."""
        logits = (rows @ self._weights for rows in self._evidence(samples, candidates))
        return [softmax(one) if len(one) else one for one in logits]

    def _evidence(self, samples: Sequence[Sample], candidates: Candidates) -> list[Doubles]:
        """What speaks for each candidate, [candidates, FEATURES + 1]: AcroBERT's, then BM25's."""
        ours = self._acrobert.features(as_mentions(samples), candidates)
        lexical = self._bm25.predict(samples, candidates)
        # BM25 is a sum over the context's words: its spread grows with the root of their number.
        roots = [max(1, len(set(context_words(sample)))) ** 0.5 for sample in samples]
        return [
            np.column_stack([rows, scores / root]).astype(np.float64)
            for rows, scores, root in zip(ours, lexical, roots, strict=True)
        ]


ALL = 10**6
"""Contexts in a long form's centroid: these were labelled, none is left out."""

LEARNING_RATE, EPOCHS = 5e-5, 1


class FinetunedAcroBERT(Baseline):
    """What `train finetune` makes of AcroBERT, with context centroids of the training samples.

    How much each piece of evidence weighs, BM25's among it, is fitted on the development samples.
    table: candidates of each acronym, of which the wrong ones are what training tells the right one
    from. model: AcroBERT's folder, None for the packaged one. bert: another encoder to start from,
    BERT or MPNet, as `find_start` takes it.
    """

    def __init__(
        self, table: Table, model: Path | None = None, bert: str | None = None, seed: int = 0
    ) -> None:
        self.table, self.model, self.seed = table, model or PACKAGED, seed
        self.encoder = find_start(bert) if bert else None

    def fit(self, samples: Iterable[Sample], development: Iterable[Sample] = ()) -> None:
        """Fine-tune. Raises InputError without samples of either kind."""
        rows, held_out = list(samples), list(development)
        entries = {name: [one.long_form for one in found] for name, found in self.table.items()}
        if not rows or not held_out:
            raise InputError("Fine-tuning learns from labelled samples, and chooses on others.")
        settings = FinetuneSettings((LEARNING_RATE,), EPOCHS, seed=self.seed)
        with TemporaryDirectory(prefix="spacy-gladis-") as folder:
            train, dev, table = (Path(folder) / f"{one}.json" for one in ("train", "dev", "table"))
            write_samples(train, rows)
            write_samples(dev, held_out)
            table.write_text(json.dumps(entries), "utf8")
            run, model = Path(folder) / "run", self.model
            if self.encoder:
                model = Path(folder) / "start"
                AcroBERT.load(self.encoder).save(model)
            finetune(model, train, dev, Dictionary.open(table), run, settings)
            tuned = AcroBERT.load(run / "model")
        tuned.centroids = build_centroids(tuned, rows, each=ALL, seed=self.seed)
        self._combined = Combined(self.table, tuned)
        self._combined.fit(rows, held_out)

    def predict(self, samples: Sequence[Sample], candidates: Candidates) -> Scores:
        """Probabilities of each sample's candidates, which sum to 1."""
        return self._combined.predict(samples, candidates)
