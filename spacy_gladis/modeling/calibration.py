"""From scores to probabilities: a conditional logit with an alternative for "none of these"."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

FEATURES = (
    "cosine",
    "centroid",
    "unseen",
    "seen",
    "domain_prior",
    "count_prior",
    "initials",
    "attested",
    "overlap",
    "sources",
    "glossary",
    "common",
    "topic",
    "phrase",
    "folder",
)
BEST = ("cosine", "centroid", "overlap", "common", "glossary", "topic")
"""Evidence of which the most that any candidate has speaks against NIL, too."""

NIL_FEATURES = (
    *("nil", "nil_candidates", "nil_words", "nil_density"),
    *(f"nil_{name}" for name in BEST),
)
SIGNED = ("unseen", "seen", *NIL_FEATURES)
"""Features whose weight may be below zero; of all others more never speaks against a candidate."""

Floats = NDArray[np.float32]


def surroundings(candidates: int, words: int, mentions: int) -> Floats:
    """What speaks for NIL but for the candidates' own evidence, float32 [NIL_FEATURES].

    candidates: of the acronym. words, mentions: how many the document has.
    """
    found = np.zeros(len(NIL_FEATURES), np.float32)
    found[:4] = 1, np.log1p(candidates), np.log1p(words), mentions / (words + 1)
    return found


def best_evidence(features: Floats) -> Floats:
    """The most of each of BEST that any candidate has, float32 [BEST].

    features: [candidates, FEATURES] of one candidate at least.
    """
    best: Floats = features[:, [FEATURES.index(name) for name in BEST]].max(axis=0)
    return best


@dataclass(frozen=True)
class Calibration:
    """Weights of what speaks for a candidate, and the weight of none of them being right.

    cosine: of the retriever's scaled cosine.
    centroid: of the likeness to the contexts the long form was seen in; unseen: of its having been
    seen in none; seen: of log(1 + how many those were). domain_prior: of log(1 + count), the
    dictionary's counts mixed by the context's own domain. count_prior: of log(1 + count over all
    domains). initials: of the acronym's being spelt by the long form's initials; attested: of that,
    or of a count; overlap: of how many of its words the context has, see `wording.py`. sources: of
    log(1 + how many texts' sources give it); glossary: of log(1 + how many glossaries); common: of
    log(1 + count) in the common lists. topic: of its agreement with the document's topics, see
    `topics.py`. phrase: of how likely a phrase of the document is meant. folder: of how much the
    definitions of other documents beside this one say so.

    The logit of the alternative "not in the dictionary" is `nil`, plus `nil_candidates` times
    log(1 + candidates), `nil_words` times log(1 + words of the document) and `nil_density` times
    the share of mentions among these words: short and dense texts explain less by themselves. The
    others weigh the most of a piece of evidence that any candidate has: where even the best has
    little of it, the right one is probably missing.
    """

    cosine: float = 1.0
    centroid: float = 0.0
    unseen: float = 0.0
    seen: float = 0.0
    domain_prior: float = 0.3
    count_prior: float = 0.0
    initials: float = 0.0
    attested: float = 0.0
    overlap: float = 0.0
    sources: float = 0.0
    glossary: float = 0.0
    common: float = 0.0
    topic: float = 0.0
    phrase: float = 0.0
    folder: float = 6.0
    nil: float = 0.0
    nil_candidates: float = 0.0
    nil_words: float = 0.0
    nil_density: float = 0.0
    nil_cosine: float = 0.0
    nil_centroid: float = 0.0
    nil_overlap: float = 0.0
    nil_common: float = 0.0
    nil_glossary: float = 0.0
    nil_topic: float = 0.0

    def logits(self, features: Floats) -> Floats:
        """Logits [candidates] of features [candidates, FEATURES] in the order of FEATURES."""
        weights = np.array([getattr(self, name) for name in FEATURES], np.float32)
        return features @ weights

    def nil_logit(self, evidence: Floats) -> float:
        """The logit of NIL, from what speaks for it [NIL_FEATURES]."""
        weights = np.array([getattr(self, name) for name in NIL_FEATURES], np.float32)
        return float(evidence @ weights)

    def probabilities(self, logits: Floats, nil: float | None = None) -> Floats:
        """Probabilities [candidates]; what they lack to 1 is the probability of NIL.

        nil: the logit of NIL; None: its constant part alone.
        """
        nil = self.nil if nil is None else nil
        top = max(nil, float(logits.max(initial=nil)))
        weights = np.exp(logits - top)
        probabilities: Floats = weights / (weights.sum() + np.exp(nil - top))
        return probabilities
