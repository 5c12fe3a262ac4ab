"""From scores to probabilities: a conditional logit with an alternative for "none of these"."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

FEATURES = (
    "cosine",
    "correction",
    "sense",
    "unseen",
    "seen",
    "domain_prior",
    "count_prior",
    "initials",
    "attested",
    "echo",
    "sources",
    "glossary",
    "common",
    "field",
    "phrase",
)
NIL_FEATURES = ("nil", "nil_candidates", "nil_words", "nil_density")
SIGNED = ("unseen", "seen", *NIL_FEATURES)
"""Features whose weight may be below zero; of all others more never speaks against a candidate."""

Floats = NDArray[np.float32]


@dataclass(frozen=True)
class Calibration:
    """Weights of what speaks for a candidate, and the weight of none of them being right.

    cosine: of the retriever's scaled cosine. correction: of the cross-encoder's correction.
    sense: of the likeness to the contexts the long form was seen in; unseen: of its having been
    seen in none; seen: of log(1 + how many those were). domain_prior: of log(1 + count), the
    dictionary's counts mixed by the context's own domain. count_prior: of log(1 + count over all
    domains). initials: of the acronym's being spelt by the long form's initials; attested: of that,
    or of a count; echo: of how many of its words the context has, see `wording.py`. sources: of
    log(1 + how many texts' sources give it); glossary: of log(1 + how many glossaries); common: of
    log(1 + count) in the common lists. field: of its agreement with the document's fields, see
    `fields.py`. phrase: of how likely a phrase of the document is meant.

    The logit of the alternative "not in the dictionary" is `nil`, plus `nil_candidates` times
    log(1 + candidates), `nil_words` times log(1 + words of the document) and `nil_density` times
    the share of mentions among these words: short and dense texts explain less by themselves.
    """

    cosine: float = 1.0
    correction: float = 1.0
    sense: float = 0.0
    unseen: float = 0.0
    seen: float = 0.0
    domain_prior: float = 0.3
    count_prior: float = 0.0
    initials: float = 0.0
    attested: float = 0.0
    echo: float = 0.0
    sources: float = 0.0
    glossary: float = 0.0
    common: float = 0.0
    field: float = 0.0
    phrase: float = 0.0
    nil: float = 0.0
    nil_candidates: float = 0.0
    nil_words: float = 0.0
    nil_density: float = 0.0

    def logits(self, features: Floats) -> Floats:
        """Logits [candidates] of features [candidates, FEATURES] in the order of FEATURES."""
        weights = np.array([getattr(self, name) for name in FEATURES], np.float32)
        return features @ weights

    def nil_logit(self, candidates: int, words: int, mentions: int) -> float:
        """The logit of NIL for an acronym of so many candidates in a document of so many words."""
        return (
            self.nil
            + self.nil_candidates * float(np.log1p(candidates))
            + self.nil_words * float(np.log1p(words))
            + self.nil_density * mentions / (words + 1)
        )

    def probabilities(self, logits: Floats, nil: float | None = None) -> Floats:
        """Probabilities [candidates]; what they lack to 1 is the probability of NIL.

        nil: the logit of NIL; None: its constant part alone.
        """
        nil = self.nil if nil is None else nil
        top = max(nil, float(logits.max(initial=nil)))
        weights = np.exp(logits - top)
        shares: Floats = weights / (weights.sum() + np.exp(nil - top))
        return shares


def fit_calibration(
    questions: Sequence[Floats],
    answers: Sequence[Sequence[int]],
    start: Calibration | None = None,
    fitted: Collection[str] = (*FEATURES, "nil"),
) -> Calibration:
    """Maximise the likelihood of held-out answers.

    questions: features [candidates, FEATURES] of each question. answers: rows of the candidates
    that spell the right meaning, none where the dictionary does not have it. fitted: the weights to
    change; the others stay as in `start`. Weights are held at or above zero, those of SIGNED apart.
    """
    import torch

    start = start or Calibration()
    width = max(len(features) for features in questions)
    padded = np.zeros((len(questions), width, len(FEATURES)), dtype=np.float32)
    there = np.zeros((len(questions), width + 1), dtype=bool)
    there[:, width] = True
    right = np.zeros_like(there)
    for row, (features, places) in enumerate(zip(questions, answers, strict=True)):
        padded[row, : len(features)] = features
        there[row, : len(features)] = True
        right[row, list(places) or [width]] = True
    values, mask, target = (torch.from_numpy(array) for array in (padded, there, right))
    names = (*FEATURES, "nil")
    # Bounded weights are squares: smooth, and never stuck at the bound as a clamp would be.
    signed = torch.tensor([name in (*SIGNED, "nil") for name in names])
    free = torch.tensor([name in fitted for name in names])
    initial = torch.tensor([float(getattr(start, name)) for name in names])
    roots = torch.where(signed, initial, initial.clamp(min=0.05).sqrt()).requires_grad_()
    optimizer = torch.optim.LBFGS([roots], max_iter=200, line_search_fn="strong_wolfe")

    def current() -> torch.Tensor:
        return torch.where(free, torch.where(signed, roots, roots**2), initial)

    def loss() -> torch.Tensor:
        optimizer.zero_grad()
        *_, nil = now = current()
        logits = torch.cat([values @ now[:-1], nil.expand(len(values), 1)], 1)
        shares = torch.log_softmax(logits.masked_fill(~mask, -1e9), 1)
        value = -torch.logsumexp(shares.masked_fill(~target, -1e9), 1).mean()
        value.backward()
        return value

    optimizer.step(loss)
    found = [round(value, 4) for value in current().tolist()]
    return replace(start, **dict(zip(names, found, strict=True)))


def sharpen(
    questions: Sequence[Floats], answers: Sequence[Sequence[int]], calibration: Calibration
) -> Calibration:
    """Fit the temperature and the weight of NIL alone; takes what `fit_calibration` takes.

    The order in which a calibration puts the candidates stays as it is.
    """
    columns = []
    for features in questions:
        alone = np.zeros_like(features)
        alone[:, FEATURES.index("cosine")] = calibration.logits(features)
        columns.append(alone)
    found = fit_calibration(columns, answers, Calibration(), ("cosine", "nil"))
    weights = {n: round(getattr(calibration, n) * found.cosine, 4) for n in FEATURES}
    return Calibration(**weights, nil=found.nil)
