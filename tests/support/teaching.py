"""Teaching the packaged linker new senses of five acronyms.

`taught_senses.json` has sentences of the new senses and of those that everybody gives them, written
for the tests. `{a|b}` in a template stands for one of its alternatives: the first sentence of a
template takes the first of each, the second the second. The test's templates share no wording with
those trained on.
"""

import json
import random
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import spacy
from spacy.language import Language
from spacy.tokens import Doc, Span
from spacy.training import Example
from spacy.util import minibatch

EPOCHS, BATCH = 3, 8
SENSES = json.loads(Path(__file__).with_name("taught_senses.json").read_text("utf8"))
NEW = {acronym: form for acronym, senses in SENSES["test"]["new"].items() for form in senses}


class Labelled(NamedTuple):
    """A sentence, the acronym in it and the long form meant."""

    text: str
    acronym: str
    long_form: str


def training() -> list[Labelled]:
    """200 sentences of the new senses, 40 an acronym, in turn."""
    return _in_turn("training")


def new_senses() -> list[Labelled]:
    """100 other sentences of the new senses, 20 an acronym."""
    return _in_turn("test")


def old() -> list[Labelled]:
    """200 sentences of the same acronyms in their old senses, 40 an acronym."""
    return [row for rows in _labelled("training", "old") for row in rows]


def other_old() -> list[Labelled]:
    """100 other sentences of the old senses, 20 an acronym; they share no template with `old`."""
    return [row for rows in _labelled("test", "old") for row in rows]


def _in_turn(part: str) -> list[Labelled]:
    return [row for together in zip(*_labelled(part, "new"), strict=True) for row in together]


def _labelled(part: str, senses: str) -> Iterator[list[Labelled]]:
    """The sentences of each acronym."""
    for acronym, meant in SENSES[part][senses].items():
        yield [Labelled(text, acronym, form) for form in meant for text in _texts(meant[form])]


def _texts(templates: Sequence[str]) -> Iterator[str]:
    for turn in range(2):
        for template in templates:
            yield re.sub(r"\{([^{}]*)\}", lambda m: m[1].split("|")[turn], template)  # noqa: B023


def make_pipeline() -> Language:
    """The packaged linker; the new senses are entries of a source like any other."""
    nlp = spacy.blank("en")
    linker = nlp.add_pipe("acrobert_linker")
    for acronym, long_form in NEW.items():
        linker.dictionary.add(acronym, long_form, source="house")  # type: ignore[attr-defined]
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
    result = []
    for _ in range(EPOCHS):
        random.shuffle(examples)
        losses: dict[str, float] = {}
        batches = list(minibatch(examples, BATCH))
        for batch in batches:
            nlp.update(batch, sgd=optimizer, losses=losses)
        result.append(round(losses["acrobert_linker"] / len(batches), 4))
    return result
