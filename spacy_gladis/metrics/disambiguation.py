"""Disambiguation: the three macro F1 scores that the literature calls by one name, side by side.

They differ on the same predictions by tens of points, so each field says whose score it is:

- GLADIS (Chen et al. 2023): mean of class F1 over the gold classes.
- SDU (Veyseh et al. 2021, 2022): harmonic mean of mean precision and mean recall over the gold
  classes, where a class that is never predicted has precision 1.
- scikit-learn: mean of class F1 over the gold and the predicted classes.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..arrays import Ints
from ..errors import InputError
from .identification import with_f1


@dataclass(frozen=True)
class DisambiguationScores:
    """Every score of one set of answers; all lie in 0..1 except the two counts."""

    accuracy: float
    gladis_macro_f1: float
    sdu_macro_precision: float
    sdu_macro_recall: float
    sdu_macro_f1: float
    sklearn_macro_f1: float
    rows: int
    gold_classes: int


@dataclass(frozen=True)
class ClassCodes:
    """Gold and predicted classes as integers: gold classes first, -1 for "no answer"."""

    gold: Ints
    predicted: Ints
    classes: int


def encode_classes(gold: Sequence[Hashable], predicted: Sequence[Hashable | None]) -> ClassCodes:
    """Number the classes of `gold` and `predicted` in order of appearance.

    Raises InputError when the lengths differ or there is nothing to score.
    """
    if len(gold) != len(predicted):
        raise InputError(
            f"{len(gold)} gold long forms against {len(predicted)} predictions: "
            "give one prediction for each row (None for no answer)."
        )
    if len(gold) == 0:
        raise InputError("There are no rows to score: the set is empty.")
    code: dict[Any, int] = {}
    gold_codes = np.array([code.setdefault(one, len(code)) for one in gold], dtype=np.int64)
    predicted_codes = np.array(
        [-1 if one is None else code.setdefault(one, len(code)) for one in predicted],
        dtype=np.int64,
    )
    return ClassCodes(gold_codes, predicted_codes, len(code))


def score_classes(codes: ClassCodes, rows: Ints | None = None) -> DisambiguationScores:
    """The scores of all rows, or of `rows` (indices, repeats allowed: a bootstrap resample)."""
    gold = codes.gold if rows is None else codes.gold[rows]
    predicted = codes.predicted if rows is None else codes.predicted[rows]
    right = gold == predicted
    gold_counts = np.bincount(gold, minlength=codes.classes)
    predicted_counts = np.bincount(predicted[predicted >= 0], minlength=codes.classes)
    right_counts = np.bincount(gold[right], minlength=codes.classes)

    in_gold = gold_counts > 0
    gold_counts, in_both = gold_counts[in_gold], int(((predicted_counts > 0) | in_gold).sum())
    predicted_counts, right_counts = predicted_counts[in_gold], right_counts[in_gold]
    f1 = 2 * right_counts / (gold_counts + predicted_counts)
    precision = np.where(predicted_counts > 0, right_counts / np.maximum(predicted_counts, 1), 1.0)
    mean_precision = float(precision.mean())
    mean_recall = float((right_counts / gold_counts).mean())
    return DisambiguationScores(
        accuracy=float(right.mean()),
        gladis_macro_f1=float(f1.mean()),
        sdu_macro_precision=mean_precision,
        sdu_macro_recall=mean_recall,
        sdu_macro_f1=with_f1(mean_precision, mean_recall).f1,
        sklearn_macro_f1=float(f1.sum() / in_both),
        rows=len(gold),
        gold_classes=int(in_gold.sum()),
    )


def score_disambiguation(
    gold: Sequence[Hashable], predicted: Sequence[Hashable | None]
) -> DisambiguationScores:
    """Score one predicted long form a row against the gold one; None: no answer, hence wrong.

    "No answer" is a wrong row of its gold class and is itself no class: it lowers recall, never
    the number of predictions of any class.

    Raises InputError when the lengths differ or there is nothing to score.
    """
    return score_classes(encode_classes(gold, predicted))
