"""Where the components' findings lie in a Doc, and how to read them.

Spans lie in `doc.spans`; everything else in the SpanGroup's `attrs` as plain JSON, by character
offsets. So all of it survives `DocBin`, `to_bytes` and other processes, which no Span in an
extension attribute does. The layout of the acronyms' `attrs`:

- `definitions`: a list of `{"acronym": [start, end], "long_form": [start, end], "pattern",
  "confidence"}`, the text's own definitions; `"ending": [start, end]` where the long form's last
  words stand apart, as in "scanning (SEM) and transmission (TEM) electron microscopy";
- `defined`: `{"start:end": index into definitions}` for every mention that the text explains;
- `expanded`: `{"start:end": [[start, end], ...]}` for spans larger than the mentions in them,
  because a mention begins or ends inside a token;
- `resolutions`: `{"start:end": Resolution as a dictionary}`, the linker's answers.

Phrases linked to concepts have in their `attrs`:

- `links`: `{"start:end": ConceptLink as a dictionary}`.

The long forms' `attrs` have `expanded` where a long form begins or ends inside a token.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Any

from spacy.tokens import Doc, Span, SpanGroup

from ..rules import Definition
from .concept_link import ConceptLink
from .resolution import NIL, Resolution
from .span_groups import current_group, span_key, update_groups

ACRONYMS = "acronyms"
LONG_FORMS = "long_forms"
ACRONYM_LABEL = "ACRONYM"
LONG_FORM_LABEL = "LONG_FORM"
RESOLUTIONS, LINKS = "resolutions", "links"
_MOST_WORDS = 1 << 17
_PIECES: dict[int, str] = {}
"""Words by twice spaCy's hash of them, which is the same in every vocabulary; with a space behind,
by the number after it."""
_APART = re.compile(r"[\s,(]|[+-]\w")  # parts mentions of one token: "T1,T2", "2D-3D"
DOCUMENT = "document"
"""The key of `doc.user_data` under which a document's path is."""


def mention_offsets(group: SpanGroup, span: Span) -> tuple[int, int]:
    """The mention's character offsets, without what its tokens hold beyond it.

    Of several that a token holds it is the first where the text explains that one and no answer is
    of all, or where they stand in a row; else they are one mention: `3BR/2BA`, `ER-/PR-`.
    """
    key, first, whole = span_key(span), first_offsets(group, span), joined_offsets(group, span)
    if first != whole and key in group.attrs.get("defined", {}):
        answered = group.attrs.get(RESOLUTIONS, {}).get(key, {}).get("acronym")
        return whole if answered == text_at(span.doc, *whole) else first
    return whole


def first_offsets(group: SpanGroup, span: Span) -> tuple[int, int]:
    """The character offsets of the first mention that the tokens of a span hold."""
    inside = group.attrs.get("expanded", {}).get(span_key(span))
    start, end = inside[0] if inside else (span.start_char, span.end_char)
    return start, end


def joined_offsets(group: SpanGroup, span: Span) -> tuple[int, int]:
    """Those of all that they hold; of the first where these stand in a row."""
    start, end = first_offsets(group, span)
    inside = group.attrs.get("expanded", {}).get(span_key(span), ())
    if len(inside) > 1:
        words, size = span.text[start - span.start_char :], inside[-1][1] - start
        if not _APART.search(words, 0, size):
            end = start + size + (words[size:] in ("+", "-"))
    return start, end


def all_offsets(group: SpanGroup) -> Iterator[tuple[int, int]]:
    """The character offsets of all that a group's spans hold, two where a token holds two."""
    expanded = group.attrs.get("expanded", {})
    for span in group:
        places = expanded.get(span_key(span), [(span.start_char, span.end_char)])
        yield from ((start, end) for start, end in places)


def text_of(doc: Doc) -> str:
    """`doc.text` without an object for every token, which takes longer."""
    array = doc.to_array(["ORTH", "SPACY"])
    keys = (2 * array[:, 0] + array[:, 1]).tolist()
    pieces = [_PIECES.get(key, "") for key in keys]
    if "" in pieces:
        if len(_PIECES) > _MOST_WORDS:
            _PIECES.clear()
        for index, piece in enumerate(pieces):
            if not piece:
                pieces[index] = _PIECES[keys[index]] = doc[index].text_with_ws
    return "".join(pieces)


def text_at(doc: Doc, start: int, end: int) -> str:
    """`doc.text[start:end]` without building the whole text."""
    span = doc.char_span(start, end, alignment_mode="expand")
    return "" if span is None else span.text[start - span.start_char : end - span.start_char]


def definition_of(group: SpanGroup, span: Span) -> dict[str, Any] | None:
    """The record of the text's own definition of this mention, if the detector wrote one."""
    index = group.attrs.get("defined", {}).get(span_key(span))
    return None if index is None else group.attrs["definitions"][index]


def defined_words(text: str, record: dict[str, Any]) -> str:
    """The whole long form of a definition's record, its last words among it if they stand apart."""
    begin, end = record["long_form"]
    last = record.get("ending")
    found = Definition((0, 0), (begin, end), ending=(last[0], last[1]) if last else None)
    return found.words(text)


def _words_of(doc: Doc, record: dict[str, Any]) -> str:
    """`defined_words` without building the whole text."""
    parts = {key: record[key] for key in ("acronym", "long_form", "ending") if record.get(key)}
    first = min(start for start, _ in parts.values())
    text = text_at(doc, first, max(end for _, end in parts.values()))
    shifted = {key: [start - first, end - first] for key, (start, end) in parts.items()}
    return defined_words(text, shifted)


def defined_resolution(acronym: str, long_form: str, confidence: float = 1.0) -> Resolution:
    """The resolution of an acronym that the text itself explains with these words."""
    acronym, long_form = (" ".join(words.split()) for words in (acronym, long_form))
    return Resolution(acronym, long_form, confidence, "definition", ((long_form, confidence),))


def find_resolution(span: Span) -> Resolution | None:
    """What is known of the acronym at this span: the linker's answer or the text's definition."""
    key = span_key(span)
    groups = list(acronym_groups(span.doc, current=False))
    for group in groups:
        record = group.attrs.get(RESOLUTIONS, {}).get(key)
        if record is not None:
            return Resolution.from_dict(record)
    return next(filter(None, (find_definition(group, span) for group in groups)), None)


def find_definition(group: SpanGroup, span: Span) -> Resolution | None:
    """What the text's own definition says of the first acronym at this span, if there is one."""
    definition = definition_of(group, span)
    if definition is None:
        return None
    acronym = text_at(span.doc, *first_offsets(group, span))
    return defined_resolution(acronym, _words_of(span.doc, definition), definition["confidence"])


def find_concept_link(span: Span) -> ConceptLink | None:
    """The concept linker's answer for the phrase at this span, or None."""
    key = span_key(span)
    for group in span.doc.spans.values():
        record = group.attrs.get(LINKS, {}).get(key)
        if record is not None:
            return ConceptLink.from_dict(record)
    return None


def write_answers(
    doc: Doc, key: str, attribute: str, answers: Sequence[Resolution | ConceptLink]
) -> None:
    """Give the spans of `doc.spans[key]` the `kb_id_` of their answers, one a span in order.

    The answers themselves go to the group's `attrs[attribute]`. Without such a group nothing is
    done.
    """
    group = current_group(doc, key)
    if group is None:
        return
    spans, records = [], {}
    for s, answer in zip(group, answers, strict=True):
        spans.append(Span(doc, s.start, s.end, label=s.label, kb_id=answer.kb_id, span_id=s.id))
        records[span_key(s)] = answer.to_dict()
    attrs = {**group.attrs, attribute: records}
    doc.spans[key] = SpanGroup(doc, name=key, spans=spans, attrs=attrs)


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
    spans = {(s.start, s.end): s for group in acronym_groups(doc) for s in group}
    return [spans[place] for place in sorted(spans)]


def acronym_groups(doc: Doc, current: bool = True) -> Iterator[SpanGroup]:
    """The groups of acronyms in `doc.spans`, whatever their keys.

    current: first bring all of `doc.spans` up to date with tokens merged or split since.
    """
    if current:
        update_groups(doc)
    for key, group in doc.spans.items():
        if key == ACRONYMS or RESOLUTIONS in group.attrs or "definitions" in group.attrs:
            yield group


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
