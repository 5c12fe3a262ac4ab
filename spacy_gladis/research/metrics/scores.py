"""Scores of linking (COMETA, EMNLP 2020) and of target sense verification (WiC-TSV, EACL 2021)."""

from collections.abc import Collection, Hashable, Sequence
from dataclasses import dataclass

import numpy as np

from ...arrays import Doubles, Flags
from ...errors import InputError


@dataclass(frozen=True)
class LinkingScores:
    """Share of mentions whose concept ranks first, within the first ten; mean of 1 / rank."""

    accuracy_at_1: float
    accuracy_at_10: float
    mrr: float
    mentions: int


def score_linking(ranks: Sequence[int]) -> LinkingScores:
    """The scores of the gold concepts' ranks: 1 is best, 0 means that it was not found.

    Raises InputError for no mention or a negative rank.
    """
    found: Doubles = np.asarray(ranks, dtype=np.float64)
    if len(found) == 0:
        raise InputError("There are no mentions to score: the set is empty.")
    if (found < 0).any():
        raise InputError("A rank is negative: ranks begin at 1, and 0 is 'not found'.")
    reciprocal = np.divide(1.0, found, out=np.zeros_like(found), where=found > 0)
    return LinkingScores(
        accuracy_at_1=float((found == 1).mean()),
        accuracy_at_10=float(((found >= 1) & (found <= 10)).mean()),
        mrr=float(reciprocal.mean()),
        mentions=len(found),
    )


def gold_rank(ranking: Sequence[Hashable], gold: Collection[Hashable]) -> int:
    """The rank, from 1, of the first of the `gold` ids in `ranking` (best first); 0 when absent.

    A repeated id counts once, so that a concept with many names does not push others down.
    """
    seen: set[Hashable] = set()
    for one in ranking:
        if one in gold:
            return len(seen) + 1
        seen.add(one)
    return 0


@dataclass(frozen=True)
class VerificationScores:
    """Accuracy of both answers; precision, recall and F1 of "true", each 0 when undefined."""

    accuracy: float
    precision: float
    recall: float
    f1: float
    rows: int


def score_verification(gold: Sequence[bool], predicted: Sequence[bool]) -> VerificationScores:
    """Score yes-or-no answers; raises InputError for unequal lengths or nothing to score."""
    if len(gold) != len(predicted):
        raise InputError(f"{len(gold)} gold answers against {len(predicted)} predictions.")
    if len(gold) == 0:
        raise InputError("There are no rows to score: the set is empty.")
    truth: Flags = np.asarray(gold, dtype=bool)
    answer: Flags = np.asarray(predicted, dtype=bool)
    right = int((truth & answer).sum())
    said, true = int(answer.sum()), int(truth.sum())
    return VerificationScores(
        accuracy=float((truth == answer).mean()),
        precision=right / said if said else 0.0,
        recall=right / true if true else 0.0,
        f1=2 * right / (said + true) if said + true else 0.0,
        rows=len(truth),
    )
