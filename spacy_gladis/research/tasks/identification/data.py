"""Data sets for identification, whose texts have marked acronyms and long forms."""

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
"""The spans of the acronyms and of the long forms in a text. They are character offsets or token
indices, depending on the format of the data set."""


class Prediction(NamedTuple):
    """The acronyms and long forms that a system marks in a text.

    Attributes:
        short: Character offsets of the acronyms. They don't overlap the long forms.
        long: Character offsets of the long forms.
    """

    short: set[Offsets]
    long: set[Offsets]


class Gold(NamedTuple):
    """The gold spans of a data set, and a function that makes answers comparable with them.

    Attributes:
        spans: Gold spans of each text, as character offsets or as token indices.
        read: Function that takes a system's answer and the index of its text. It returns the spans
            of the answer in the same units as the gold spans, and the record to write to a file.
    """

    spans: list[Spans]
    read: Callable[[Prediction, int], tuple[Spans, Record]]


Training = Sequence[AnnotatedText]
IdentificationData = DataSet[Training, str, Gold]

TrainFile = Annotated[
    Path | None, typer.Option(help="Training file in the format of SciAI or SDU-22.")
]


def labelled(training: Training) -> Training:
    """Return the training texts, and make sure that there are any.

    Systems that can't work without training call this function in `fit`.

    Args:
        training: Texts with marked acronyms and long forms.

    Returns:
        The same texts, of which there is at least one.

    Raises:
        InputError: If there are no training texts.
    """
    if not training:
        raise InputError("The system needs training texts. Give a file with --train.")
    return training


@dataclass
class SciAISets(Reader[Training, str, Gold]):
    """Reads sentences that are split into tokens, with a BIO label for each token.

    This is the format of SciAI and of the shared task SDU-21.

    Attributes:
        train: File of marked texts that systems learn from. None for no training texts.
    """

    train: TrainFile = None

    def read(self, paths: Sequence[Path]) -> Iterator[IdentificationData]:
        """Read a data set from each of the given JSON files.

        Args:
            paths: JSON files, or folders that contain JSON files.

        Yields:
            A data set for each file. All of them have the same training texts.

        Raises:
            InputError: If there are no JSON files.
            FormatError: If a file does not have the expected format.
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
    """Reads texts with the character offsets of acronyms and long forms, the format of SDU-22.

    Attributes:
        train: File of marked texts that systems learn from. None for no training texts.
    """

    train: TrainFile = None

    def read(self, paths: Sequence[Path]) -> Iterator[IdentificationData]:
        """Read a data set from each of the given JSON files.

        Args:
            paths: JSON files, or folders that contain JSON files.

        Yields:
            A data set for each file. All of them have the same training texts.

        Raises:
            InputError: If there are no JSON files.
            FormatError: If a file does not have the expected format.
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
    """Convert the BIO labels of a sentence to spans, by the rules of the official scorer.

    Args:
        labels: BIO label of each token, such as "B-short" or "O".

    Returns:
        The spans of the acronyms and the spans of the long forms. A span is a pair of the indices
        of its first and last token.
    """
    short, long = (
        frozenset((first, last) for _, first, last in extract_spans([labels], kind))
        for kind in ("short", "long")
    )
    return short, long


class _Labels:
    """Converts the predictions for sentences to BIO labels of their tokens."""

    def __init__(self, sentences: Sequence[Sentence]) -> None:
        self.sentences = sentences

    def __call__(self, prediction: Prediction, number: int) -> tuple[Spans, Record]:
        labels = label(self.sentences[number], prediction)
        return spans_of(labels), {"labels": labels}


def _as_offsets(prediction: Prediction, number: int) -> tuple[Spans, Record]:
    record = {"acronyms": sorted(prediction.short), "long-forms": sorted(prediction.long)}
    return (frozenset(prediction.short), frozenset(prediction.long)), record


def label(sentence: Sentence, prediction: Prediction) -> list[str]:
    """Convert predicted character offsets to BIO labels of a sentence's tokens.

    A token belongs to a span if they have at least one character in common. If spans share a token,
    long forms take precedence over acronyms, and earlier spans over later ones.

    Args:
        sentence: The sentence with the character offsets of its tokens.
        prediction: Character offsets of the predicted acronyms and long forms.

    Returns:
        A BIO label for each token, such as "B-short" or "O".
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
