"""The tagger's labels: from a reference document's spans, and from probabilities to spans."""

from collections.abc import Iterable

import numpy as np
from spacy.tokens import Doc

from ..arrays import Floats
from ..text import OUTSIDE, Marked, Offsets, decode_bio, encode_bio, viterbi

SHORT, LONG = "short", "long"
LABELS = (OUTSIDE, *(f"{prefix}-{kind}" for kind in (SHORT, LONG) for prefix in "BI"))
_FOLLOWS = [
    [label[0] != "I" or (before != OUTSIDE and before[1:] == label[1:]) for label in LABELS]
    for before in LABELS
]  # [label before, label]
_TINY = 1e-9


def gold_labels(doc: Doc, short: Iterable[Offsets], long: Iterable[Offsets]) -> list[str]:
    """The BIO labels of a document's tokens for these character offsets.

    Spans are widened to whole tokens; of spans that overlap, long forms come first, then the one
    that begins first.
    """
    taken = np.zeros(len(doc), dtype=bool)
    spans = []
    for kind, offsets in ((LONG, long), (SHORT, short)):
        for start, end in sorted(offsets):
            span = doc.char_span(start, end, alignment_mode="expand")
            if span is not None and not taken[span.start : span.end].any():
                taken[span.start : span.end] = True
                spans.append((span.start, span.end, kind))
    return encode_bio(spans, len(doc))


def best_labels(probabilities: Floats) -> list[str]:
    """The likeliest valid sequence of labels (Viterbi), from float32 [tokens, labels].

    An `I-` follows only its own kind. Where the likeliest labels one by one are valid already, they
    are the answer.
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
    """The acronyms and the long forms in a document, by probabilities [tokens, labels].

    The probability of a span is the mean over its tokens. Where `short` or `long`, the rules'
    acronyms and long forms, begin or end inside the tokens that a label is given to, they stand for
    these tokens: `EU` for `EU-landene`.
    """
    exact = {SHORT: _inside_tokens(doc, short), LONG: _inside_tokens(doc, long)}
    found: dict[str, list[Marked]] = {SHORT: [], LONG: []}
    if len(doc):
        labels = best_labels(probabilities)
        for start, end, kind in decode_bio(labels):
            rows = range(start, end)
            chosen = [probabilities[row, LABELS.index(labels[row])] for row in rows]
            span = doc[start:end]
            whole = (span.start_char, span.end_char)
            for place in exact[kind].get(whole, [whole]):
                found[kind].append(Marked(*place, float(sum(chosen) / len(chosen))))
    return found[SHORT], found[LONG]


def _inside_tokens(doc: Doc, places: Iterable[Offsets]) -> dict[Offsets, list[Offsets]]:
    """The places that are smaller than their tokens, by the tokens' own; no two overlap."""
    found: dict[Offsets, list[Offsets]] = {}
    free = 0
    for place in sorted(places, key=lambda one: (one[0], -one[1])):
        span = doc.char_span(*place, alignment_mode="expand")
        if span is not None and place[0] >= free:
            free = place[1]
            whole = (span.start_char, span.end_char)
            if whole != place:
                found.setdefault(whole, []).append(place)
    return found
