"""Teaching the packaged linker the senses of `house_senses`."""

import random
from collections.abc import Sequence

import spacy
from spacy.language import Language
from spacy.tokens import Doc, Span
from spacy.training import Example
from spacy.util import minibatch

from tests.support.house_senses import HOUSE, Labelled

EPOCHS, BATCH = 3, 8


def make_pipeline() -> Language:
    """The packaged linker; the new senses are entries of a source like any other."""
    nlp = spacy.blank("en")
    linker = nlp.add_pipe("acrobert_linker")
    for acronym, long_form in HOUSE.items():
        linker.dictionary.add(acronym, long_form, domain="house")  # type: ignore[attr-defined]
    return nlp


def labelled_doc(nlp: Language, row: Labelled) -> Doc:
    """A reference document."""
    doc = nlp.make_doc(row.text)
    start = row.text.index(row.acronym)
    span = doc.char_span(start, start + len(row.acronym), "ACRONYM", row.long_form)
    assert isinstance(span, Span), row
    doc.spans["acronyms"] = [span]
    return doc


def accuracy(nlp: Language, rows: Sequence[Labelled]) -> float:
    """The share of sentences whose acronym is answered right, above the threshold."""
    docs = [labelled_doc(nlp, row) for row in rows]
    right = 0
    for doc, row in zip(nlp.pipe(docs), rows, strict=True):
        (span,) = doc.spans["acronyms"]
        right += (span._.long_form or "").lower() == row.long_form.lower()
    return round(right / len(rows), 4)


def train(nlp: Language, rows: Sequence[Labelled], seed: int = 0) -> list[float]:
    """Three epochs with the optimizer that spaCy gives; each epoch's mean loss of a batch."""
    random.seed(seed)
    examples = [Example(nlp.make_doc(row.text), labelled_doc(nlp, row)) for row in rows]
    optimizer = nlp.resume_training()
    found = []
    for _ in range(EPOCHS):
        random.shuffle(examples)
        losses: dict[str, float] = {}
        batches = list(minibatch(examples, BATCH))
        for batch in batches:
            nlp.update(batch, sgd=optimizer, losses=losses)
        found.append(round(losses["acrobert_linker"] / len(batches), 4))
    return found
