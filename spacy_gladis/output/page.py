"""A page that shows texts with their acronyms explained: one file, no connection, no script."""

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from spacy.tokens import Doc

from ..documents.source import Source
from ..pipeline.annotations import mentions_of
from ..resolution import Resolution
from .expansion import Expand, expanded
from .glossary import Glossary
from .templates import render


class MarkedMention(NamedTuple):
    """A mention in a page: its number among all, its text, what is known of it.

    first: whether its document neither uses nor defines it in this meaning before.
    """

    number: int
    text: str
    answer: Resolution
    first: bool


class Shown(NamedTuple):
    """A document in a page: its name, and plain text and mentions in turn."""

    name: str
    parts: list[str | MarkedMention]


def to_html(
    documents: Iterable[tuple[str, Doc]],
    title: str = "Acronyms",
    sources: Mapping[str, Source] | None = None,
) -> Iterator[str]:
    """Yield the parts of a page with these named documents, and their glossary at the end.

    sources: what each was read from, whose lines are told.
    """
    glossary = Glossary()
    shown = _shown(documents, glossary, sources or {})
    yield from render("annotated.jinja", title=title, documents=shown, glossary=glossary)


def _shown(
    documents: Iterable[tuple[str, Doc]], glossary: Glossary, sources: Mapping[str, Source]
) -> Iterator[Shown]:
    for name, doc in documents:
        yield Shown(name, list(_parts(doc, glossary.mentions)))
        glossary.add(name, doc, sources.get(name))


def _parts(doc: Doc, number: int) -> Iterator[str | MarkedMention]:
    """number: of the mentions in the documents before."""
    text, at = doc.text, 0
    first = {start for start, _, _ in expanded(doc, Expand.tooltip, said=set())}
    for start, end, answer in mentions_of(doc):
        number += 1
        if start >= at:
            yield text[at:start]
            yield MarkedMention(number, text[start:end], answer, start in first)
            at = end
    yield text[at:]
