"""Finding acronyms and long forms: exact spans, as the SDU shared tasks score them.

For short and for long forms, over all spans of the corpus, precision is right / predicted (1 when
nothing is predicted) and recall right / gold (1 when there is none). Macro precision and recall are
the means of the two kinds; macro F1, the official score, is the harmonic mean of those two means.
"""

from collections.abc import Collection, Hashable, Iterable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import NamedTuple

from ..errors import InputError

Offsets = tuple[int, int]
Span = tuple[int, int, int]  # text, first, last


class PRF(NamedTuple):
    """Precision, recall and their harmonic mean."""

    precision: float
    recall: float
    f1: float


@dataclass(frozen=True)
class IdentificationScores:
    """Scores of acronyms (`short`) and long forms (`long`), and of both together."""

    macro: PRF
    micro: PRF
    short: PRF
    long: PRF


def score_labels(
    gold: Sequence[Sequence[str]], predicted: Sequence[Sequence[str]]
) -> IdentificationScores:
    """SDU-21 (SciAI): one label a token, `O`, `B-short`, `I-short`, `B-long` or `I-long`.

    Spans are read as the official scorer reads them: tokens of one kind are joined up to the next
    tag that holds a B or an O, so that an `I-` after another kind does not end that kind's span.

    Raises InputError when texts or their labels are not of equal number.
    """
    _check_lengths(gold, predicted)
    for number, (one, other) in enumerate(zip(gold, predicted, strict=True)):
        if len(one) != len(other):
            raise InputError(
                f"Text {number} has {len(one)} gold labels and {len(other)} predicted ones: "
                "give one label for each token."
            )
    return score_spans(
        [labelled_spans(gold, kind) for kind in ("short", "long")],
        [labelled_spans(predicted, kind) for kind in ("short", "long")],
    )


def score_offsets(
    gold: Sequence[tuple[Iterable[Offsets], Iterable[Offsets]]],
    predicted: Sequence[tuple[Iterable[Offsets], Iterable[Offsets]]],
) -> IdentificationScores:
    """SDU-22: for each text its acronyms and its long forms as character offsets, end exclusive.

    Raises InputError when the texts are not of equal number.
    """
    _check_lengths(gold, predicted)
    return score_spans(
        [_offset_spans(gold, kind) for kind in (0, 1)],
        [_offset_spans(predicted, kind) for kind in (0, 1)],
    )


def score_spans(
    gold: Sequence[AbstractSet[Hashable]], predicted: Sequence[AbstractSet[Hashable]]
) -> IdentificationScores:
    """The scores of two sets of spans each, short forms then long forms.

    As in the official scorer a span counts once for the micro scores even where both kinds have it.
    """
    short, long = (
        precision_recall_f1(one, other) for one, other in zip(gold, predicted, strict=True)
    )
    return IdentificationScores(
        macro=with_f1((short.precision + long.precision) / 2, (short.recall + long.recall) / 2),
        micro=precision_recall_f1(gold[0] | gold[1], predicted[0] | predicted[1]),
        short=short,
        long=long,
    )


def precision_recall_f1(gold: Collection[Hashable], predicted: Collection[Hashable]) -> PRF:
    """Scores of a predicted set against a gold one; an empty side scores 1, as in SDU's scorers."""
    gold, predicted = set(gold), set(predicted)
    right = len(gold & predicted)
    return with_f1(right / len(predicted) if predicted else 1.0, right / len(gold) if gold else 1.0)


def with_f1(precision: float, recall: float) -> PRF:
    """Precision and recall with their harmonic mean, 0 where both are 0."""
    total = precision + recall
    return PRF(precision, recall, 2 * precision * recall / total if total > 0 else 0.0)


def labelled_spans(texts: Iterable[Sequence[str]], kind: str) -> set[Span]:
    """The spans of one kind that the labels of texts hold; see `score_labels`."""
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
        raise InputError(f"{len(gold)} gold texts against {len(predicted)} predicted ones.")
