"""Base class of the systems LSTM-CRF and LNCRF, which tag words with a conditional random field."""

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
"""BIOES tags of words: B, I, E and S for acronyms, the same for long forms, and O for others. SciAI
has five BIO labels, which also distinguish acronyms from long forms (section 2.1). The paper's
network has five tags, too, but the paper calls them BIOES tags (Appendix A)."""

READ_AT_ONCE = 64
"""Number of texts that are tagged in one batch."""


class TaggedWords(NamedTuple):
    """The words of a text with their part-of-speech tags.

    Attributes:
        words: Words in text order, spelled as in the text.
        tags: Part-of-speech tag of each word.
    """

    words: list[str]
    tags: list[str]

    @classmethod
    def of(cls, doc: "Doc") -> "TaggedWords":
        """Extract the words of a spaCy document and their part-of-speech tags.

        Args:
            doc: Document that a spaCy pipeline has processed.

        Returns:
            A word and a tag for each token. The tag is the fine-grained `tag_`. If the pipeline
            does not assign it, the tag is the coarse `pos_`, which may be empty.
        """
        return cls([token.text for token in doc], [token.tag_ or token.pos_ for token in doc])


class WordLabeller(IdentificationSystem):
    """Base class of systems that find acronyms and long forms by tagging words with a network.

    The words are the tokens of a spaCy pipeline. The words of SciAI's files are not used, because a
    system only receives the text.

    A subclass creates the network, which must have two methods. `loss(rows, gold)` returns the
    negative log-likelihood of the gold tags, averaged over texts. `decode(rows)` returns the ids of
    the most likely tags of each text. An id is an index into `TAGS`.

    Attributes:
        epochs: Number of passes over the training texts.
        batch: Number of texts in a training step.
        learning_rate: Learning rate of the Adam optimizer.
        seed: Random seed of the weights and of the batches.
    """

    epochs: int
    batch: int
    learning_rate: float
    seed: int

    def load(self) -> "Language":
        """Load the spaCy pipeline that splits texts into words.

        Returns:
            The pipeline, which may also assign part-of-speech tags.

        Raises:
            NotImplementedError: If a subclass does not override this method.
        """
        raise NotImplementedError

    def read(self, docs: "Sequence[Doc]") -> list[Any]:
        """Convert texts to the inputs of the network.

        Args:
            docs: Texts that the pipeline has processed. None of them is empty.

        Returns:
            An input for each text, in the form that the subclass's network expects.

        Raises:
            NotImplementedError: If a subclass does not override this method.
        """
        raise NotImplementedError

    def make_network(self, docs: "Sequence[Doc]") -> Any:
        """Create the untrained network, whose vocabulary may come from the training texts.

        Args:
            docs: Training texts that the pipeline has processed. None of them is empty.

        Returns:
            A torch module with the methods `loss` and `decode`.

        Raises:
            NotImplementedError: If a subclass does not override this method.
        """
        raise NotImplementedError

    def fit(self, training: Training) -> None:
        """Train the network on texts with marked acronyms and long forms.

        Args:
            training: Texts with the character offsets of their acronyms and long forms.

        Raises:
            InputError: If there are no training texts, or if they contain no words.
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
        """Mark the acronyms and long forms in texts.

        Args:
            questions: Texts to tag. They may be empty.

        Yields:
            The character offsets of the acronyms and long forms of each text, in the order of the
            texts.
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
    """Convert BIO labels of words to BIOES tags.

    In BIOES, E marks the last word of a span, and S a span of a single word. For example, ``B-long
    I-long O B-short`` becomes ``B-long E-long O S-short``.

    Args:
        labels: BIO label of each word of a text.

    Returns:
        The BIOES tag of each word.
    """
    ends = {"B": "S", "I": "E"}
    return [
        label if label == "O" or after == f"I{label[1:]}" else ends[label[0]] + label[1:]
        for label, after in zip(labels, [*labels[1:], "O"], strict=True)
    ]


def from_bioes(tags: Sequence[str]) -> list[str]:
    """Convert BIOES tags of words to BIO labels: E becomes I, and S becomes B.

    Args:
        tags: BIOES tag of each word of a text.

    Returns:
        The BIO label of each word.
    """
    return [{"E": "I", "S": "B"}.get(tag[0], tag[0]) + tag[1:] for tag in tags]
