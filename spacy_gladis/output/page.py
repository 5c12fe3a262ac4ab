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
    """A mention in a page.

    Attributes:
        number: The mention's number in all documents, from 1.
        text: The mention.
        answer: The mention's resolution.
        first: Whether the document doesn't mention or define it in this meaning before.
    """

    number: int
    text: str
    answer: Resolution
    first: bool


class Shown(NamedTuple):
    """A document in a page.

    Attributes:
        name: The document's name.
        parts: Plain text and mentions in text order.
    """

    name: str
    parts: list[str | MarkedMention]


def to_html(
    documents: Iterable[tuple[str, Doc]],
    title: str = "Acronyms",
    sources: Mapping[str, Source] | None = None,
) -> Iterator[str]:
    """Yield the parts of a page with documents and their glossary.

    Args:
        documents: The documents' names with the annotated documents.
        title: The page's title.
        sources: The sources that the documents were read from, by name, which have the line
            numbers.

    Yields:
        The parts of the page.
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
    """Yield plain text and mentions; `number` mentions are in the documents before."""
    text, at = doc.text, 0
    first = {start for start, _, _ in expanded(doc, Expand.tooltip, introduced=set())}
    for start, end, answer in mentions_of(doc):
        number += 1
        if start >= at:
            yield text[at:start]
            yield MarkedMention(number, text[start:end], answer, start in first)
            at = end
    yield text[at:]
