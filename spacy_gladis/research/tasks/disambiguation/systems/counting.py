"""Baselines that ignore the context: the first, most popular or most frequent candidate."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from .....arrays import Doubles
from .....dictionary import Candidate
from ....datasets.sample import Sample
from ..data import Training
from ..sets import recount
from ..system import SYSTEMS, DisambiguationSystem


@SYSTEMS.register("first", "The first candidate of the dictionary.", "baseline")
@dataclass
class FirstCandidate(DisambiguationSystem):
    """Baseline that always chooses the first candidate.

    Its scores show how good the order of the dictionary's candidates is.
    """

    def score(self, sample: Sample, candidates: Sequence[Candidate]) -> Doubles:
        """Return the score 1 for the first candidate and 0 for all others.

        Args:
            sample: Not used, because the context does not matter.
            candidates: Candidate long forms of the acronym.

        Returns:
            The scores, float64 [candidates].
        """
        return np.eye(1, len(candidates), dtype=np.float64).ravel()


@SYSTEMS.register("popularity", "The candidate with the largest count.", "baseline")
@dataclass
class Popularity(DisambiguationSystem):
    """Baseline that chooses the candidate with the largest count in the data set's candidates.

    A candidate's score is its share of the sum of all candidates' counts.
    """

    def score(self, sample: Sample, candidates: Sequence[Candidate]) -> Doubles:
        """Compute each candidate's share of the sum of all candidates' counts.

        Args:
            sample: Not used, because the context does not matter.
            candidates: Candidate long forms of the acronym, with their counts.

        Returns:
            The shares, float64 [candidates], which sum to 1. If all counts are 0, all shares are
            equal.
        """
        counts = np.array([candidate.total for candidate in candidates], dtype=np.float64)
        total = counts.sum()
        return counts / total if total else np.full(len(candidates), 1 / len(candidates))


@SYSTEMS.register(
    "popularity-ours", "The candidate with the largest count in our dictionary.", "GLADIS, A.3"
)
@dataclass
class PopularityOurs(Popularity):
    """Baseline that chooses the candidate with the largest count in a dictionary (GLADIS, A.3).

    The candidates are those of the data set. Their counts are always those of the dictionary, even
    if the data set has its own counts.

    The paper's counts are numbers of mined definitions. The packaged dictionary's counts are sums
    that also include counts of glossaries and concept names, and counts that stand for the grades
    of common acronyms.
    """

    def fit(self, training: Training) -> None:
        """Look up the counts of all candidates in the dictionary.

        Args:
            training: Training data, of which the candidates and the dictionary are used.
        """
        lookup = training.dictionary.lookup
        self._table = {
            name: recount(options, lookup(name)) for name, options in training.table.items()
        }

    def score(self, sample: Sample, candidates: Sequence[Candidate]) -> Doubles:
        """Compute each candidate's share of the sum of the dictionary's counts.

        Args:
            sample: The mention, of which only the acronym matters.
            candidates: Candidate long forms of the acronym. Their own counts are used only if the
                acronym was not among the candidates passed to `fit`.

        Returns:
            The shares, float64 [candidates], which sum to 1. If all counts are 0, all shares are
            equal.
        """
        return super().score(sample, self._table.get(sample.acronym, candidates))


@SYSTEMS.register(
    "most-frequent", "The acronym's most frequent meaning in training.", "SciAI/SciAD, section 4"
)
@dataclass
class MostFrequent(DisambiguationSystem):
    """Baseline that chooses the long form that the acronym has in most training samples.

    This is the baseline of the SDU shared tasks. If an acronym has no training samples, all scores
    are 0, and the first candidate is chosen.
    """

    def fit(self, training: Training) -> None:
        """Count how often each acronym has each long form in the training samples.

        Args:
            training: Training data, of which the labelled training samples are used.

        Raises:
            InputError: If there are no labelled samples.
        """
        self._counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
        for sample in training.labelled():
            self._counts[sample.acronym][sample.long_form] += 1

    def score(self, sample: Sample, candidates: Sequence[Candidate]) -> Doubles:
        """Compute each candidate's share of the acronym's training samples.

        Args:
            sample: The mention, of which only the acronym matters.
            candidates: Candidate long forms of the acronym.

        Returns:
            The shares, 0..1, float64 [candidates]. All of them are 0 if the acronym has no training
            samples.
        """
        seen = self._counts.get(sample.acronym, Counter())
        counts = np.array([seen[candidate.long_form] for candidate in candidates], dtype=np.float64)
        return counts / max(1, seen.total())
