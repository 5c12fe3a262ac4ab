"""Where the components' findings lie in a Doc, and how to read them.

Spans lie in `doc.spans`; everything else in the SpanGroup's `attrs` as plain JSON, by character
offsets. So all of it survives `DocBin`, `to_bytes` and other processes, which no Span in an
extension attribute does. The layout of the acronyms' `attrs`:

- `definitions`: a list of `{"acronym": [start, end], "long_form": [start, end], "pattern",
  "confidence"}`, the text's own definitions;
- `defined`: `{"start:end": index into definitions}` for every mention that the text explains;
- `expanded`: `{"start:end": [[start, end], ...]}` for spans larger than the mentions in them,
  because a mention begins or ends inside a token;
- `resolutions`: `{"start:end": Resolution as a dictionary}`, the linker's answers.
"""

from collections.abc import Iterator
from typing import Any

from spacy.tokens import Doc, Span, SpanGroup

from .resolution import Resolution

ACRONYMS = "acronyms"
LONG_FORMS = "long_forms"


def span_key(span: Span) -> str:
    """The span's place in its text, as the key of `attrs`."""
    return f"{span.start_char}:{span.end_char}"


def acronym_text(group: SpanGroup, span: Span) -> tuple[str, int, int]:
    """The mention itself and its offsets, without what its tokens hold beyond it."""
    inside = group.attrs.get("expanded", {}).get(span_key(span))
    start, end = inside[0] if inside else (span.start_char, span.end_char)
    return span.doc.text[start:end], start, end


def definition_of(group: SpanGroup, span: Span) -> dict[str, Any] | None:
    """The record of the text's own definition of this mention, if it has one."""
    index = group.attrs.get("defined", {}).get(span_key(span))
    return None if index is None else group.attrs["definitions"][index]


def long_form_text(doc: Doc, definition: dict[str, Any]) -> str:
    """A definition's long form on one line."""
    start, end = definition["long_form"]
    return " ".join(doc.text[start:end].split())


def find_resolution(span: Span) -> Resolution | None:
    """What is known of the acronym at this span: the linker's answer or the text's definition."""
    key = span_key(span)
    for group in _acronym_groups(span.doc):
        record = group.attrs.get("resolutions", {}).get(key)
        if record is not None:
            return Resolution.from_dict(record)
    for group in _acronym_groups(span.doc):
        definition = definition_of(group, span)
        if definition is not None:
            long_form = long_form_text(span.doc, definition)
            acronym, _, _ = acronym_text(group, span)
            pairs = ((long_form, 1.0),)
            return Resolution(acronym, long_form, 1.0, "definition", pairs)
    return None


def find_long_form(span: Span) -> str | None:
    """The long form of the acronym at this span, or None."""
    resolution = find_resolution(span)
    return None if resolution is None else resolution.long_form


def find_acronym_spans(doc: Doc) -> list[Span]:
    """The acronyms that the components found or resolved in a document, in order."""
    spans = {(s.start, s.end): s for group in _acronym_groups(doc) for s in group}
    return [spans[place] for place in sorted(spans)]


def _acronym_groups(doc: Doc) -> Iterator[SpanGroup]:
    for group in doc.spans.values():
        if "resolutions" in group.attrs or "definitions" in group.attrs:
            yield group


def install_extensions() -> None:
    """Give `Span` and `Doc` the attributes `span._.long_form`, `span._.resolution` and
    `doc._.acronyms`, unless attributes of these names are there already."""
    if not Span.has_extension("long_form"):
        Span.set_extension("long_form", getter=find_long_form)
    if not Span.has_extension("resolution"):
        Span.set_extension("resolution", getter=find_resolution)
    if not Doc.has_extension("acronyms"):
        Doc.set_extension("acronyms", getter=find_acronym_spans)
