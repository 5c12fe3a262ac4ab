"""Texts with their known acronyms, and the vectors that a trained encoder gives each of them."""

import hashlib
import json
import re
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ...files import reading_tensors, write_arrays
from ...modeling.acrobert import AcroBERT
from ...rules import Mention
from ..datasets.sample import Sample
from .dataset import ADVICE

CHUNK = 1000

CUT = 0.25
"""How many of the texts are cut to their sample's sentence: short texts are texts, too."""

LONGEST = 12
"""Characters of the other acronyms that are asked about, at most."""

_WORD = re.compile(r"(?<!\w)[A-Za-z0-9][\w&/-]*\w")
_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[A-Z(])")


@dataclass(frozen=True)
class Lesson:
    """A text and its mentions [n] of acronyms; of each a vector, float16 [n, width]."""

    text: str
    spans: list[tuple[int, int]]
    vectors: NDArray[np.float16]

    def mentions(self, document: int) -> list[Mention]:
        """The mentions, as those of a document."""
        return [Mention(self.text, start, end, document) for start, end in self.spans]


def lessons(
    teacher: AcroBERT,
    samples: Iterable[Sample],
    known: Container[str],
    folder: Path,
    rng: np.random.Generator,
    report: Callable[[int], None] = lambda done: None,
) -> list[Lesson]:
    """What the teacher says of the samples' texts.

    known: acronyms, such as a dictionary, that are asked about wherever they stand. folder: keeps
    what the teacher said of every CHUNK texts in a file that their fingerprint names; an
    interrupted run goes on from them. rng: says which texts are cut. report: is given how many
    texts are read.
    """
    folder.mkdir(parents=True, exist_ok=True)
    marked = (_mark(sample, known, cut=rng.random() < CUT) for sample in samples)
    found: list[Lesson] = []
    fingerprint = teacher.fingerprint()
    while chunk := list(islice(marked, CHUNK)):
        described = json.dumps([fingerprint, chunk]).encode()
        path = folder / f"{hashlib.sha256(described).hexdigest()[:16]}.safetensors"
        if not path.is_file():
            _teach(teacher, chunk, path)
        found += _read(path)
        report(len(found))
    return found


def _mark(sample: Sample, known: Container[str], *, cut: bool) -> tuple[str, list[tuple[int, int]]]:
    """The sample's text or the sentence of its mention, and where it has acronyms."""
    text, (start, end) = sample.text, (sample.start, sample.end)
    if cut:
        begin = max((found.end() for found in _SENTENCE.finditer(text, 0, start + 1)), default=0)
        behind = _SENTENCE.search(text, end)
        text = text[begin : behind.start() if behind else len(text)]
        start, end = start - begin, end - begin
    others = (
        found.span()
        for found in _WORD.finditer(text)
        if (found.end() <= start or end <= found.start())
        and len(found[0]) <= LONGEST
        and sum(map(str.isupper, found[0])) > 1
        and found[0] in known
    )
    return text, sorted([(start, end), *others])


def _teach(
    teacher: AcroBERT, texts: Sequence[tuple[str, list[tuple[int, int]]]], path: Path
) -> None:
    said = teacher.encode_contexts([Mention(text, *at) for text, spans in texts for at in spans])
    write_arrays(path, {"vectors": said.astype(np.float16)}, {"texts": json.dumps(texts)})


def _read(path: Path) -> Iterator[Lesson]:
    with reading_tensors(path, "no lessons", ADVICE) as file:
        texts = json.loads(file.metadata()["texts"])
        vectors = file.get_tensor("vectors")
    at = 0
    for text, spans in texts:
        end = at + len(spans)
        places = [(first, last) for first, last in spans]
        yield Lesson(text, places, vectors[at:end])
        at = end
