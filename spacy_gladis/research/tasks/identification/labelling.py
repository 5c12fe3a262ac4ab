"""What LSTM-CRF and LNCRF share: words get BIOES tags from a network that ends in a CRF."""

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import torch

from ....errors import InputError
from ....pipeline.tags import LABELS, gold_labels
from ....text import Offsets, decode_bio, repair_bio
from ..bilstm import epoch
from .data import Found, Training, labelled
from .system import IdentificationSystem, apart

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc

TAGS = ("O", *(f"{prefix}{label[1:]}" for label in LABELS[1::2] for prefix in "BIES"))
"""BIOES tags of both kinds. SciAI's five tags do not tell an acronym from a long form."""

READ_AT_ONCE = 64
"""Texts in a batch that is only read."""


class TaggedWords(NamedTuple):
    """A text's words and their part-of-speech tags."""

    words: list[str]
    tags: list[str]

    @classmethod
    def of(cls, doc: "Doc") -> "TaggedWords":
        return cls([token.text for token in doc], [token.tag_ or token.pos_ for token in doc])


class WordLabeller(IdentificationSystem):
    """A system that tags words one by one; a subclass reads texts and makes the network.

    The network has `loss(rows, gold)`, minus the log-likelihood of a text's tags, the mean over
    texts, and `decode(rows)`, the numbers of the likeliest tags of each text.
    """

    epochs: int
    batch: int
    learning_rate: float
    seed: int

    def load(self) -> "Language":
        """Load the pipeline that cuts texts into words."""
        raise NotImplementedError

    def read(self, docs: "Sequence[Doc]") -> list[Any]:
        """Return what the network takes of each text; none is empty."""
        raise NotImplementedError

    def make_network(self, docs: "Sequence[Doc]") -> Any:
        """Make the network for training texts."""
        raise NotImplementedError

    def fit(self, training: Training) -> None:
        """Train on texts that people marked.

        Raises:
            InputError: If there are none.
        """
        marked = labelled(training)
        self._nlp = self.load()
        docs, gold = [], []
        for doc, one in zip(self._nlp.pipe(one.text for one in marked), marked, strict=True):
            if len(doc):
                docs.append(doc)
                labels = to_bioes(gold_labels(doc, one.short, one.long))
                gold.append(torch.tensor([TAGS.index(tag) for tag in labels]))
        if not docs:
            raise InputError("The training texts hold no word.")
        torch.manual_seed(self.seed)
        rng = np.random.default_rng(self.seed)
        self._network = self.make_network(docs)
        rows, texts = self.read(docs), list(map(TaggedWords.of, docs))
        optimizer = torch.optim.Adam(self._network.parameters(), lr=self.learning_rate)
        for _ in range(self.epochs):
            for indices in epoch(texts, self.batch, rng):
                optimizer.zero_grad()
                batch = [rows[index] for index in indices], [gold[index] for index in indices]
                self._network.loss(*batch).backward()
                optimizer.step()
        self._network.eval()

    def predict(self, questions: Sequence[str]) -> Iterator[Found]:
        """Mark every text."""
        stream = self._nlp.pipe(questions)
        while docs := list(islice(stream, READ_AT_ONCE)):
            rows = [doc for doc in docs if len(doc)]
            with torch.inference_mode():
                decoded = iter(self._network.decode(self.read(rows)) if rows else [])
            for doc in docs:
                yield _found(doc, next(decoded)) if len(doc) else Found(set(), set())


def _found(doc: "Doc", tags: Sequence[int]) -> Found:
    found: dict[str, set[Offsets]] = {"short": set(), "long": set()}
    labels = from_bioes([TAGS[tag] for tag in tags])
    for start, end, kind in decode_bio(repair_bio(labels)[0]):
        span = doc[start:end]
        found[kind].add((span.start_char, span.end_char))
    return apart(found["short"], found["long"])


def to_bioes(labels: Sequence[str]) -> list[str]:
    """Turn BIO labels into BIOES tags: E ends a span of several words, S is a span of one."""
    ends = {"B": "S", "I": "E"}
    return [
        label if label == "O" or after == f"I{label[1:]}" else ends[label[0]] + label[1:]
        for label, after in zip(labels, [*labels[1:], "O"], strict=True)
    ]


def from_bioes(tags: Sequence[str]) -> list[str]:
    """Turn BIOES tags into BIO labels."""
    return [{"E": "I", "S": "B"}.get(tag[0], tag[0]) + tag[1:] for tag in tags]
