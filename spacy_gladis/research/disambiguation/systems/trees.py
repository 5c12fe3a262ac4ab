"""Dependency trees of samples, from any spaCy pipeline with a parser."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from ....errors import InputError
from ...datasets.sample import Sample
from ...spacy_pipeline import advice

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc


class Tree(NamedTuple):
    """A parsed text: its words in lower case, their tags, the place of each one's head (its own
    for a root), and the place of the mention."""

    words: list[str]
    tags: list[str]
    heads: list[int]
    mention: int


def parse(nlp: "Language", samples: Sequence[Sample]) -> list[Tree]:
    """The trees of the samples' texts. Raises InputError for a text that was not parsed."""
    docs = nlp.pipe(sample.text for sample in samples)
    return [make_tree(doc, sample) for doc, sample in zip(docs, samples, strict=True)]


def make_tree(doc: "Doc", sample: Sample) -> Tree:
    """The tree of a sample's document."""
    if not doc.has_annotation("DEP"):
        raise InputError(f"The text {sample.text[:60]!r} was not parsed. {advice('parser')}")
    mention = doc.char_span(sample.start, sample.end, alignment_mode="expand")
    return Tree(
        [token.lower_ for token in doc],
        [token.tag_ or token.pos_ for token in doc],
        [token.head.i for token in doc],
        mention.start if mention else 0,
    )
