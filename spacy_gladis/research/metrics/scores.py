"""Scores of linking (COMETA, EMNLP 2020) and of target sense verification (WiC-TSV, EACL 2021)."""

from collections.abc import Collection, Hashable, Mapping, Sequence
from typing import Any

import numpy as np

from ...arrays import Doubles, Flags, Ints
from ...errors import InputError


def rates(scores: Mapping[str, Any]) -> dict[str, float]:
    """The scores that are shares, without what is counted."""
    return {name: value for name, value in scores.items() if isinstance(value, float)}


def score_linking(ranks: Sequence[int] | Ints) -> dict[str, float]:
    """Share of gold concepts that rank first, within the first ten; mean of 1 / rank; mentions.

    ranks: 1 is best, 0 means that it was not found. Raises InputError for none.
    """
    found: Doubles = np.asarray(ranks, dtype=np.float64)
    if len(found) == 0:
        raise InputError("There are no mentions to score: the set is empty.")
    reciprocal = np.divide(1.0, found, out=np.zeros_like(found), where=found > 0)
    return {
        "accuracy_at_1": float((found == 1).mean()),
        "accuracy_at_10": float(((found >= 1) & (found <= 10)).mean()),
        "mrr": float(reciprocal.mean()),
        "mentions": len(found),
    }


def gold_rank(ranking: Sequence[Hashable], gold: Collection[Hashable]) -> int:
    """The rank, from 1, of the first of the `gold` ids in `ranking` (best first); 0 when absent.

    A repeated id counts once, so that a concept with many names does not push others down.
    """
    places = enumerate(dict.fromkeys(ranking), 1)
    return next((place for place, one in places if one in gold), 0)


def score_verification(gold: Sequence[bool], predicted: Sequence[bool]) -> dict[str, float]:
    """Accuracy of yes-or-no answers; precision, recall and F1 of "yes", 0 when undefined; rows.

    Raises InputError for none.
    """
    if len(gold) == 0:
        raise InputError("There are no rows to score: the set is empty.")
    truth: Flags = np.asarray(gold, dtype=bool)
    answer: Flags = np.asarray(predicted, dtype=bool)
    right = int((truth & answer).sum())
    said, true = int(answer.sum()), int(truth.sum())
    return {
        "accuracy": float((truth == answer).mean()),
        "precision": right / said if said else 0.0,
        "recall": right / true if true else 0.0,
        "f1": 2 * right / (said + true) if said + true else 0.0,
        "rows": len(truth),
    }
