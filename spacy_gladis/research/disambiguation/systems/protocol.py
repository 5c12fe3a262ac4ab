"""What a baseline for disambiguation offers, and the words that those read without a tokenizer of
their own."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from ....arrays import Doubles
from ....dictionary import Candidate
from ...datasets.sample import Sample
from ...mining.readers import read_documents

Scores = list[Doubles]
"""For each sample one number a candidate, in the candidates' order; the largest is the answer."""

Candidates = Sequence[Sequence[Candidate]]
"""Of each sample what it may mean."""

Table = Mapping[str, Sequence[Candidate]]
"""The candidates of each acronym."""


class Baseline:
    """A system that may learn from samples and scores each sample's candidates, in `predict` all
    samples together or in `score` one by one.

    `sample.long_form` is the answer: neither may look at it.
    """

    def fit(self, samples: Iterable[Sample], development: Iterable[Sample] = ()) -> None:
        """Learn from labelled samples; a system without parameters does nothing.

        development: samples that may choose among settings or end the training, not teach.
        """

    def predict(self, samples: Sequence[Sample], candidates: Candidates) -> Scores:
        """The scores of each sample's candidates."""
        return [self.score(*pair) for pair in zip(samples, candidates, strict=True)]

    def score(self, sample: Sample, options: Sequence[Candidate]) -> Doubles:
        """The scores of one sample's candidates."""
        raise NotImplementedError


_WORD = re.compile(r"\w+")


def words(text: str) -> list[str]:
    """The words of a text in lower case: runs of letters, digits and underscores."""
    return _WORD.findall(text.lower())


def context_words(sample: Sample) -> list[str]:
    """The words around the mention; the acronym itself says nothing about its meaning."""
    return words(sample.text[: sample.start]) + words(sample.text[sample.end :])


def first_words(
    corpus: Path, limit: int, cut: Callable[[str], list[str]] = words
) -> Iterator[list[str]]:
    """The words of a corpus's first documents, a document at a time and `limit` in all.

    corpus: in any format that 'corpus extract' reads. cut: a text into words.
    """
    left = limit
    for document in read_documents(corpus):
        read = cut(document.text)[:left]
        left -= len(read)
        yield read
        if not left:
            return
