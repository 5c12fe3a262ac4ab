"""SciAI (SDU-21): systems label the tokens; the official scorer compares exact spans."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path

from ....metrics.identification import IdentificationScores, score_labels
from ....rules import Offsets, decode_bio, encode_bio, repair_bio
from ...datasets.answers import Record
from ...datasets.sciai import Sentence, read_sciai
from ..run import Gold, evaluate_sets
from .classes import count_errors
from .systems import Found


def read_gold(path: Path) -> Gold:
    """The sentences of a SciAI file with their labels."""
    sentences, repaired = read_sciai(path)
    gold = [one.labels for one in sentences]
    read = [partial(_words, one) for one in sentences]

    def labels_of(found: list[Found]) -> list[list[str]]:
        return [label(*pair) for pair in zip(sentences, found, strict=True)]

    def score(found: list[Found]) -> tuple[IdentificationScores, Mapping[str, int]]:
        labels = labels_of(found)
        errors = count_errors(map(_spans, gold), map(_spans, labels), read)
        return score_labels(gold, labels), errors

    def records(found: list[Found]) -> Iterator[Record]:
        return ({"labels": one} for one in labels_of(found))

    problems = {"labels that continue nothing": repaired}
    texts = [one.text for one in sentences]
    return Gold(texts, sum(map(len, gold)), problems, score, records)


evaluate = partial(
    evaluate_sets, read=read_gold, measure="exact spans, macro over short and long (SDU-21)"
)


def label(sentence: Sentence, found: Found) -> list[str]:
    """One BIO label a token; a token belongs to a span when they share a character."""
    starts = [start for start, _ in sentence.offsets]
    ends = [end for _, end in sentence.offsets]
    taken = bytearray(len(starts))
    spans = []
    for kind, offsets in (("long", found.long), ("short", found.short)):
        for start, end in sorted(offsets):
            first, last = bisect_right(ends, start), bisect_left(starts, end)
            if first < last and not any(taken[first:last]):
                taken[first:last] = b"\1" * (last - first)
                spans.append((first, last, kind))
    return encode_bio(spans, len(starts))


def _spans(labels: Sequence[str]) -> tuple[set[Offsets], set[Offsets]]:
    spans = decode_bio(repair_bio(labels)[0])
    short, long = (
        {(one.start, one.end) for one in spans if one.label == kind} for kind in ("short", "long")
    )
    return short, long


def _words(sentence: Sentence, span: Offsets) -> str:
    first, last = sentence.offsets[span[0]], sentence.offsets[span[1] - 1]
    return sentence.text[first[0] : last[1]]
