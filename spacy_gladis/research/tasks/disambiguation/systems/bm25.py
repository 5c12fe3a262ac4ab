"""BM25 over long forms, and over the contexts of labelled samples where there are any."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from .....arrays import Doubles
from .....dictionary import Candidate
from .....errors import require
from ....datasets.sample import Sample
from ..data import Training
from ..system import SYSTEMS, DisambiguationSystem
from ..words import context_words, words


@SYSTEMS.register(
    "bm25", "BM25 of the context and a long form with its training contexts.", "GLADIS, section 5.1"
)
@dataclass
class BM25(DisambiguationSystem):
    """A long form's document is its own words and those of its training contexts, if it has any."""

    def fit(self, training: Training) -> None:
        """Index the long forms with the contexts of the samples."""
        names = (one.long_form for options in training.table.values() for one in options)
        self._indices = {name: index for index, name in enumerate(dict.fromkeys(names))}
        contexts: defaultdict[str, list[str]] = defaultdict(list)
        for sample in training.train:
            contexts[sample.long_form] += context_words(sample)
        documents = [words(name) + contexts[name] for name in self._indices]
        self._index = require("bm25s", "evaluation").BM25()
        self._index.index(documents, show_progress=False)

    def score(self, sample: Sample, candidates: Sequence[Candidate]) -> Doubles:
        """BM25 of each candidate's document; 0 where it shares no word with the context."""
        query = context_words(sample)
        known = self._index.get_scores(query) if query else np.zeros(len(self._indices))
        found = np.append(known, 0.0)
        indices = [self._indices.get(one.long_form, len(found) - 1) for one in candidates]
        return np.asarray(found[indices], dtype=np.float64)
