"""What the detector finds in one text, and how it is written to `doc.spans`."""

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from spacy.tokens import Doc, Span, SpanGroup

from ..rules import Definition
from .annotations import ACRONYM_LABEL, LONG_FORM_LABEL, text_at
from .span_groups import span_key

Offsets = tuple[int, int]
Expanded = dict[str, list[list[int]]]


class Findings(NamedTuple):
    """What one text holds: definitions, mentions with the index of their definition, long forms."""

    definitions: list[Definition]
    mentions: list[tuple[Offsets, int | None]]
    long_forms: list[Offsets]  # with a tagger also those that no acronym was found for


def write_findings(doc: Doc, findings: Findings, spans_key: str, long_forms_key: str) -> None:
    """Write findings to `doc.spans` as spans of whole tokens; `annotations` has the layout.

    Of acronyms that share a token the first one has a span, of long forms in the same tokens; those
    that a slash joins have one span, wherever their tokens are cut: `4G/5` and `G`.
    """
    mentions = dict(findings.mentions)
    spans: list[Span] = []
    defined: dict[str, int] = {}
    expanded: Expanded = {}
    for span, offsets in _widened(doc, mentions, ACRONYM_LABEL, expanded):
        if not spans or span.start >= spans[-1].end:
            spans.append(span)
            index = mentions[offsets]
            if index is not None:
                defined[span_key(span)] = index
        elif span.end > spans[-1].end and text_at(doc, offsets[0] - 1, offsets[0]) == "/":
            spans[-1] = _joined(spans[-1], span, defined, expanded)
    attrs: dict[str, Any] = {"definitions": [_record(one) for one in findings.definitions]}
    attrs |= {"defined": defined, "expanded": expanded}
    doc.spans[spans_key] = SpanGroup(doc, name=spans_key, spans=spans, attrs=attrs)

    expanded = {}
    long_forms = {
        (span.start, span.end): span
        for span, _ in _widened(doc, findings.long_forms, LONG_FORM_LABEL, expanded)
    }
    doc.spans[long_forms_key] = SpanGroup(
        doc,
        name=long_forms_key,
        spans=[long_forms[place] for place in sorted(long_forms)],
        attrs={"expanded": expanded} if expanded else {},
    )


def _widened(
    doc: Doc, places: Iterable[Offsets], label: str, expanded: Expanded
) -> Iterator[tuple[Span, Offsets]]:
    """The whole tokens at each place; places that are smaller than theirs go to `expanded`."""
    for offsets in places:
        span = doc.char_span(*offsets, label=label, alignment_mode="expand")
        if span is not None:
            if (span.start_char, span.end_char) != offsets:
                expanded.setdefault(span_key(span), []).append(list(offsets))
            yield span, offsets


def _joined(first: Span, second: Span, defined: dict[str, int], expanded: Expanded) -> Span:
    """One span for the mentions of two that overlap."""
    whole = Span(first.doc, first.start, second.end, label=first.label)
    before, after = span_key(first), span_key(second)
    places = expanded.pop(before, [[first.start_char, first.end_char]])
    expanded[span_key(whole)] = [*places, *expanded.pop(after)]
    if before in defined:
        defined[span_key(whole)] = defined.pop(before)
    return whole


def _record(definition: Definition) -> dict[str, Any]:
    record = {
        "acronym": list(definition.acronym),
        "long_form": list(definition.long_form),
        "pattern": definition.pattern,
        "confidence": definition.confidence,
    }
    if definition.ending is not None:
        record["ending"] = list(definition.ending)
    return record
