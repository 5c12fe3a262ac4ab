"""The labels of the acronym tagger, and functions that convert spans to labels and back."""

from collections.abc import Iterable

import numpy as np
from spacy.tokens import Doc

from ..arrays import Floats
from ..text import OUTSIDE, Marked, Offsets, decode_bio, encode_bio, viterbi
from ..text.mention import sort_spans

SHORT, LONG = "short", "long"
LABELS = (OUTSIDE, *(f"{prefix}-{kind}" for kind in (SHORT, LONG) for prefix in "BI"))
_FOLLOWS = [
    [label[0] != "I" or (before != OUTSIDE and before[1:] == label[1:]) for label in LABELS]
    for before in LABELS
]  # whether a label may follow another: [label before, label]
_TINY = 1e-9


def gold_labels(doc: Doc, short: Iterable[Offsets], long: Iterable[Offsets]) -> list[str]:
    """Return BIO labels that mark the given acronyms and long forms in a document's tokens.

    Spans are widened to whole tokens. If spans overlap, long forms take precedence over acronyms,
    an earlier span over a later one, and a compound over its parts.

    Args:
        doc: The document whose tokens are labelled.
        short: Character offsets of the acronyms.
        long: Character offsets of the long forms.

    Returns:
        One of `LABELS` for each token, such as "B-short" for the first token of an acronym.
    """
    taken = np.zeros(len(doc), dtype=bool)
    spans = []
    for kind, offsets in ((LONG, long), (SHORT, short)):
        for start, end in sort_spans(offsets):
            span = doc.char_span(start, end, alignment_mode="expand")
            if span is not None and not taken[span.start : span.end].any():
                taken[span.start : span.end] = True
                spans.append((span.start, span.end, kind))
    return encode_bio(spans, len(doc))


def best_labels(probabilities: Floats) -> list[str]:
    """Return the most probable valid sequence of labels, with the Viterbi algorithm.

    In a valid sequence, an `I-` label follows only a label of the same kind.

    Args:
        probabilities: Probability of each label for each token, float32 [tokens, labels].

    Returns:
        One of `LABELS` for each token.
    """
    best = probabilities.argmax(axis=1)
    if not np.array(_FOLLOWS)[np.concatenate(([0], best[:-1])), best].all():
        best = np.array(viterbi(np.log(probabilities + _TINY).tolist(), _FOLLOWS))
    return [LABELS[label] for label in best]


def tagged_spans(
    doc: Doc,
    probabilities: Floats,
    short: Iterable[Offsets] = (),
    long: Iterable[Offsets] = (),
) -> tuple[list[Marked], list[Marked]]:
    """Convert the label probabilities of a document's tokens to acronyms and long forms.

    The probability of a span is the mean over its tokens. The rules may have found an acronym or
    long form that is smaller than the tokens of a tagged span. It then replaces the span: `EU`
    replaces `EU-landene`.

    Args:
        doc: The document whose tokens were labelled.
        probabilities: Probability of each label for each token, float32 [tokens, labels].
        short: Character offsets of the acronyms that the rules found.
        long: Character offsets of the long forms that the rules found.

    Returns:
        A list of the acronyms and a list of the long forms, each in text order.
    """
    exact = {SHORT: _inside_tokens(doc, short), LONG: _inside_tokens(doc, long)}
    spans: dict[str, list[Marked]] = {SHORT: [], LONG: []}
    if len(doc):
        labels = best_labels(probabilities)
        for start, end, kind in decode_bio(labels):
            rows = range(start, end)
            label_probabilities = [probabilities[row, LABELS.index(labels[row])] for row in rows]
            span = doc[start:end]
            whole = (span.start_char, span.end_char)
            for place in exact[kind].get(whole, [whole]):
                spans[kind].append(
                    Marked(*place, float(sum(label_probabilities) / len(label_probabilities)))
                )
    return spans[SHORT], spans[LONG]


def _inside_tokens(doc: Doc, places: Iterable[Offsets]) -> dict[Offsets, list[Offsets]]:
    """Map the offsets of tokens to the given spans that are smaller than these tokens."""
    inside: dict[Offsets, list[Offsets]] = {}
    free = 0
    for place in sorted(places, key=lambda place: (place[0], -place[1])):
        span = doc.char_span(*place, alignment_mode="expand")
        if span is not None and place[0] >= free:
            free = place[1]
            whole = (span.start_char, span.end_char)
            if whole != place:
                inside.setdefault(whole, []).append(place)
    return inside
