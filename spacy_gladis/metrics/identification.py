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
"""Start and end (exclusive) of a span, as character offsets."""
Span = tuple[int, int, int]
"""A span of tokens in a corpus: index of the text, and indices of the first and the last token."""


class PRF(NamedTuple):
    """Precision, recall and F1 of a set of predicted spans.

    Attributes:
        precision: Share of predicted spans that are right (0 to 1).
        recall: Share of gold spans that are predicted (0 to 1).
        f1: Harmonic mean of precision and recall (0 to 1).
    """

    precision: float
    recall: float
    f1: float


@dataclass(frozen=True)
class IdentificationScores:
    """Scores of the acronyms and long forms that a system found in texts.

    Attributes:
        macro: Means of precision and of recall over acronyms and long forms, with their harmonic
            mean as F1.
        micro: Scores over the spans of acronyms and long forms together.
        short: Scores over the acronyms only.
        long: Scores over the long forms only.
    """

    macro: PRF
    micro: PRF
    short: PRF
    long: PRF


def score_labels(
    gold: Sequence[Sequence[str]], predicted: Sequence[Sequence[str]]
) -> IdentificationScores:
    """Score the labels that a system predicts for tokens, as in SDU-21 (data set SciAI).

    Spans are extracted as in the official scorer. A span ends before the next label that contains a
    B or an O. An ``I-`` label of the other kind doesn't end it.

    Args:
        gold: Gold labels of the tokens of each text: ``O``, ``B-short``, ``I-short``, ``B-long`` or
            ``I-long``. Acronyms are ``short`` and long forms are ``long``.
        predicted: Predicted labels of the tokens of each text, in the same form.

    Returns:
        Precision, recall and F1 of the acronyms and long forms.

    Raises:
        InputError: If the numbers of texts differ, or the numbers of labels in a text.
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
    """Score the character offsets that a system predicts for acronyms and long forms, as in SDU-22.

    Args:
        gold: For each text, a pair of the offsets of its acronyms and the offsets of its long
            forms.
        predicted: Predicted offsets for each text, in the same form.

    Returns:
        Precision, recall and F1 of the acronyms and long forms.

    Raises:
        InputError: If the numbers of texts differ.
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

    As in the official scorer of SDU, a span that is both an acronym and a long form counts only
    once in the micro scores.

    Args:
        gold: Pair of the set of gold acronyms and the set of gold long forms. Spans can be values
            of any kind that identify them in the corpus.
        predicted: Pair of the set of predicted acronyms and the set of predicted long forms.

    Returns:
        Precision, recall and F1 of the acronyms and long forms.
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
    """Compute precision, recall and F1 of predicted items against gold items.

    Args:
        gold: Gold items, such as spans. Duplicates count once.
        predicted: Predicted items. Duplicates count once.

    Returns:
        The scores. As in SDU's scorers, precision is 1 if nothing is predicted, and recall is 1 if
        there are no gold items.
    """
    gold, predicted = set(gold), set(predicted)
    right = len(gold & predicted)
    return with_f1(right / len(predicted) if predicted else 1.0, right / len(gold) if gold else 1.0)


def with_f1(precision: float, recall: float) -> PRF:
    """Compute F1, the harmonic mean of precision and recall.

    Args:
        precision: Precision (0 to 1).
        recall: Recall (0 to 1).

    Returns:
        Precision, recall and F1. F1 is 0 if both precision and recall are 0.
    """
    total = precision + recall
    return PRF(precision, recall, 2 * precision * recall / total if total > 0 else 0.0)


def extract_spans(texts: Iterable[Sequence[str]], kind: str) -> set[Span]:
    """Extract the spans of acronyms or of long forms from the labels of tokens.

    See `score_labels` for the rule that determines where a span ends.

    Args:
        texts: Labels of the tokens of each text, such as ``B-short``.
        kind: Kind of the spans: ``"short"`` for acronyms or ``"long"`` for long forms.

    Returns:
        The spans, each as a tuple of the text's index and the indices of the first and last token.
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
            f"Got {len(gold)} gold texts but {len(predicted)} predicted texts. Pass a prediction "
            "for each gold text."
        )
