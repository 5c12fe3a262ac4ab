"""A BERT's next-sentence head: how well a long form and the context go together."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from ...datasets.sample import Sample
from .protocol import Baseline, Candidates, Scores

if TYPE_CHECKING:
    from ...training.next_sentence_bert import NextSentenceBERT


class NextSentenceScorer(Baseline):
    """`1 - d` of BERT's next-sentence head, the way of GLADIS section 4.3; no probabilities."""

    def __init__(self, model: "NextSentenceBERT") -> None:
        self.model = model

    @classmethod
    def load(cls, bert: str) -> "NextSentenceScorer":
        """bert: a folder, `acrobert.pt`, or a name on the Hugging Face hub.

        Raises InputError where there is no such BERT, FormatError for one without the head.
        """
        from ...training.next_sentence_bert import NextSentenceBERT
        from ...training.start import find_start

        return cls(NextSentenceBERT.load(find_start(bert)))

    def predict(self, samples: Sequence[Sample], candidates: Candidates) -> Scores:
        """The score of each sample's candidates, each read by itself in the context."""
        contexts = [sample.mention for sample in samples]
        names = [[candidate.long_form for candidate in options] for options in candidates]
        return [values.astype(np.float64) for values in self.model.score(contexts, names)]
