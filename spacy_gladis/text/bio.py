"""Convert spans of tokens to BIO labels and back, and find the best valid label sequence."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from ..errors import InputError

OUTSIDE = "O"


class TokenSpan(NamedTuple):
    """A labelled span of tokens.

    Attributes:
        start: Index of the first token.
        end: Index of the last token, plus one.
        label: Kind of the span.
    """

    start: int
    end: int
    label: str


def encode_bio(spans: Iterable[tuple[int, int, str]], length: int) -> list[str]:
    """Convert spans to one BIO label for each token.

    ``B-label`` begins a span, ``I-label`` continues it, and ``O`` is outside of all spans.

    Args:
        spans: ``(start, end, label)`` triples, where `start` and `end` (exclusive) are token
            indices.
        length: Number of tokens in the text.

    Returns:
        One label for each token.

    Raises:
        InputError: If a span is empty, ends after the last token, or overlaps another span.
    """
    labels = [OUTSIDE] * length
    for start, end, label in spans:
        if not 0 <= start < end <= length:
            raise InputError(
                f"The span {(start, end, label)} is empty or does not fit into {length} tokens."
            )
        if any(labels[index] != OUTSIDE for index in range(start, end)):
            raise InputError(
                f"The span {(start, end, label)} overlaps another span. BIO needs separate spans."
            )
        labels[start:end] = [f"B-{label}", *[f"I-{label}"] * (end - start - 1)]
    return labels


def decode_bio(labels: Sequence[str]) -> list[TokenSpan]:
    """Convert BIO labels to spans.

    An invalid sequence of labels is first repaired as by `repair_bio`.

    Args:
        labels: One label for each token.

    Returns:
        The spans, in text order.

    Raises:
        InputError: If a label is not ``O``, ``B-<kind>`` or ``I-<kind>``.
    """
    spans: list[TokenSpan] = []
    for index, (prefix, kind) in enumerate(map(_split, labels)):
        if prefix == OUTSIDE:
            continue
        last = spans[-1] if spans else None
        if prefix == "I" and last and last.end == index and last.label == kind:
            spans[-1] = last._replace(end=index + 1)
        else:
            spans.append(TokenSpan(index, index + 1, kind))
    return spans


def repair_bio(labels: Sequence[str]) -> tuple[list[str], int]:
    """Repair BIO labels by replacing each ``I-`` label that doesn't continue a span by ``B-``.

    Args:
        labels: One label for each token.

    Returns:
        The repaired labels, and the number of labels that were changed.

    Raises:
        InputError: If a label is not ``O``, ``B-<kind>`` or ``I-<kind>``.
    """
    repaired: list[str] = []
    changed = 0
    inside = ""
    for label in labels:
        prefix, kind = _split(label)
        if prefix == "I" and kind != inside:
            label = f"B-{kind}"
            changed += 1
        repaired.append(label)
        inside = kind
    return repaired, changed


def _split(label: str) -> tuple[str, str]:
    """Return the prefix and the kind of a label. The kind of `O` is empty."""
    prefix, _, kind = label.partition("-")
    if (label == OUTSIDE) or (prefix in ("B", "I") and kind):
        return prefix, kind
    raise InputError(f"{label!r} is not a BIO label. Use 'O', 'B-<kind>' or 'I-<kind>'.")


def viterbi(scores: Sequence[Sequence[float]], follows: Sequence[Sequence[bool]]) -> list[int]:
    """Return the valid label sequence with the highest sum of scores (Viterbi algorithm).

    Among equal sums, labels with lower indices are preferred.

    Args:
        scores: Score of each label at each step, such as its log probability, [steps, labels].
        follows: Whether a label may follow another, [previous label, label]. The first step follows
            label 0. Each label needs at least one valid predecessor.

    Returns:
        The index of the best label at each step.
    """
    if not scores:
        return []
    labels = range(len(follows))
    never = float("-inf")
    total = [scores[0][label] if follows[0][label] else never for label in labels]
    back: list[list[int]] = []
    for row in scores[1:]:
        best = [
            max(
                (previous for previous in labels if follows[previous][label]), key=total.__getitem__
            )
            for label in labels
        ]
        total = [total[previous] + score for previous, score in zip(best, row, strict=True)]
        back.append(best)
    path = [max(labels, key=total.__getitem__)]
    for best in reversed(back):
        path.append(best[path[-1]])
    return path[::-1]
