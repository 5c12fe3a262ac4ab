"""An HTML page that shows annotated texts, in one file without scripts or external resources."""

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
    """A mention of an acronym that a page highlights.

    Attributes:
        number: The number of the mention, counted from 1 through all documents.
        text: The mention as it is written in the document.
        answer: The mention's resolution.
        first: Whether the acronym has this meaning here for the first time in its document, without
            an earlier mention or definition.
    """

    number: int
    text: str
    answer: Resolution
    first: bool


class Shown(NamedTuple):
    """A document that a page shows.

    Attributes:
        name: The document's name.
        parts: The document's text, split into plain text and mentions, in text order.
    """

    name: str
    parts: list[str | MarkedMention]


def to_html(
    documents: Iterable[tuple[str, Doc]],
    title: str = "Acronyms",
    sources: Mapping[str, Source] | None = None,
) -> Iterator[str]:
    """Yield the parts of an HTML page that shows documents and a glossary of their acronyms.

    Args:
        documents: Pairs of a document's name and the annotated document.
        title: The page's title.
        sources: The sources that the documents were read from, by name. They provide line numbers.

    Yields:
        The parts of the page, which are written one after the other.
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
    """Yield plain text and mentions. `number` is the number of mentions in earlier documents."""
    text, at = doc.text, 0
    first = {start for start, _, _ in expanded(doc, Expand.tooltip, introduced=set())}
    for start, end, answer in mentions_of(doc):
        number += 1
        if start >= at:
            yield text[at:start]
            yield MarkedMention(number, text[start:end], answer, start in first)
            at = end
    yield text[at:]
