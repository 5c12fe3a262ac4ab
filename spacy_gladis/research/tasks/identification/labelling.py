"""What systems share that label the words of a text one by one."""

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING

from ....errors import InputError
from ....pipeline.tags import gold_labels
from ....text import Offsets, decode_bio, repair_bio
from .data import Found, Training, labelled
from .system import IdentificationSystem, apart

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc

READ_AT_ONCE = 64
"""Texts in a batch that is only read."""


class WordLabeller(IdentificationSystem):
    """A system that gives each word a BIO label; a subclass cuts texts, trains and labels."""

    def load(self) -> "Language":
        """Load the pipeline that cuts texts into words."""
        raise NotImplementedError

    def train(self, docs: "Sequence[Doc]", labels: Sequence[list[str]]) -> None:
        """Learn from texts, none empty, and the BIO labels of their words."""
        raise NotImplementedError

    def label(self, docs: "Sequence[Doc]") -> list[list[str]]:
        """Return the BIO labels of texts, none of which is empty."""
        raise NotImplementedError

    def fit(self, training: Training) -> None:
        """Train on texts that people marked.

        Raises:
            InputError: If there are none.
        """
        marked = labelled(training)
        self._nlp = self.load()
        pairs = zip(self._nlp.pipe(one.text for one in marked), marked, strict=True)
        rows = [(doc, gold_labels(doc, one.short, one.long)) for doc, one in pairs if len(doc)]
        if not rows:
            raise InputError("The training texts hold no word.")
        self.train([doc for doc, _ in rows], [labels for _, labels in rows])

    def predict(self, questions: Sequence[str]) -> Iterator[Found]:
        """Mark every text."""
        stream = self._nlp.pipe(questions)
        while docs := list(islice(stream, READ_AT_ONCE)):
            rows = [doc for doc in docs if len(doc)]
            labels = iter(self.label(rows) if rows else [])
            for doc in docs:
                yield _found(doc, next(labels)) if len(doc) else Found(set(), set())


def _found(doc: "Doc", labels: list[str]) -> Found:
    found: dict[str, set[Offsets]] = {"short": set(), "long": set()}
    for start, end, kind in decode_bio(repair_bio(labels)[0]):
        span = doc[start:end]
        found[kind].add((span.start_char, span.end_char))
    return apart(found["short"], found["long"])
