"""Systems that count: first candidate, popularity, most frequent meaning, BM25."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

import numpy as np

from ....arrays import Doubles
from ....dictionary import Candidate
from ....errors import require
from ...datasets.sample import Sample
from .protocol import Baseline, Table, context_words, words


class FirstCandidate(Baseline):
    """The baseline for every other system: what the order of the dictionary alone is worth."""

    def score(self, sample: Sample, options: Sequence[Candidate]) -> Doubles:
        """1 for the first candidate, 0 for the others."""
        return np.eye(1, len(options), dtype=np.float64).ravel()


class Popularity(Baseline):
    """A candidate's share of the dictionary's counts of all candidates (GLADIS, Table 5)."""

    def score(self, sample: Sample, options: Sequence[Candidate]) -> Doubles:
        """Shares of the counts; equal shares where nothing is counted."""
        counts = np.array([candidate.total for candidate in options], dtype=np.float64)
        total = counts.sum()
        return counts / total if total else np.full(len(options), 1 / max(1, len(options)))


class MostFrequent(Baseline):
    """A candidate's share of the acronym's training samples (the SDU shared tasks' baseline).

    An acronym that was not seen in training gets its first candidate: all shares are zero.
    """

    def __init__(self) -> None:
        self._counts: defaultdict[str, Counter[str]] = defaultdict(Counter)

    def fit(self, samples: Iterable[Sample], development: Iterable[Sample] = ()) -> None:
        """Count the long forms of each acronym; adds to what was counted before."""
        for sample in samples:
            self._counts[sample.acronym][sample.long_form] += 1

    def score(self, sample: Sample, options: Sequence[Candidate]) -> Doubles:
        seen = self._counts.get(sample.acronym, Counter())
        counts = np.array([seen[candidate.long_form] for candidate in options], dtype=np.float64)
        return counts / max(1, seen.total())


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
