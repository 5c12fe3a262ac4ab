"""s.6: an approximate matcher in the manner of QuickUMLS (Soldaini and Goharian 2016)."""

import numpy as np

from ....arrays import Ints, Numbers
from .char_ngrams import CharNgrams

THRESHOLD = 0.7
"""QuickUMLS's own default."""


class ApproximateMatch(CharNgrams):
    """Ranks concepts by the Jaccard similarity of trigram sets; none below the threshold."""

    pool, binary = 200, True

    def __init__(self, threshold: float = THRESHOLD) -> None:
        self.threshold = threshold

    def score(self, phrase: str, numbers: Ints, similarities: Numbers) -> Numbers:
        """`similarities` are the numbers of common trigrams."""
        sizes = self.index.vectors.indptr[numbers + 1] - self.index.vectors.indptr[numbers]
        jaccard = similarities / (len(self.index.trigrams(phrase)) + sizes - similarities)
        return np.where(jaccard >= self.threshold, jaccard, -np.inf)
