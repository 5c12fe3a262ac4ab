"""The spans that components hand on in `doc.spans`, also when tokens were merged or split since.

spaCy's retokenizer, and with it `merge_entities` and `merge_noun_chunks`, leaves the spans in
`doc.spans` with the numbers of the old tokens. Their character offsets stay right, and with these
the spans are found again.
"""

import struct
from collections.abc import Iterator
from typing import Any

import srsly
from spacy.tokens import Doc, Span, SpanGroup

from ..errors import InputError, warn

_BY_SPAN = ("defined", "resolutions", "links")
"""The parts of a group's `attrs` that are keyed by the places of its spans."""

_STORED = struct.Struct(">QQQllll")
"""A span in `SpanGroup.to_bytes`: id, kb_id, label, its tokens, its characters."""


def current_group(doc: Doc, key: str) -> SpanGroup | None:
    """`doc.spans[key]`, brought up to date with the document's tokens; None without such a group.

    A span takes the whole tokens that it now lies in; of several in the same the first stays, as
    where the detector writes them. Raises InputError where the document's text is another one than
    that of the spans.
    """
    group = doc.spans.get(key)
    if group is None or _is_current(doc, group):
        return group
    spans: dict[tuple[int, int, int], Span] = {}
    expanded = dict(group.attrs.get("expanded", {}))
    renamed: dict[str, str] = {}
    for start, end, label, kb_id, span_id in _stored(group):
        span = doc.char_span(
            start, end, label=label, kb_id=kb_id, span_id=span_id, alignment_mode="expand"
        )
        if span is None:
            raise InputError(
                f"doc.spans['{key}'] has a span at the characters {start} to {end}, which this "
                f"document of {len(doc.text)} characters has not. A pipe changed the text after "
                "the spans were made: put it before acronym_detector."
            )
        before, now = f"{start}:{end}", span_key(span)
        places = expanded.get(before, [[start, end]])
        place = (span.start, span.end, span.label)
        if place in spans:
            expanded.setdefault(now, []).extend(places)
            continue
        if before != now:
            expanded[now] = list(places)
            renamed[before] = now
        spans[place] = span
    attrs: dict[str, Any] = {**group.attrs, "expanded": expanded}
    for name in _BY_SPAN:
        if found := attrs.get(name):
            moved = {new: found[old] for old, new in renamed.items() if old in found}
            attrs[name] = {**found, **moved}
    updated = SpanGroup(doc, name=group.name, spans=[*spans.values()], attrs=attrs)
    doc.spans[key] = updated
    return updated


def update_groups(doc: Doc) -> None:
    """Bring all groups in `doc.spans` up to date with the document's tokens."""
    for key in list(doc.spans):
        current_group(doc, key)


def spans_to_answer(doc: Doc, key: str, linker: str) -> SpanGroup | tuple[()]:
    """The spans that a linker answers; without the group a warning, which Python shows once."""
    group = current_group(doc, key)
    if group is None and len(doc):
        warn(
            f"{linker} found no doc.spans['{key}']: no pipe before it looks for acronyms. Add one "
            f"with nlp.add_pipe('acronym_detector', before='{linker}'), or name the spans of "
            "another pipe by the setting spans_key."
        )
    return group or ()


def _stored(group: SpanGroup) -> Iterator[tuple[int, int, int, int, int]]:
    """Each span's characters, label, kb_id and id; spaCy makes no Span of tokens that are gone."""
    for content in srsly.msgpack_loads(group.to_bytes())["spans"]:
        span_id, kb_id, label, _, _, start, end = _STORED.unpack(content)
        yield start, end, label, kb_id, span_id


def _is_current(doc: Doc, group: SpanGroup) -> bool:
    try:
        return all(_fits(doc, span) for span in group)
    except IndexError:  # spaCy's E035: there are fewer tokens now
        return False


def _fits(doc: Doc, span: Span) -> bool:
    """Whether the span's tokens begin and end where its characters do."""
    if span.start == span.end:
        return True
    last = doc[span.end - 1]
    begins: bool = doc[span.start].idx == span.start_char
    return begins and last.idx + len(last) == span.end_char


def span_key(span: Span) -> str:
    """The span's place in its text, as the key of `attrs`."""
    return f"{span.start_char}:{span.end_char}"
