"""BM25 (Robertson and Zaragoza 2009): the context is the query, long forms are the documents."""

from collections import defaultdict
from collections.abc import Iterable, Sequence

import numpy as np

from ....arrays import Doubles
from ....dictionary import Candidate
from ....errors import require
from ...datasets.sample import Sample
from .protocol import Baseline, Table, context_words, words


class BM25(Baseline):
    """A long form's document is its own words and those of its training contexts, if it has any.

    table: the long forms that are ranked; others score 0.
    """

    def __init__(self, table: Table) -> None:
        names = dict.fromkeys(one.long_form for options in table.values() for one in options)
        self._indices = {name: index for index, name in enumerate(names)}
        self._index = require("bm25s", "evaluation").BM25()

    def fit(self, samples: Iterable[Sample], development: Iterable[Sample] = ()) -> None:
        """Index the long forms with the contexts of the samples."""
        contexts: defaultdict[str, list[str]] = defaultdict(list)
        for sample in samples:
            contexts[sample.long_form] += context_words(sample)
        documents = [words(name) + contexts[name] for name in self._indices]
        self._index.index(documents, show_progress=False)

    def score(self, sample: Sample, options: Sequence[Candidate]) -> Doubles:
        """BM25 of each candidate's document; 0 where it shares no word with the context."""
        query = context_words(sample)
        known = self._index.get_scores(query) if query else np.zeros(len(self._indices))
        found = np.append(known, 0.0)
        indices = [self._indices.get(one.long_form, len(found) - 1) for one in options]
        return np.asarray(found[indices], dtype=np.float64)
