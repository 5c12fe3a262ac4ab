"""How users read what the components found: attributes of `Span` and `Doc`, all of them getters."""

from collections.abc import Iterator
from typing import Any

from spacy.tokens import Doc, Span, SpanGroup

from ..resolution import NIL, ConceptLink, Resolution
from ..rules import Definition
from .findings import (
    ACRONYM_LABEL,
    Findings,
    current_group,
    has_acronyms,
    link_at,
    place_of,
    resolution_at,
)

ACRONYMS = "acronyms"
LONG_FORMS = "long_forms"
DOCUMENT = "document"
"""The key of `doc.user_data` under which a document's path is."""


def find_resolution(span: Span) -> Resolution | None:
    """What is known of the acronym at this span: the linker's answer or the text's definition."""
    found = (resolution_at(group, span) for group in span.doc.spans.values())
    return next((one for one in found if one is not None), None)


def find_concept_link(span: Span) -> ConceptLink | None:
    """The concept linker's answer for the phrase at this span, or None."""
    found = (link_at(group, span) for group in span.doc.spans.values())
    return next((one for one in found if one is not None), None)


def find_long_form(span: Span) -> str | None:
    """The long form of the acronym at this span, or None."""
    resolution = find_resolution(span)
    if resolution is not None:
        return resolution.long_form
    # `Doc.from_docs` drops attrs, but keeps what a span says of itself.
    known = span.label_ == ACRONYM_LABEL and span.kb_id_ not in ("", NIL)
    return span.kb_id_ if known else None


def find_acronym_spans(doc: Doc) -> list[Span]:
    """The acronyms that the components found or resolved in a document, in order."""
    spans = {place_of(span): span for group in acronym_groups(doc) for span in group}
    return [spans[place] for place in sorted(spans)]


def acronym_groups(doc: Doc) -> Iterator[SpanGroup]:
    """The groups of acronyms in `doc.spans`, whatever their keys, of the tokens as they are."""
    for key in list(doc.spans):
        group = current_group(doc, key)
        if group is not None and (key == ACRONYMS or has_acronyms(group)):
            yield group


def mentions_of(doc: Doc) -> list[tuple[int, int, Resolution]]:
    """The document's mentions that have a resolution, by character offsets, in order."""
    answers = ((place_of(span), find_resolution(span)) for span in find_acronym_spans(doc))
    return [(*place, answer) for place, answer in answers if answer is not None]


def definitions_of(doc: Doc) -> list[Definition]:
    """The text's own definitions, in order."""
    return [one for group in doc.spans.values() for one in Findings.of(group).definitions]


def install_extensions() -> None:
    """Give `Span` and `Doc` the attributes `span._.long_form`, `span._.resolution`,
    `span._.concept_link` and `doc._.acronyms`, unless attributes of these names are there."""
    extensions: tuple[tuple[Any, str, Any], ...] = (
        (Span, "long_form", find_long_form),
        (Span, "resolution", find_resolution),
        (Span, "concept_link", find_concept_link),
        (Doc, "acronyms", find_acronym_spans),
    )
    for owner, name, getter in extensions:
        if not owner.has_extension(name):
            owner.set_extension(name, getter=getter)
