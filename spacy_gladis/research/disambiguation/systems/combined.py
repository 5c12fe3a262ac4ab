"""AcroBERT's evidence and BM25's, weighed together on labelled samples."""

from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np
from scipy.special import softmax

from ....arrays import Doubles
from ....dictionary import Dictionary
from ....errors import InputError
from ....modeling import AcroBERT, Disambiguator
from ...datasets.sample import Sample
from ...training.logit import fit_logit
from .acrobert import as_mentions
from .bm25 import BM25
from .protocol import Baseline, Candidates, Scores, Table, context_words

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
