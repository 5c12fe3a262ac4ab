"""Data sets for identification: texts whose acronyms and long forms people marked."""

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, NamedTuple

import typer

from ....errors import InputError
from ....metrics.identification import extract_spans
from ....text import Offsets, encode_bio
from ...datasets.files import Record
from ...datasets.sciai import Sentence, find_sets, read_sciai, read_sdu22
from ...extraction.docbin import AnnotatedText, read_marked
from ..task import DataSet, Reader

Spans = tuple[frozenset[Offsets], frozenset[Offsets]]
"""The spans of a text's acronyms and of its long forms, in units that the metric compares."""


class Found(NamedTuple):
    """Character offsets of acronyms and long forms; no acronym lies in a long form."""

    short: set[Offsets]
    long: set[Offsets]


class Gold(NamedTuple):
    """The spans that people marked, text by text, and how an answer is brought to their form."""

    spans: list[Spans]
    read: Callable[[Found, int], tuple[Spans, Record]]
    """Takes an answer and its text's number; gives its spans, and what is kept of it."""


Training = Sequence[AnnotatedText]
IdentificationData = DataSet[Training, str, Gold]

TrainFile = Annotated[
    Path | None, typer.Option(help="A file of SciAI or SDU-22 that systems learn from.")
]


def labelled(training: Training) -> Training:
    """Return the training part.

    Raises:
        InputError: If there is none.
    """
    if not training:
        raise InputError("It learns from marked texts: give a file of them as --train.")
    return training


@dataclass
class SciAISets(Reader[Training, str, Gold]):
    """Reads sentences of tokens with a label each (SciAI, SDU-21).

    Attributes:
        train: A file that systems learn from.
    """

    train: TrainFile = None

    def read(self, paths: Sequence[Path]) -> Iterator[IdentificationData]:
        """Read the JSON files at the paths, each a data set."""
        training = _training(self.train)
        for name, path in _files(paths):
            sentences, repaired = read_sciai(path)
            labels = [one.labels for one in sentences]
            yield DataSet(
                name,
                training,
                [one.text for one in sentences],
                Gold(list(map(spans_of, labels)), _Labels(sentences)),
                {
                    "texts": len(sentences),
                    "words": sum(map(len, labels)),
                    "labels that continue nothing": repaired,
                    "training texts": len(training),
                },
                [one.text for one in sentences],
                [one.text for one in training],
            )


@dataclass
class SDU22Sets(Reader[Training, str, Gold]):
    """Reads texts with the offsets of what people marked (SDU-22).

    Attributes:
        train: A file that systems learn from.
    """

    train: TrainFile = None

    def read(self, paths: Sequence[Path]) -> Iterator[IdentificationData]:
        """Read the JSON files at the paths, each a data set."""
        training = _training(self.train)
        for name, path in _files(paths):
            paragraphs, inside = read_sdu22(path)
            yield DataSet(
                name,
                training,
                [one.text for one in paragraphs],
                Gold([(one.short, one.long) for one in paragraphs], _as_offsets),
                {
                    "texts": len(paragraphs),
                    "words": sum(len(one.text.split()) for one in paragraphs),
                    "ends of spans inside a word": inside,
                    "training texts": len(training),
                },
                [one.text for one in paragraphs],
                [one.text for one in training],
            )


def _files(paths: Sequence[Path]) -> Iterator[tuple[str, Path]]:
    for path in paths:
        yield from find_sets(path).items()


def _training(path: Path | None) -> list[AnnotatedText]:
    return [] if path is None else list(read_marked(path, Counter()))


def spans_of(labels: Sequence[str]) -> Spans:
    """Return the spans of a sentence's labels, as the official scorer reads them."""
    short, long = (
        frozenset((first, last) for _, first, last in extract_spans([labels], kind))
        for kind in ("short", "long")
    )
    return short, long


class _Labels:
    """Brings answers to the labels of the sentences' tokens."""

    def __init__(self, sentences: Sequence[Sentence]) -> None:
        self.sentences = sentences

    def __call__(self, found: Found, number: int) -> tuple[Spans, Record]:
        labels = label(self.sentences[number], found)
        return spans_of(labels), {"labels": labels}


def _as_offsets(found: Found, number: int) -> tuple[Spans, Record]:
    record = {"acronyms": sorted(found.short), "long-forms": sorted(found.long)}
    return (frozenset(found.short), frozenset(found.long)), record


def label(sentence: Sentence, found: Found) -> list[str]:
    """Label each token in BIO; a token belongs to a span when they share a character."""
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
