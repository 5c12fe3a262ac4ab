"""The acronyms and meanings found in a document, how `doc.spans` stores them, and how to read them.

Each mention has a span in `doc.spans`, which spaCy serializes. Spans may overlap, and several spans
can cover the same tokens. A span covers whole tokens. If the mention is only a part of a token, the
span's id has the mention's character offsets, such as "15:17".

All other data is stored as JSON in the group's `attrs["findings"]`, from which extension attributes
of `Span` and `Doc` read it. This data survives `DocBin`, `to_bytes`, pickle and multiprocessing. A
`Span` object in an extension attribute would not.

`Doc.from_docs`, and assigning a list of spans to `doc.spans`, drop the group's `attrs`. A copy of
the data of each mention is therefore kept in `doc.user_data`, under a key that spaCy adjusts when
it merges documents.
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
from ..text.mention import outermost, sort_spans

ACRONYM_LABEL = "ACRONYM"
LONG_FORM_LABEL = "LONG_FORM"
_ATTRIBUTE = "findings"
_PLACE = re.compile(r"(\d+):(\d+)")
_EXTENSION, _RECORD = "._.", "acronym_record"  # parts of keys in `doc.user_data`


@dataclass
class Findings:
    """Everything that the components found in a document, with character offsets in its text.

    Attributes:
        definitions: The definitions in the text, each with the offsets of the acronym and the long
            form.
        mentions: Offsets of all acronyms, in text order. Those of a compound, such as SHA256, are
            followed by those of its parts.
        long_forms: Offsets of the long forms of the definitions. With a tagger, they include long
            forms that the rules found but whose acronym the tagger paired with another long form.
        resolutions: A mapping from the offsets of mentions to their meanings, which come from
            definitions in the text or from a linker.
        links: A mapping from the offsets of phrases to the concepts that they name.
    """

    definitions: list[Definition] = field(default_factory=list)
    mentions: list[Offsets] = field(default_factory=list)
    long_forms: list[Offsets] = field(default_factory=list)
    resolutions: dict[Offsets, Resolution] = field(default_factory=dict)
    links: dict[Offsets, ConceptLink] = field(default_factory=dict)

    @property
    def undefined(self) -> list[Offsets]:
        """Offsets of the acronyms that the text doesn't define."""
        return [mention for mention in self.mentions if not self._defines(mention)]

    def _defines(self, place: Offsets) -> bool:
        resolution = self.resolutions.get(place)
        return resolution is not None and resolution.source == "definition"

    @classmethod
    def of(cls, group: SpanGroup) -> "Findings":
        """Read the findings that are stored with a group of spans.

        Args:
            group: A group of spans from `doc.spans`.

        Returns:
            The findings. They are empty for groups that other components wrote.
        """
        stored = group.attrs.get(_ATTRIBUTE, {})
        return cls(
            [Definition._make(_tuples(fields)) for fields in stored.get("definitions", ())],
            [_place(key) for key in stored.get("mentions", ())],
            [_place(key) for key in stored.get("long_forms", ())],
            {_place(k): _resolution(fields) for k, fields in stored.get("resolutions", {}).items()},
            {_place(k): _link(fields) for k, fields in stored.get("links", {}).items()},
        )

    def store(self, group: SpanGroup) -> None:
        """Store the findings as JSON with a group of spans, from which `of` reads them again.

        Args:
            group: A group of spans from `doc.spans`. Its `attrs` and its document's `user_data` are
                changed.
        """
        stored = {
            "definitions": _lists(self.definitions),
            "mentions": [_key(*place) for place in self.mentions],
            "long_forms": [_key(*place) for place in self.long_forms],
            "resolutions": {_key(*k): _lists(answer) for k, answer in self.resolutions.items()},
            "links": {_key(*k): _lists(link) for k, link in self.links.items()},
        }
        group.attrs[_ATTRIBUTE] = {name: value for name, value in stored.items() if value}
        defined = {definition.acronym: definition for definition in self.definitions}
        user_data: dict[Any, Any] = group.doc.user_data
        for start, end in {*self.mentions, *self.resolutions}:
            resolution, definition = self.resolutions.get((start, end)), defined.get((start, end))
            record = [_lists(resolution), _shift(definition, -start)]
            user_data[_EXTENSION, _RECORD, start, end] = record


def _shift(definition: Definition | None, distance: int) -> Any:
    """Return a definition as JSON types, with its offsets shifted by a distance."""
    if definition is None:
        return None
    (start, end), (begin, stop), confidence, ending = definition
    shifted = None if ending is None else [ending[0] + distance, ending[1] + distance]
    return [
        [start + distance, end + distance],
        [begin + distance, stop + distance],
        confidence,
        shifted,
    ]


def _recover(doc: Doc, group: SpanGroup) -> Findings | None:
    """Return the findings of a group that lost its `attrs`, or None if there are none."""
    user_data: dict[Any, Any] = doc.user_data
    keys = [key for key in user_data if isinstance(key, tuple) and len(key) == 4]
    places = sorted(key[2:] for key in keys if key[:2] == (_EXTENSION, _RECORD))
    findings = Findings()
    recovered: set[Offsets] = set()
    for span in group if places else ():
        place = place_of(span)
        at = bisect_left(places, (span.start_char, 0))
        inside = [other for other in places[at : at + len(span.text)] if other[1] <= span.end_char]
        has_place = span.id and place in inside
        for start, end in [place] if has_place else inside:
            if (start, end) in recovered:
                continue
            recovered.add((start, end))
            resolution, definition = user_data[_EXTENSION, _RECORD, start, end]
            findings.mentions.append((start, end))
            if resolution is not None:
                findings.resolutions[start, end] = _resolution(resolution)
            if definition is not None:
                relative = Definition._make(_tuples(definition))
                findings.definitions.append(Definition._make(_tuples(_shift(relative, start))))
    findings.mentions = sort_spans(findings.mentions)
    return findings if findings.mentions else None


def resolve_definitions(
    text: str, definitions: Sequence[Definition], mentions: Mapping[Offsets, int]
) -> dict[Offsets, Resolution]:
    """Return the meanings that a text's definitions give to mentions of the defined acronyms.

    Args:
        text: The text that contains the definitions and the mentions.
        definitions: The definitions in the text, each with its character offsets.
        mentions: A mapping from each mention's offsets to the index of its definition.

    Returns:
        A mapping from the offsets of each mention to its meaning, whose source is ``"definition"``.
    """
    meanings = [(definition.words(text), definition.confidence) for definition in definitions]
    return {
        place: Resolution.from_definition(text[slice(*place)], *meanings[index])
        for place, index in mentions.items()
    }


def write_findings(doc: Doc, findings: Findings, spans_key: str, long_forms_key: str) -> None:
    """Write a detector's findings to `doc.spans`, with a span for each acronym and each long form.

    Args:
        doc: The document to change, in place.
        findings: The findings, whose offsets refer to the document's text.
        spans_key: Key under which `doc.spans` gets the acronyms.
        long_forms_key: Key under which `doc.spans` gets the long forms.
    """
    acronyms = Findings(findings.definitions, findings.mentions, [], findings.resolutions)
    _write(doc, spans_key, ACRONYM_LABEL, findings.mentions, acronyms)
    long_forms = Findings(long_forms=findings.long_forms)
    _write(doc, long_forms_key, LONG_FORM_LABEL, findings.long_forms, long_forms)


def _write(
    doc: Doc,
    key: str,
    label: str,
    places: Iterable[Offsets],
    findings: Findings,
    meanings: Mapping[Offsets, str] = {},
) -> SpanGroup:
    spans = (span_at(doc, place, label, meanings.get(place, "")) for place in places)
    group = SpanGroup(doc, name=key, spans=[span for span in spans if span is not None])
    findings.store(group)
    doc.spans[key] = group
    return group


def span_at(doc: Doc, place: Offsets, label: str, kb_id: str = "") -> Span | None:
    """Return a span of whole tokens that covers a mention and stores the mention's exact offsets.

    If the mention covers only a part of a token, the offsets are stored in the span's id.

    Args:
        doc: The document that contains the mention.
        place: Character offsets of the mention.
        label: Label of the span, such as "ACRONYM".
        kb_id: Value for the span's `kb_id_`, such as the long form. Empty if there is none.

    Returns:
        The span, or None if the offsets are outside the text.
    """
    span: Span | None = doc.char_span(*place, label=label, kb_id=kb_id, alignment_mode="expand")
    if span is not None and (span.start_char, span.end_char) != place:
        span.id_ = _key(*place)
    return span


def place_of(span: Span) -> Offsets:
    """Return the character offsets of the mention that a span marks.

    Args:
        span: A span of whole tokens, which can be longer than the mention.

    Returns:
        The offsets stored in the span's id if there are any, or the span's own offsets.
    """
    stored = _PLACE.fullmatch(span.id_) if span.id else None
    if stored and span.start_char <= int(stored[1]) < int(stored[2]) <= span.end_char:
        return int(stored[1]), int(stored[2])
    return span.start_char, span.end_char


def resolution_at(group: SpanGroup, span: Span) -> Resolution | None:
    """Return the meaning that is stored for the span of an acronym, in constant time.

    Args:
        group: The group to which the span belongs.
        span: The span of the acronym.

    Returns:
        The meaning, or None if the group has none for this span.
    """
    record = group.attrs.get(_ATTRIBUTE, {}).get("resolutions", {}).get(_key(*place_of(span)))
    return None if record is None else _resolution(record)


def link_at(group: SpanGroup, span: Span) -> ConceptLink | None:
    """Return the concept that is stored for the span of a phrase, in constant time.

    Args:
        group: The group to which the span belongs.
        span: The span of the phrase.

    Returns:
        The link to the concept, or None if the group has none for this span.
    """
    record = group.attrs.get(_ATTRIBUTE, {}).get("links", {}).get(_key(*place_of(span)))
    return None if record is None else _link(record)


def document_findings(doc: Doc, group: SpanGroup) -> Findings:
    """Return the definitions in a document, and the meanings that they give to its acronyms.

    If a detector wrote the spans, its definitions are used. Otherwise the rules search the text for
    definitions.

    Args:
        doc: The document whose definitions are needed.
        group: The spans of the document's acronyms.

    Returns:
        The definitions, and the meanings of the acronyms that they define. Meanings from other
        sources are left out.
    """
    findings = Findings.of(group)
    if findings.mentions or findings.definitions:
        defined = {k: v for k, v in findings.resolutions.items() if v.source == "definition"}
        return Findings(findings.definitions, resolutions=defined)
    text = doc.text
    definitions = find_definitions(text)
    mentions = defined_mentions(text, definitions)
    return Findings(definitions, resolutions=resolve_definitions(text, definitions, mentions))


def has_acronyms(group: SpanGroup) -> bool:
    """Return whether the spans of a group are acronyms that a component found or resolved.

    Args:
        group: A group of spans from `doc.spans`.

    Returns:
        True if findings about acronyms are stored with the group.
    """
    stored = group.attrs.get(_ATTRIBUTE, {})
    return not stored.keys().isdisjoint(("definitions", "mentions", "resolutions"))


def write_answers(doc: Doc, key: str, answers: Iterable[Resolution | ConceptLink]) -> None:
    """Set the `kb_id_` of the spans in `doc.spans[key]`, and store the answers with them.

    If the document has no such group, nothing is changed.

    Args:
        doc: The document to change, in place.
        key: Key of the spans in `doc.spans`.
        answers: An answer for each span, in the order of the spans: the meaning of an acronym, or
            the concept that a phrase names.
    """
    group = current_group(doc, key)
    if group is None:
        return
    findings = Findings.of(group)
    spans = []
    for span, answer in zip(group, answers, strict=True):
        if isinstance(answer, Resolution):
            findings.resolutions[place_of(span)] = answer
        else:
            findings.links[place_of(span)] = answer
        kb_id = answer.kb_id
        spans.append(
            Span(doc, span.start, span.end, label=span.label, kb_id=kb_id, span_id=span.id)
        )
    doc.spans[key] = SpanGroup(doc, name=key, spans=spans, attrs=dict(group.attrs))
    findings.store(doc.spans[key])


def current_group(doc: Doc, key: str) -> SpanGroup | None:
    """Return `doc.spans[key]`, and repair it first if the document's tokens have changed.

    spaCy's retokenizer, which `merge_entities` and `merge_noun_chunks` use, doesn't update the
    token indices of spans. Spans that a detector wrote are rebuilt from their character offsets.
    Spans whose stored findings were lost are rebuilt too.

    Args:
        doc: The document that contains the spans.
        key: Key of the spans in `doc.spans`.

    Returns:
        The group of spans, or None if the document has no such group.

    Raises:
        InputError: If a span's offsets lie beyond the end of the document's text.
    """
    group: SpanGroup | None = doc.spans.get(key)
    if group is not None and _lost_findings(group) and (recovered := _recover(doc, group)):
        meanings = {place: answer.kb_id for place, answer in recovered.resolutions.items()}
        return _write(doc, key, ACRONYM_LABEL, recovered.mentions, recovered, meanings)
    if group is None or _is_current(doc, group):
        return group
    findings = Findings.of(group)
    places = findings.mentions or findings.long_forms
    if not places:  # the group of another component
        return group
    start, end = max(places, key=lambda place: place[1])
    if end > len(doc.text):
        raise InputError(
            f"doc.spans['{key}'] has a span at the characters {start} to {end}, but the document "
            f"has only {len(doc.text)} characters. A component changed the text after the spans "
            "were made. Put that component before acronym_detector."
        )
    label = ACRONYM_LABEL if findings.mentions else LONG_FORM_LABEL
    answers = findings.links or findings.resolutions
    meanings = {place: answer.kb_id for place, answer in answers.items()}
    return _write(doc, key, label, places, findings, meanings)


def _lost_findings(group: SpanGroup) -> bool:
    """Return whether a group contains acronyms but has lost their stored findings."""
    if _ATTRIBUTE in group.attrs or not len(group):
        return False
    return bool(group[0].label_ == ACRONYM_LABEL)


def _is_current(doc: Doc, group: SpanGroup) -> bool:
    try:
        return all(_fits(doc, span) for span in group)
    except IndexError:  # spaCy's E035: the document has fewer tokens now
        return False


def _fits(doc: Doc, span: Span) -> bool:
    """Return whether a span's tokens still begin and end at its character offsets."""
    if span.start == span.end:
        return True
    last = doc[span.end - 1]
    begins: bool = doc[span.start].idx == span.start_char
    return begins and last.idx + len(last) == span.end_char


def spans_to_answer(doc: Doc, key: str, linker: str) -> SpanGroup:
    """Return the spans that a linker should resolve, or warn that the document has none.

    Args:
        doc: The document that contains the spans.
        key: Key of the spans in `doc.spans`.
        linker: Name of the linker, which the warning mentions.

    Returns:
        The group of spans. It is empty if the document has no such group.
    """
    group = current_group(doc, key)
    if group is None and len(doc):
        warn(
            f"{linker} found no doc.spans['{key}'], because no component before it finds acronyms. "
            f"Add one with nlp.add_pipe('acronym_detector', before='{linker}'), or set spans_key "
            "to the key of another component's spans."
        )
    return SpanGroup(doc) if group is None else group


def _key(start: int, end: int) -> str:
    return f"{start}:{end}"


def _place(key: str) -> Offsets:
    start, _, end = key.partition(":")
    return int(start), int(end)


def _lists(value: Any) -> Any:
    """Convert nested tuples to nested lists, which JSON can store."""
    return [_lists(item) for item in value] if isinstance(value, (list, tuple)) else value


def _tuples(value: Any) -> Any:
    """Convert nested lists to nested tuples."""
    return tuple(_tuples(item) for item in value) if isinstance(value, (list, tuple)) else value


def _resolution(stored: list[Any]) -> Resolution:
    return Resolution(*_tuples(stored))


def _link(stored: list[Any]) -> ConceptLink:
    link = ConceptLink._make(_tuples(stored))
    return link._replace(candidates=tuple(map(ConceptCandidate._make, link.candidates)))


ACRONYMS = "acronyms"
LONG_FORMS = "long_forms"
DOCUMENT = "document"
"""Key of `doc.user_data` under which the name of a document is stored.

The name is the document's path. If the file holds several texts, the place in the file follows, as
in ``notes/a.jsonl:3``. The linker uses the folders in these names to find near documents.
"""


def find_resolution(span: Span) -> Resolution | None:
    """Return the meaning of the acronym that a span marks, with its probability and source.

    This is the value of ``span._.resolution``.

    Args:
        span: A span of the document, such as an element of ``doc.spans["acronyms"]``.

    Returns:
        The answer from the linker or from a definition in the text, or None if there is none.
    """
    doc = span.doc
    for key, group in list(doc.spans.items()):
        if _lost_findings(group):
            current_group(doc, key)
    resolutions = (resolution_at(group, span) for group in doc.spans.values())
    return next((resolution for resolution in resolutions if resolution is not None), None)


def find_concept_link(span: Span) -> ConceptLink | None:
    """Return the concept that the concept linker chose for the phrase that a span marks.

    This is the value of ``span._.concept_link``.

    Args:
        span: A span of the document, such as an element of ``doc.spans["terms"]``.

    Returns:
        The link to the concept, or None if there is none.
    """
    links = (link_at(group, span) for group in span.doc.spans.values())
    return next((link for link in links if link is not None), None)


def find_long_form(span: Span) -> str | None:
    """Return the long form of the acronym that a span marks.

    This is the value of ``span._.long_form``.

    Args:
        span: A span of the document, such as an element of ``doc.spans["acronyms"]``.

    Returns:
        The long form, or None if the acronym is not resolved.
    """
    resolution = find_resolution(span)
    if resolution is not None:
        return resolution.long_form
    # `Doc.from_docs` drops the group's attrs, but keeps the spans' labels and ids.
    has_long_form = span.label_ == ACRONYM_LABEL and span.kb_id_ not in ("", NIL)
    return span.kb_id_ if has_long_form else None


def find_acronym_spans(doc: Doc, *, parts: bool = True) -> list[Span]:
    """Return the spans of the acronyms that the components found or resolved in a document.

    This is the value of ``doc._.acronyms``.

    Args:
        doc: A document that a pipeline has processed.
        parts: Whether to include acronyms that are parts of another one, such as SHA in SHA256.

    Returns:
        The spans in text order, one span per mention. A compound comes before its parts.
    """
    spans = {place_of(span): span for group in acronym_groups(doc) for span in group}
    return [spans[place] for place in (sort_spans(spans) if parts else outermost(spans))]


def acronym_groups(doc: Doc) -> Iterator[SpanGroup]:
    """Yield the groups of spans in `doc.spans` that contain acronyms, whatever their keys.

    Args:
        doc: A document that a pipeline has processed.

    Yields:
        The groups. If the document's tokens have changed, `current_group` has repaired them.
    """
    for key in list(doc.spans):
        group = current_group(doc, key)
        if group is not None and (key == ACRONYMS or has_acronyms(group)):
            yield group


def mentions_of(doc: Doc, *, parts: bool = False) -> list[tuple[int, int, Resolution]]:
    """Return the acronyms of a document that have an answer, in text order.

    The answer can be NIL, which means that a linker didn't find a probable meaning.

    Args:
        doc: A document that a pipeline with an `acronym_detector` has processed.
        parts: Whether to include acronyms that are parts of another one, such as SHA in SHA256.

    Returns:
        For each mention, a tuple of its start and end as character offsets, and its answer.

    Raises:
        InputError: If no detector has processed the document, or if the findings stored with the
            spans were lost, for example by `Doc.from_json`.
    """
    groups = list(acronym_groups(doc))
    if (
        not groups
        and len(doc)
        and not any(_ATTRIBUTE in group.attrs for group in doc.spans.values())
    ):
        raise InputError(
            "This document has no acronyms in doc.spans. No acronym_detector has processed it, "
            "or Span.as_doc dropped them. Run a pipeline with an acronym_detector on doc.text."
        )
    for group in groups:
        if _lost_findings(group):
            raise InputError(
                f"doc.spans['{group.name}'] has acronyms, but their annotations are lost. "
                "Doc.to_json and exclude=['user_data'] drop them. Store documents with "
                "Doc.to_bytes, DocBin or pickle, or run the pipeline on doc.text again."
            )
    spans = find_acronym_spans(doc, parts=parts)
    answers = ((place_of(span), find_resolution(span)) for span in spans)
    return [(*place, answer) for place, answer in answers if answer is not None]


def definitions_of(doc: Doc) -> list[Definition]:
    """Return the definitions of acronyms in a document's text.

    Args:
        doc: A document that a pipeline with an `acronym_detector` has processed.

    Returns:
        The definitions in text order, with character offsets.
    """
    return [
        definition for group in acronym_groups(doc) for definition in Findings.of(group).definitions
    ]


def install_extensions() -> None:
    """Register the extension attributes with which `Span` and `Doc` show acronyms and concepts.

    The attributes are `span._.long_form`, `span._.resolution`, `span._.concept_link` and
    `doc._.acronyms`. An existing attribute with one of these names is kept.
    """
    extensions: tuple[tuple[Any, str, Any], ...] = (
        (Span, "long_form", find_long_form),
        (Span, "resolution", find_resolution),
        (Span, "concept_link", find_concept_link),
        (Doc, "acronyms", find_acronym_spans),
    )
    for owner, name, getter in extensions:
        if not owner.has_extension(name):
            owner.set_extension(name, getter=getter)
