"""Base class of LSTM-CRF and LNCRF, which tag words in BIOES with a CRF."""

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import torch

from ....errors import InputError
from ....pipeline.tags import LABELS, gold_labels
from ....text import Offsets, decode_bio, repair_bio
from ..bilstm import epoch
from .data import Prediction, Training, labelled
from .system import IdentificationSystem, apart

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc

TAGS = ("O", *(f"{prefix}{label[1:]}" for label in LABELS[1::2] for prefix in "BIES"))
"""BIOES tags of acronyms and of long forms. SciAI's five tags don't distinguish the two."""

READ_AT_ONCE = 64
"""Number of texts in a batch at inference."""


class TaggedWords(NamedTuple):
    """The words of a text with their part-of-speech tags.

    Attributes:
        words: The words.
        tags: Their part-of-speech tags.
    """

    words: list[str]
    tags: list[str]

    @classmethod
    def of(cls, doc: "Doc") -> "TaggedWords":
        """Extract the words and part-of-speech tags of a document.

        Args:
            doc: The document.

        Returns:
            The words and tags. The tags are fine-grained if the pipeline provides such tags.
        """
        return cls([token.text for token in doc], [token.tag_ or token.pos_ for token in doc])


class WordLabeller(IdentificationSystem):
    """Base class of systems that tag words with a neural network.

    A subclass creates the network, which has two methods. `loss(rows, gold)` returns the negative
    log-likelihood of the gold tags, averaged over texts. `decode(rows)` returns the ids of the most
    likely tags of each text.

    Attributes:
        epochs: Number of passes over the training texts.
        batch: Number of texts in a training step.
        learning_rate: Learning rate of the Adam optimizer.
        seed: Random seed of the         eights and batches.
    """

    epochs: int
    batch: int
    learning_rate: float
    seed: int

    def load(self) -> "Language":
        """Load the pipeline that splits texts into words.

        Returns:
            The pipeline.
        """
        raise NotImplementedError

    def read(self, docs: "Sequence[Doc]") -> list[Any]:
        """Convert texts to the network's inputs.

        Args:
            docs: The texts, none of them empty.

        Returns:
            An input for each text.
        """
        raise NotImplementedError

    def make_network(self, docs: "Sequence[Doc]") -> Any:
        """Create the network for the training texts.

        Args:
            docs: The texts, none of them empty.

        Returns:
            A module with `loss` and `decode`.
        """
        raise NotImplementedError

    def fit(self, training: Training) -> None:
        """Train on marked texts.

        Args:
            training: Marked texts.

        Raises:
            InputError: If there are no marked texts, or they contain no words.
        """
        marked = labelled(training)
        self._nlp = self.load()
        docs, gold = [], []
        for doc, text in zip(self._nlp.pipe(text.text for text in marked), marked, strict=True):
            if len(doc):
                docs.append(doc)
                labels = to_bioes(gold_labels(doc, text.short, text.long))
                gold.append(torch.tensor([TAGS.index(tag) for tag in labels]))
        if not docs:
            raise InputError("The training texts contain no words.")
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

    def predict(self, questions: Sequence[str]) -> Iterator[Prediction]:
        """Mark the acronyms and long forms in every text.

        Args:
            questions: The texts.

        Yields:
            Character offsets of each text's acronyms and long forms.
        """
        stream = self._nlp.pipe(questions)
        while docs := list(islice(stream, READ_AT_ONCE)):
            rows = [doc for doc in docs if len(doc)]
            with torch.inference_mode():
                decoded = iter(self._network.decode(self.read(rows)) if rows else [])
            for doc in docs:
                yield _decode_spans(doc, next(decoded)) if len(doc) else Prediction(set(), set())


def _decode_spans(doc: "Doc", tags: Sequence[int]) -> Prediction:
    spans: dict[str, set[Offsets]] = {"short": set(), "long": set()}
    labels = from_bioes([TAGS[tag] for tag in tags])
    for start, end, kind in decode_bio(repair_bio(labels)[0]):
        span = doc[start:end]
        spans[kind].add((span.start_char, span.end_char))
    return apart(spans["short"], spans["long"])


def to_bioes(labels: Sequence[str]) -> list[str]:
    """Convert BIO labels to BIOES tags.

    E marks the last word of a span of several words, S a span of a single word.

    Args:
        labels: BIO labels.

    Returns:
        BIOES tags.
    """
    ends = {"B": "S", "I": "E"}
    return [
        label if label == "O" or after == f"I{label[1:]}" else ends[label[0]] + label[1:]
        for label, after in zip(labels, [*labels[1:], "O"], strict=True)
    ]


def from_bioes(tags: Sequence[str]) -> list[str]:
    """Convert BIOES tags to BIO labels.

    Args:
        tags: BIOES tags.

    Returns:
        BIO labels.
    """
    return [{"E": "I", "S": "B"}.get(tag[0], tag[0]) + tag[1:] for tag in tags]
