"""Convert spans of tokens to BIO labels and back, and find the best valid label sequence.

BIO labels mark each token as the beginning of a span (``B-short``), its continuation (``I-short``),
or outside of all spans (``O``).
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from ..errors import InputError

OUTSIDE = "O"


class TokenSpan(NamedTuple):
    """A span of tokens with a label, such as an acronym or a long form.

    Attributes:
        start: Index of the first token.
        end: Index of the token after the last one.
        label: Kind of the span, such as ``short`` for an acronym or ``long`` for a long form.
    """

    start: int
    end: int
    label: str


def encode_bio(spans: Iterable[tuple[int, int, str]], length: int) -> list[str]:
    """Convert labelled spans to one BIO label for each token.

    ``B-label`` begins a span, ``I-label`` continues it, and ``O`` is outside of all spans. For
    example, the span ``(1, 3, "long")`` in a text of four tokens gives
    ``["O", "B-long", "I-long", "O"]``.

    Args:
        spans: ``(start, end, label)`` triples in any order. `start` is the index of the first
            token, and `end` is the index after the last.
        length: Number of tokens in the text.

    Returns:
        A list of `length` labels, in the order of the tokens.

    Raises:
        InputError: If a span is empty, ends after the last token, or overlaps another span.
    """
    labels = [OUTSIDE] * length
    for start, end, label in spans:
        if not 0 <= start < end <= length:
            raise InputError(
                f"The span {(start, end, label)} is empty or does not fit into {length} tokens. "
                f"Use 0 <= start < end <= {length}."
            )
        if any(labels[index] != OUTSIDE for index in range(start, end)):
            raise InputError(
                f"The span {(start, end, label)} overlaps another span. BIO needs separate spans."
            )
        labels[start:end] = [f"B-{label}", *[f"I-{label}"] * (end - start - 1)]
    return labels


def decode_bio(labels: Sequence[str]) -> list[TokenSpan]:
    """Convert the BIO labels of a text's tokens to spans.

    An ``I-`` label that doesn't continue a span of the same kind begins a new span, as if it were
    ``B-`` (see `repair_bio`).

    Args:
        labels: One label for each token, such as ``["O", "B-long", "I-long"]``.

    Returns:
        The spans in text order, here ``[TokenSpan(1, 3, "long")]``.

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
    """Replace ``I-`` labels that don't continue a span of the same kind by ``B-`` labels.

    For example, ``["O", "I-long"]`` becomes ``["O", "B-long"]``. Use it for data sets whose labels
    are partly invalid.

    Args:
        labels: One label for each token.

    Returns:
        The valid labels, and the number of labels that were changed.

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
    """Return a label's prefix and kind, such as ``B`` and ``long``. The kind of ``O`` is empty."""
    prefix, _, kind = label.partition("-")
    if (label == OUTSIDE) or (prefix in ("B", "I") and kind):
        return prefix, kind
    raise InputError(f"{label!r} is not a BIO label. Use 'O', 'B-<kind>' or 'I-<kind>'.")


def viterbi(scores: Sequence[Sequence[float]], follows: Sequence[Sequence[bool]]) -> list[int]:
    """Return the valid sequence of labels with the highest total score (Viterbi algorithm).

    Among sequences with equal scores, labels with lower indices are preferred.

    Args:
        scores: Score of each label for each token, such as its log probability, [tokens, labels].
        follows: Whether a label may follow another label, [previous label, label]. The first label
            must be one that may follow label 0. Each label needs at least one valid predecessor.

    Returns:
        The index of the chosen label for each token. The list is empty if there are no tokens.
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
