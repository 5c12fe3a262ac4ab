"""Metrics for the identification of acronyms and long forms, as in the SDU shared tasks.

Only exact spans count as right. Precision and recall are computed separately for acronyms and for
long forms, over all spans of a corpus. Precision is 1 if nothing is predicted, and recall is 1 if
there are no gold spans. Macro precision and macro recall are the means over acronyms and long
forms. Macro F1, the official score, is the harmonic mean of macro precision and macro recall.
"""

from collections.abc import Collection, Hashable, Iterable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import NamedTuple

from ..errors import InputError

Offsets = tuple[int, int]
"""Start and end (exclusive) of a span in characters."""
Span = tuple[int, int, int]
"""Index of a text, and indices of the first and the last token of a span."""


class PRF(NamedTuple):
    """Precision, recall and F1 of a set of predictions.

    Attributes:
        precision: Share of predicted spans that are right (0 to 1).
        recall: Share of gold spans that are predicted (0 to 1).
        f1: Harmonic mean of precision and recall.
    """

    precision: float
    recall: float
    f1: float


@dataclass(frozen=True)
class IdentificationScores:
    """Scores of predicted acronyms and long forms.

    Attributes:
        macro: Mean precision and mean recall of acronyms and long forms, with their harmonic mean.
        micro: Scores for the spans of acronyms and long forms together.
        short: Scores for acronyms only.
        long: Scores for long forms only.
    """

    macro: PRF
    micro: PRF
    short: PRF
    long: PRF


def score_labels(
    gold: Sequence[Sequence[str]], predicted: Sequence[Sequence[str]]
) -> IdentificationScores:
    """Score predicted labels of tokens as in SDU-21 (SciAI).

    Spans are extracted as in the official scorer. A span continues until the next label that
    contains a B or an O. An ``I-`` label of the other kind doesn't end it.

    Args:
        gold: Gold labels of the tokens of each text: ``O``, ``B-short``, ``I-short``, ``B-long`` or
            ``I-long``.
        predicted: Predicted labels of the tokens of each text.

    Returns:
        The scores for acronyms and long forms.

    Raises:
        InputError: If the number of texts or of labels differs.
    """
    _check_lengths(gold, predicted)
    for number, (gold_labels, labels) in enumerate(zip(gold, predicted, strict=True)):
        if len(gold_labels) != len(labels):
            raise InputError(
                f"Text {number} has {len(gold_labels)} gold labels but {len(labels)} predicted "
                "labels. Pass a label for each token."
            )
    return score_spans(
        [extract_spans(gold, kind) for kind in ("short", "long")],
        [extract_spans(predicted, kind) for kind in ("short", "long")],
    )


def score_offsets(
    gold: Sequence[tuple[Iterable[Offsets], Iterable[Offsets]]],
    predicted: Sequence[tuple[Iterable[Offsets], Iterable[Offsets]]],
) -> IdentificationScores:
    """Score predicted character offsets as in SDU-22.

    Args:
        gold: For each text, the offsets of its gold acronyms and of its gold long forms.
        predicted: For each text, the offsets of the predicted acronyms and long forms.

    Returns:
        The scores for acronyms and long forms.

    Raises:
        InputError: If the number of texts differs.
    """
    _check_lengths(gold, predicted)
    return score_spans(
        [_offset_spans(gold, kind) for kind in (0, 1)],
        [_offset_spans(predicted, kind) for kind in (0, 1)],
    )


def score_spans(
    gold: Sequence[AbstractSet[Hashable]], predicted: Sequence[AbstractSet[Hashable]]
) -> IdentificationScores:
    """Score predicted spans of acronyms and long forms.

    As in the official scorer, a span that is both an acronym and a long form counts only once for
    the micro scores.

    Args:
        gold: A pair of the set of gold acronyms and the set of gold long forms.
        predicted: A pair of the set of predicted acronyms and the set of predicted long forms.

    Returns:
        The scores for acronyms and long forms.
    """
    short, long = (
        precision_recall_f1(gold_spans, spans)
        for gold_spans, spans in zip(gold, predicted, strict=True)
    )
    return IdentificationScores(
        macro=with_f1((short.precision + long.precision) / 2, (short.recall + long.recall) / 2),
        micro=precision_recall_f1(gold[0] | gold[1], predicted[0] | predicted[1]),
        short=short,
        long=long,
    )


def precision_recall_f1(gold: Collection[Hashable], predicted: Collection[Hashable]) -> PRF:
    """Compute precision, recall and F1 of a set of predictions.

    Args:
        gold: The gold items.
        predicted: The predicted items.

    Returns:
        The scores. As in SDU's scorers, precision is 1 if nothing is predicted, and recall is 1 if
        there are no gold items.
    """
    gold, predicted = set(gold), set(predicted)
    right = len(gold & predicted)
    return with_f1(right / len(predicted) if predicted else 1.0, right / len(gold) if gold else 1.0)


def with_f1(precision: float, recall: float) -> PRF:
    """Compute F1 from precision and recall.

    Args:
        precision: Precision (0 to 1).
        recall: Recall (0 to 1).

    Returns:
        Precision, recall and F1. F1 is 0 if both are 0.
    """
    total = precision + recall
    return PRF(precision, recall, 2 * precision * recall / total if total > 0 else 0.0)


def extract_spans(texts: Iterable[Sequence[str]], kind: str) -> set[Span]:
    """Extract the spans of one kind from the labels of tokens (see `score_labels` for the rules).

    Args:
        texts: Labels of the tokens of each text.
        kind: Kind of the spans: ``"short"`` or ``"long"``.

    Returns:
        The spans of this kind.
    """
    spans: set[Span] = set()
    for number, labels in enumerate(texts):
        tokens: list[int] = []
        for index, label in enumerate([*labels, "O"]):
            if tokens and ("B" in label or "O" in label):
                spans.add((number, tokens[0], tokens[-1]))
                tokens = []
            if kind in label:
                tokens.append(index)
    return spans


def _offset_spans(
    texts: Sequence[tuple[Iterable[Offsets], Iterable[Offsets]]], kind: int
) -> set[Span]:
    return {(number, *span) for number, spans in enumerate(texts) for span in spans[kind]}


def _check_lengths(gold: Sequence[object], predicted: Sequence[object]) -> None:
    if len(gold) != len(predicted):
        raise InputError(
            f"Got {len(gold)} gold texts but {len(predicted)} predicted texts. Pass both for each "
            "text."
        )
