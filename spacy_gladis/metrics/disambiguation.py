"""Metrics for acronym disambiguation, which is the choice of the right long form in a context.

The literature uses the name "macro F1" for three different scores. They can differ by tens of
points for the same predictions, so this module computes all three:

- GLADIS (Chen et al. 2023): mean of the F1 scores of the gold classes.
- SDU (Veyseh et al. 2021, 2022): harmonic mean of mean precision and mean recall over the gold
  classes. A class that is never predicted has precision 1.
- scikit-learn: mean of the F1 scores of all gold and predicted classes.

A class is a long form, and the gold classes are the long forms that occur as gold answers.
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
    """Scores of predicted long forms. All scores are between 0 and 1.

    The classes of the macro scores are the long forms. The gold classes are those that occur as
    gold answers.

    Attributes:
        accuracy: Share of predictions that are right.
        gladis_macro_f1: Mean F1 of the gold classes, as GLADIS defines macro F1.
        sdu_macro_precision: Mean precision of the gold classes. As SDU defines it, a class that is
            never predicted has precision 1.
        sdu_macro_recall: Mean recall of the gold classes.
        sdu_macro_f1: Harmonic mean of `sdu_macro_precision` and `sdu_macro_recall`.
        sklearn_macro_f1: Mean F1 of all gold and predicted classes, as scikit-learn defines macro
            F1.
        rows: Number of predictions.
        gold_classes: Number of gold classes.
    """

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
    """Gold and predicted long forms, encoded as the numbers of classes.

    Attributes:
        gold: Class of the gold long form of each row, shape (rows,).
        predicted: Class of the predicted long form of each row, shape (rows,). -1 if there is no
            prediction.
        classes: Number of classes. The gold classes have the smallest numbers.
    """

    gold: Ints
    predicted: Ints
    classes: int


def encode_classes(gold: Sequence[Hashable], predicted: Sequence[Hashable | None]) -> ClassCodes:
    """Convert long forms to class numbers, in the order in which the long forms first appear.

    Args:
        gold: Gold long form of each row.
        predicted: Predicted long form of each row. None if there is no prediction.

    Returns:
        The class numbers of all rows. Equal long forms have the same number.

    Raises:
        InputError: If `gold` and `predicted` have different lengths or are empty.
    """
    if len(gold) != len(predicted):
        raise InputError(
            f"Got {len(gold)} gold long forms but {len(predicted)} predictions. Pass a prediction "
            "for each gold long form, or None where there is no answer."
        )
    if len(gold) == 0:
        raise InputError("There are no rows to score. Pass at least one gold long form.")
    codes: dict[Any, int] = {}
    gold_codes = np.array([codes.setdefault(label, len(codes)) for label in gold], dtype=np.int64)
    predicted_codes = np.array(
        [-1 if label is None else codes.setdefault(label, len(codes)) for label in predicted],
        dtype=np.int64,
    )
    return ClassCodes(gold_codes, predicted_codes, len(codes))


def score_classes(codes: ClassCodes, rows: Ints | None = None) -> DisambiguationScores:
    """Compute the disambiguation scores of predicted classes.

    Use it with `encode_classes` to score many samples of the same rows, such as bootstrap
    resamples.

    Args:
        codes: Gold and predicted class of each row.
        rows: Indices of the rows to score. Indices may be repeated. None scores all rows once.

    Returns:
        Accuracy, and macro F1 under all three definitions.
    """
    gold = codes.gold if rows is None else codes.gold[rows]
    predicted = codes.predicted if rows is None else codes.predicted[rows]
    is_right = gold == predicted
    gold_counts = np.bincount(gold, minlength=codes.classes)
    predicted_counts = np.bincount(predicted[predicted >= 0], minlength=codes.classes)
    right_counts = np.bincount(gold[is_right], minlength=codes.classes)

    in_gold = gold_counts > 0
    gold_counts, in_both = gold_counts[in_gold], int(((predicted_counts > 0) | in_gold).sum())
    predicted_counts, right_counts = predicted_counts[in_gold], right_counts[in_gold]
    f1 = 2 * right_counts / (gold_counts + predicted_counts)
    precision = np.where(predicted_counts > 0, right_counts / np.maximum(predicted_counts, 1), 1.0)
    mean_precision = float(precision.mean())
    mean_recall = float((right_counts / gold_counts).mean())
    return DisambiguationScores(
        accuracy=float(is_right.mean()),
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
    """Score predicted long forms of acronyms against the gold long forms.

    A missing prediction counts as wrong. It lowers the recall of the gold class, but doesn't lower
    the precision of any class.

    Args:
        gold: Gold long form of each row.
        predicted: Predicted long form of each row. None if there is no prediction.

    Returns:
        Accuracy, and macro F1 under all three definitions.

    Raises:
        InputError: If `gold` and `predicted` have different lengths or are empty.
    """
    return score_classes(encode_classes(gold, predicted))
