"""An HTML page that shows annotated texts. It is one file without scripts or external resources."""

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
    """An acronym that an HTML page highlights in a text.

    Attributes:
        number: Number of the mention, counted from 1 through all documents.
        text: The acronym as it is written in the document.
        answer: Resolution of the mention, with its long form and probability.
        first: Whether this is the acronym's first mention with this meaning in its document,
            without an earlier definition.
    """

    number: int
    text: str
    answer: Resolution
    first: bool


class Shown(NamedTuple):
    """A document that an HTML page shows.

    Attributes:
        name: Name of the document.
        parts: Text of the document, split into strings of plain text and acronyms, in text order.
    """

    name: str
    parts: list[str | MarkedMention]


def to_html(
    documents: Iterable[tuple[str, Doc]],
    title: str = "Acronyms",
    sources: Mapping[str, Source] | None = None,
) -> Iterator[str]:
    """Yield the parts of an HTML page that shows documents with their acronyms, and a glossary.

    Documents are rendered one at a time, so you can write each part to a file at once.

    Args:
        documents: Pairs of a document's name and the annotated document.
        title: Title of the page.
        sources: Texts that the documents were read from, by the name of the document. They provide
            the line numbers in the files. None counts the lines in each document's text.

    Yields:
        Strings that form the page when they are joined.
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
    """Yield the parts of a document's text: strings of plain text, and acronyms to highlight.

    Args:
        doc: Document that a pipeline has annotated.
        number: Number of mentions in all earlier documents.
    """
    text, at = doc.text, 0
    first = {start for start, _, _ in expanded(doc, Expand.tooltip, introduced=set())}
    for start, end, answer in mentions_of(doc):
        number += 1
        if start >= at:
            yield text[at:start]
            yield MarkedMention(number, text[start:end], answer, start in first)
            at = end
    yield text[at:]
