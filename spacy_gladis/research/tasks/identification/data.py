"""Data sets for identification: texts with marked acronyms and long forms."""

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
"""The spans of a text's acronyms and those of its long forms, in the units that the metric
compares."""


class Prediction(NamedTuple):
    """The predicted acronyms and long forms of a text. No acronym lies in a long form.

    Attributes:
        short: Character offsets of acronyms.
        long: Character offsets of long forms.
    """

    short: set[Offsets]
    long: set[Offsets]


class Gold(NamedTuple):
    """The gold spans of a data set, and a function that converts answers to their units.

    Attributes:
        spans: Gold spans of each text.
        read: Function that takes an answer and the index of its text, and returns the answer's
            spans and the record to save.
    """

    spans: list[Spans]
    read: Callable[[Prediction, int], tuple[Spans, Record]]


Training = Sequence[AnnotatedText]
IdentificationData = DataSet[Training, str, Gold]

TrainFile = Annotated[Path | None, typer.Option(help="Training file, of SciAI or SDU-22.")]


def labelled(training: Training) -> Training:
    """Return the marked training texts, or raise an error if there are none.

    Args:
        training: Marked texts.

    Returns:
        The same texts.

    Raises:
        InputError: If there are no marked texts.
    """
    if not training:
        raise InputError("It needs training texts. Give a file with --train.")
    return training


@dataclass
class SciAISets(Reader[Training, str, Gold]):
    """Reader of sentences of tokens with a label each (SciAI, SDU-21).

    Attributes:
        train: File of marked texts that systems learn from.
    """

    train: TrainFile = None

    def read(self, paths: Sequence[Path]) -> Iterator[IdentificationData]:
        """Read the data sets at the given paths.

        Args:
            paths: JSON files, or folders of them.

        Yields:
            A data set for each file.
        """
        training = _training(self.train)
        for name, path in _files(paths):
            sentences, repaired = read_sciai(path)
            labels = [sentence.labels for sentence in sentences]
            yield DataSet(
                name,
                training,
                [sentence.text for sentence in sentences],
                Gold(list(map(spans_of, labels)), _Labels(sentences)),
                {
                    "texts": len(sentences),
                    "words": sum(map(len, labels)),
                    "labels that continue nothing": repaired,
                    "training texts": len(training),
                },
                [sentence.text for sentence in sentences],
                [marked.text for marked in training],
            )


@dataclass
class SDU22Sets(Reader[Training, str, Gold]):
    """Reader of texts with the offsets of marked spans (SDU-22).

    Attributes:
        train: File of marked texts that systems learn from.
    """

    train: TrainFile = None

    def read(self, paths: Sequence[Path]) -> Iterator[IdentificationData]:
        """Read the data sets at the given paths.

        Args:
            paths: JSON files, or folders of them.

        Yields:
            A data set for each file.
        """
        training = _training(self.train)
        for name, path in _files(paths):
            paragraphs, inside = read_sdu22(path)
            yield DataSet(
                name,
                training,
                [paragraph.text for paragraph in paragraphs],
                Gold([(paragraph.short, paragraph.long) for paragraph in paragraphs], _as_offsets),
                {
                    "texts": len(paragraphs),
                    "words": sum(len(paragraph.text.split()) for paragraph in paragraphs),
                    "ends of spans inside a word": inside,
                    "training texts": len(training),
                },
                [paragraph.text for paragraph in paragraphs],
                [marked.text for marked in training],
            )


def _files(paths: Sequence[Path]) -> Iterator[tuple[str, Path]]:
    for path in paths:
        yield from find_sets(path).items()


def _training(path: Path | None) -> list[AnnotatedText]:
    return [] if path is None else list(read_marked(path, Counter()))


def spans_of(labels: Sequence[str]) -> Spans:
    """Read the spans of a sentence's labels as the official scorer does.

    Args:
        labels: BIO labels of the tokens.

    Returns:
        The spans of acronyms and those of long forms, as indices of their first and last token.
    """
    short, long = (
        frozenset((first, last) for _, first, last in extract_spans([labels], kind))
        for kind in ("short", "long")
    )
    return short, long


class _Labels:
    """Converts answers to labels of the sentences' tokens."""

    def __init__(self, sentences: Sequence[Sentence]) -> None:
        self.sentences = sentences

    def __call__(self, prediction: Prediction, number: int) -> tuple[Spans, Record]:
        labels = label(self.sentences[number], prediction)
        return spans_of(labels), {"labels": labels}


def _as_offsets(prediction: Prediction, number: int) -> tuple[Spans, Record]:
    record = {"acronyms": sorted(prediction.short), "long-forms": sorted(prediction.long)}
    return (frozenset(prediction.short), frozenset(prediction.long)), record


def label(sentence: Sentence, prediction: Prediction) -> list[str]:
    """Convert predicted spans to BIO labels of a sentence's tokens.

    A token belongs to a span when they share a character.

    Args:
        sentence: The sentence.
        prediction: Character offsets of acronyms and long forms.

    Returns:
        A label for each token.
    """
    starts = [start for start, _ in sentence.offsets]
    ends = [end for _, end in sentence.offsets]
    taken = bytearray(len(starts))
    spans = []
    for kind, offsets in (("long", prediction.long), ("short", prediction.short)):
        for start, end in sorted(offsets):
            first, last = bisect_right(ends, start), bisect_left(starts, end)
            if first < last and not any(taken[first:last]):
                taken[first:last] = b"\1" * (last - first)
                spans.append((first, last, kind))
    return encode_bio(spans, len(starts))
