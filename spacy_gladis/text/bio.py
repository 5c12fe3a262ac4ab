"""BIO labels: spans of tokens to one label a token and back, and the best allowed sequence."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from ..errors import InputError

OUTSIDE = "O"


class TokenSpan(NamedTuple):
    """Tokens `start` to `end` (exclusive) are one thing of kind `label`."""

    start: int
    end: int
    label: str


def encode_bio(spans: Iterable[tuple[int, int, str]], length: int) -> list[str]:
    """Labels of `length` tokens: `B-label` begins a span, `I-label` goes on, `O` is outside.

    Raises InputError for a span that is empty, leaves the tokens or overlaps another.
    """
    labels = [OUTSIDE] * length
    for start, end, label in spans:
        if not 0 <= start < end <= length:
            raise InputError(f"The span {(start, end, label)} does not lie in {length} tokens.")
        if any(labels[index] != OUTSIDE for index in range(start, end)):
            raise InputError(
                f"The span {(start, end, label)} overlaps another: BIO labels hold one a token."
            )
        labels[start:end] = [f"B-{label}", *[f"I-{label}"] * (end - start - 1)]
    return labels


def decode_bio(labels: Sequence[str]) -> list[TokenSpan]:
    """The spans that `labels` mark, in order of the text.

    An invalid sequence is read as `repair_bio` repairs it. Raises InputError for a label that is
    neither `O` nor `B-...` or `I-...`.
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
    """Valid labels, and how many had to change: an `I-` that continues nothing becomes a `B-`.

    Raises InputError for a label that is neither `O` nor `B-...` or `I-...`.
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
    """Prefix and kind of a label; the kind of `O` is empty."""
    prefix, _, kind = label.partition("-")
    if (label == OUTSIDE) or (prefix in ("B", "I") and kind):
        return prefix, kind
    raise InputError(f"{label!r} is no BIO label: expected 'O', 'B-<kind>' or 'I-<kind>'.")


def viterbi(scores: Sequence[Sequence[float]], follows: Sequence[Sequence[bool]]) -> list[int]:
    """The labels of the allowed sequence with the highest sum of scores.

    scores: [steps, labels], such as logarithms of probabilities. follows: [label before, label],
        whether one may follow the other; the first step follows label 0. Some label may follow
        each. Of equal sequences the one of the lower labels is taken.
    """
    if not scores:
        return []
    labels = range(len(follows))
    never = float("-inf")
    total = [scores[0][one] if follows[0][one] else never for one in labels]
    back: list[list[int]] = []
    for row in scores[1:]:
        best = [
            max((before for before in labels if follows[before][one]), key=total.__getitem__)
            for one in labels
        ]
        total = [total[before] + score for before, score in zip(best, row, strict=True)]
        back.append(best)
    path = [max(labels, key=total.__getitem__)]
    for best in reversed(back):
        path.append(best[path[-1]])
    return path[::-1]
