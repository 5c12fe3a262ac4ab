"""What the pipeline knows of a document, where it lies, and how users read it.

It lies in the document's span groups. A span in `doc.spans` is of whole tokens; spaCy itself reads
and writes it. There is one for each mention, so that spans may overlap, and several may have the
same tokens. Where a mention is not all of its tokens, the span's id is its place: "15:17". What a
span cannot hold lies beside it as plain JSON, the group's `attrs["findings"]`: that survives
`DocBin`, `to_bytes`, pickle and other processes, which no Span in an extension attribute does.
Attributes of `Span` and `Doc`, all of them getters, read it. `Doc.from_docs` and who puts a list of
spans into `doc.spans` lose the group's attrs: a copy for each mention lies in `doc.user_data`,
under a key that spaCy moves along with the text.
"""

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from spacy.tokens import Doc, Span, SpanGroup

from ..errors import InputError, warn
from ..resolution import NIL, ConceptCandidate, ConceptLink, Resolution
from ..text import Definition, Offsets, defined_mentions, find_definitions

ACRONYM_LABEL = "ACRONYM"
LONG_FORM_LABEL = "LONG_FORM"
_ATTRIBUTE = "findings"
_PLACE = re.compile(r"(\d+):(\d+)")
_EXTENSION, _RECORD = "._.", "acronym_record"  # of a key in `doc.user_data`, as spaCy has them


@dataclass
class Findings:
    """What is known of a document's acronyms; all places are character offsets.

    definitions: the text's own. mentions: every acronym, in order. long_forms: those of the
    definitions; with a tagger also one of the rules whose acronym another long form got.
    resolutions: by mention, what the text defines or a linker answered. links: the concepts of
    phrases.
    """

    definitions: list[Definition] = field(default_factory=list)
    mentions: list[Offsets] = field(default_factory=list)
    long_forms: list[Offsets] = field(default_factory=list)
    resolutions: dict[Offsets, Resolution] = field(default_factory=dict)
    links: dict[Offsets, ConceptLink] = field(default_factory=dict)

    @property
    def undefined(self) -> list[Offsets]:
        """The mentions that the text does not explain."""
        return [one for one in self.mentions if not self._defines(one)]

    def _defines(self, place: Offsets) -> bool:
        known = self.resolutions.get(place)
        return known is not None and known.source == "definition"

    @classmethod
    def of(cls, group: SpanGroup) -> "Findings":
        """What was stored in a group; nothing for spans of other components."""
        stored = group.attrs.get(_ATTRIBUTE, {})
        return cls(
            [Definition._make(_tuples(one)) for one in stored.get("definitions", ())],
            [_place(one) for one in stored.get("mentions", ())],
            [_place(one) for one in stored.get("long_forms", ())],
            {_place(k): _resolution(one) for k, one in stored.get("resolutions", {}).items()},
            {_place(k): _link(one) for k, one in stored.get("links", {}).items()},
        )

    def store(self, group: SpanGroup) -> None:
        """Put it into a group as plain JSON."""
        stored = {
            "definitions": _lists(self.definitions),
            "mentions": [_key(*one) for one in self.mentions],
            "long_forms": [_key(*one) for one in self.long_forms],
            "resolutions": {_key(*k): _lists(one) for k, one in self.resolutions.items()},
            "links": {_key(*k): _lists(one) for k, one in self.links.items()},
        }
        group.attrs[_ATTRIBUTE] = {name: one for name, one in stored.items() if one}
        defined = {one.acronym: one for one in self.definitions}
        user_data: dict[Any, Any] = group.doc.user_data
        for start, end in {*self.mentions, *self.resolutions}:
            resolution, definition = self.resolutions.get((start, end)), defined.get((start, end))
            record = [_lists(resolution), _moved(definition, -start)]
            user_data[_EXTENSION, _RECORD, start, end] = record


def _moved(definition: Definition | None, by: int) -> Any:
    """A definition with all of its offsets moved, as JSON has it."""
    if definition is None:
        return None
    (start, end), (begin, stop), confidence, ending = definition
    moved = None if ending is None else [ending[0] + by, ending[1] + by]
    return [[start + by, end + by], [begin + by, stop + by], confidence, moved]


def _recovered(doc: Doc, group: SpanGroup) -> Findings | None:
    """What the document knows of the spans in a group without attrs; None where that is nothing."""
    user_data: dict[Any, Any] = doc.user_data
    keys = [one for one in user_data if isinstance(one, tuple) and len(one) == 4]
    places = sorted(one[2:] for one in keys if one[:2] == (_EXTENSION, _RECORD))
    found = Findings()
    for span in group if places else ():
        place = place_of(span)
        at = bisect_left(places, (span.start_char, 0))
        inside = [one for one in places[at : at + len(span.text)] if one[1] <= span.end_char]
        for start, end in [place] if place in inside else inside:
            resolution, definition = user_data[_EXTENSION, _RECORD, start, end]
            found.mentions.append((start, end))
            if resolution is not None:
                found.resolutions[start, end] = _resolution(resolution)
            if definition is not None:
                own = Definition._make(_tuples(definition))
                found.definitions.append(Definition._make(_tuples(_moved(own, start))))
    return found if found.mentions else None


def explained(
    text: str, definitions: Sequence[Definition], mentions: Mapping[Offsets, int]
) -> dict[Offsets, Resolution]:
    """What the text itself says of mentions, each with the index of its definition."""
    meant = [(one.words(text), one.confidence) for one in definitions]
    return {
        place: Resolution.from_definition(text[slice(*place)], *meant[index])
        for place, index in mentions.items()
    }


def write_findings(doc: Doc, found: Findings, spans_key: str, long_forms_key: str) -> None:
    """Write what a detector found to `doc.spans`, a span for each acronym and each long form."""
    about = Findings(found.definitions, found.mentions, [], found.resolutions)
    _write(doc, spans_key, ACRONYM_LABEL, found.mentions, about)
    about = Findings(long_forms=found.long_forms)
    _write(doc, long_forms_key, LONG_FORM_LABEL, found.long_forms, about)


def _write(
    doc: Doc,
    key: str,
    label: str,
    places: Iterable[Offsets],
    about: Findings,
    meanings: Mapping[Offsets, str] = {},
) -> SpanGroup:
    spans = (span_at(doc, one, label, meanings.get(one, "")) for one in places)
    group = SpanGroup(doc, name=key, spans=[one for one in spans if one is not None])
    about.store(group)
    doc.spans[key] = group
    return group


def span_at(doc: Doc, place: Offsets, label: str, kb_id: str = "") -> Span | None:
    """The whole tokens at a place, as a span that knows it; None outside of the text."""
    span: Span | None = doc.char_span(*place, label=label, kb_id=kb_id, alignment_mode="expand")
    if span is not None and (span.start_char, span.end_char) != place:
        span.id_ = _key(*place)
    return span


def place_of(span: Span) -> Offsets:
    """The character offsets of the mention that a span stands for: its own, or those it knows."""
    known = _PLACE.fullmatch(span.id_) if span.id else None
    if known and span.start_char <= int(known[1]) < int(known[2]) <= span.end_char:
        return int(known[1]), int(known[2])
    return span.start_char, span.end_char


def resolution_at(group: SpanGroup, span: Span) -> Resolution | None:
    """What a group knows of the acronym at a span; the time does not depend on the document's
    length."""
    record = group.attrs.get(_ATTRIBUTE, {}).get("resolutions", {}).get(_key(*place_of(span)))
    return None if record is None else _resolution(record)


def link_at(group: SpanGroup, span: Span) -> ConceptLink | None:
    """What a group knows of the concept at a span, as quickly."""
    record = group.attrs.get(_ATTRIBUTE, {}).get("links", {}).get(_key(*place_of(span)))
    return None if record is None else _link(record)


def own_findings(doc: Doc, group: SpanGroup) -> Findings:
    """What the document itself says of its spans: as the detector found, else by the rules."""
    found = Findings.of(group)
    if found.mentions or found.definitions:
        defined = {k: v for k, v in found.resolutions.items() if v.source == "definition"}
        return Findings(found.definitions, resolutions=defined)
    text = doc.text
    definitions = find_definitions(text)
    mentions = defined_mentions(text, definitions)
    return Findings(definitions, resolutions=explained(text, definitions, mentions))


def has_acronyms(group: SpanGroup) -> bool:
    """Whether a group's spans are acronyms that a component found or resolved."""
    stored = group.attrs.get(_ATTRIBUTE, {})
    return not stored.keys().isdisjoint(("definitions", "mentions", "resolutions"))


def write_answers(doc: Doc, key: str, answers: Iterable[Resolution | ConceptLink]) -> None:
    """Give the spans of `doc.spans[key]` the `kb_id_` of their answers, one a span in order.

    The answers themselves are stored beside them. Without such a group nothing is done.
    """
    group = current_group(doc, key)
    if group is None:
        return
    found = Findings.of(group)
    spans = []
    for one, answer in zip(group, answers, strict=True):
        if isinstance(answer, Resolution):
            found.resolutions[place_of(one)] = answer
        else:
            found.links[place_of(one)] = answer
        kb_id = answer.kb_id
        spans.append(Span(doc, one.start, one.end, label=one.label, kb_id=kb_id, span_id=one.id))
    doc.spans[key] = SpanGroup(doc, name=key, spans=spans, attrs=dict(group.attrs))
    found.store(doc.spans[key])


def current_group(doc: Doc, key: str) -> SpanGroup | None:
    """`doc.spans[key]`, of the document's tokens as they are; None without such a group.

    spaCy's retokenizer, and with it `merge_entities` and `merge_noun_chunks`, leaves spans with the
    numbers of the old tokens: those that a detector wrote are made anew, and so are those that lost
    what was stored beside them. Raises InputError where the document's text is another one than
    that of the spans.
    """
    group: SpanGroup | None = doc.spans.get(key)
    if group is not None and _lost_findings(group) and (kept := _recovered(doc, group)):
        meanings = {place: one.kb_id for place, one in kept.resolutions.items()}
        return _write(doc, key, ACRONYM_LABEL, kept.mentions, kept, meanings)
    if group is None or _is_current(doc, group):
        return group
    found = Findings.of(group)
    places = found.mentions or found.long_forms
    if not places:  # another component's
        return group
    if places[-1][1] > len(doc.text):
        start, end = places[-1]
        raise InputError(
            f"doc.spans['{key}'] has a span at the characters {start} to {end}, which this "
            f"document of {len(doc.text)} characters has not. A pipe changed the text after "
            "the spans were made: put it before acronym_detector."
        )
    label = ACRONYM_LABEL if found.mentions else LONG_FORM_LABEL
    answers = found.links or found.resolutions
    meanings = {place: one.kb_id for place, one in answers.items()}
    return _write(doc, key, label, places, found, meanings)


def _lost_findings(group: SpanGroup) -> bool:
    """Whether spans of acronyms are there without what a component stored beside them."""
    if _ATTRIBUTE in group.attrs or not len(group):
        return False
    return bool(group[0].label_ == ACRONYM_LABEL)


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


def spans_to_answer(doc: Doc, key: str, linker: str) -> SpanGroup:
    """The spans that a linker answers; without the group a warning, which Python shows once."""
    group = current_group(doc, key)
    if group is None and len(doc):
        warn(
            f"{linker} found no doc.spans['{key}']: no pipe before it looks for acronyms. Add one "
            f"with nlp.add_pipe('acronym_detector', before='{linker}'), or name the spans of "
            "another pipe by the setting spans_key."
        )
    return SpanGroup(doc) if group is None else group


def _key(start: int, end: int) -> str:
    return f"{start}:{end}"


def _place(key: str) -> Offsets:
    start, _, end = key.partition(":")
    return int(start), int(end)


def _lists(value: Any) -> Any:
    """Tuples of tuples as JSON has them."""
    return [_lists(one) for one in value] if isinstance(value, (list, tuple)) else value


def _tuples(value: Any) -> Any:
    """What `_lists` was given."""
    return tuple(_tuples(one) for one in value) if isinstance(value, (list, tuple)) else value


def _resolution(stored: list[Any]) -> Resolution:
    return Resolution(*_tuples(stored))


def _link(stored: list[Any]) -> ConceptLink:
    link = ConceptLink._make(_tuples(stored))
    return link._replace(candidates=tuple(map(ConceptCandidate._make, link.candidates)))


ACRONYMS = "acronyms"
LONG_FORMS = "long_forms"
DOCUMENT = "document"
"""Key of `doc.user_data` for a document's name: its path, followed by the place in the file if the
file holds several texts (``notes/a.jsonl:3``). The linker compares the folders of these names."""


def find_resolution(span: Span) -> Resolution | None:
    """What is known of the acronym at this span: the linker's answer or the text's definition."""
    doc = span.doc
    for key, group in list(doc.spans.items()):
        if _lost_findings(group):
            current_group(doc, key)
    found = (resolution_at(group, span) for group in doc.spans.values())
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
    """Return the document's mentions that have a resolution, by character offsets, in order.

    Raises:
        InputError: If no detector has read this document, or if what was stored beside the spans
            is lost, as `Doc.from_json` loses it.
    """
    groups = list(acronym_groups(doc))
    if not groups and len(doc) and not any(_ATTRIBUTE in one.attrs for one in doc.spans.values()):
        raise InputError(
            "This document has no acronyms in doc.spans: no acronym_detector has read it, or "
            "Span.as_doc made it and left them out. Run a pipeline with one on doc.text."
        )
    for group in groups:
        if _lost_findings(group):
            raise InputError(
                f"doc.spans['{group.name}'] has acronyms, but not what is known of them: "
                "Doc.to_json and exclude=['user_data'] lose it. Store documents with "
                "Doc.to_bytes, DocBin or pickle, or run the pipeline on doc.text again."
            )
    answers = ((place_of(span), find_resolution(span)) for span in find_acronym_spans(doc))
    return [(*place, answer) for place, answer in answers if answer is not None]


def definitions_of(doc: Doc) -> list[Definition]:
    """The text's own definitions, in order."""
    return [one for group in acronym_groups(doc) for one in Findings.of(group).definitions]


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
