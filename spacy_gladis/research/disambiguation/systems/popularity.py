"""Choose the candidate that the dictionary has seen most often (GLADIS, Table 5)."""

from collections.abc import Collection, Iterable, Sequence

import numpy as np

from ....dictionary import Candidate
from ...datasets.sample import Sample
from .protocol import Floats, Scores


class Popularity:
    """Scores a candidate by its share of the counts of all candidates.

    `domains` restricts the counts to some source domains; None takes all.
    """

    def __init__(self, domains: Collection[str] | None = None) -> None:
        self.domains = domains

    def fit(self, samples: Iterable[Sample], development: Iterable[Sample] = ()) -> None:
        """Nothing to learn: the counts are the dictionary's."""

    def predict(
        self, samples: Sequence[Sample], candidates: Sequence[Sequence[Candidate]]
    ) -> Scores:
        """Shares of the counts; equal shares where nothing is counted."""
        return [self._shares(options) for options in candidates]

    def _shares(self, options: Sequence[Candidate]) -> Floats:
        counts = np.array([self._count(candidate) for candidate in options], dtype=np.float64)
        total = counts.sum()
        return counts / total if total else np.full(len(options), 1 / max(1, len(options)))

    def _count(self, candidate: Candidate) -> int:
        if self.domains is None:
            return candidate.total
        return sum(candidate.counts.get(domain, 0) for domain in self.domains)
