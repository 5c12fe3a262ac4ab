"""The component `acronym_detector`: finds acronyms and the definitions a text gives them."""

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import srsly
from spacy import util
from spacy.language import Language
from spacy.pipeline.pipe import Pipe
from spacy.tokens import Doc, Span, SpanGroup
from spacy.training import Example

from ..errors import InputError
from ..rules import (
    Definition,
    defined_mentions,
    find_acronyms,
    find_definitions,
    schwartz_hearst,
)
from .annotations import (
    ACRONYM_LABEL,
    ACRONYMS,
    LONG_FORM_LABEL,
    LONG_FORMS,
    install_extensions,
    span_key,
)
from .batches import annotate_batches

Offsets = tuple[int, int]
Scorer = Callable[[Iterable[Example]], dict[str, Any]]


class Findings(NamedTuple):
    """What one text holds: its definitions, and each mention with the index of its definition."""

    definitions: list[Definition]
    mentions: list[tuple[Offsets, int | None]]


@Language.factory(
    "acronym_detector",
    assigns=["doc.spans"],
    default_config={
        "spans_key": ACRONYMS,
        "long_forms_key": LONG_FORMS,
        "patterns": True,
        "occurrences": True,
        "undefined": True,
        "min_length": 2,
        "max_length": 20,
        "scorer": {"@scorers": "spacy-gladis.acronym_detector_scorer.v1"},
    },
    default_score_weights={"identification_f": 1.0, "acronym_f": 0.0, "long_form_f": 0.0},
)
class AcronymDetector(Pipe):
    """Finds definitions, every mention of a defined acronym, and undefined acronyms by shape."""

    def __init__(
        self,
        nlp: Language,
        name: str = "acronym_detector",
        *,
        spans_key: str = ACRONYMS,
        long_forms_key: str = LONG_FORMS,
        patterns: bool = True,
        occurrences: bool = True,
        undefined: bool = True,
        min_length: int = 2,
        max_length: int = 20,
        scorer: Scorer | None = None,
    ) -> None:
        """Set what is looked for and where it is written.

        spans_key, long_forms_key: keys of `doc.spans` for the acronyms and the long forms.
        patterns: all patterns of definitions, or those of Schwartz and Hearst (2003) alone.
        occurrences: look for defined acronyms in the rest of the text.
        undefined: look for acronyms without a definition, by their shape.
        min_length, max_length: characters of an undefined acronym.
        Raises InputError when the lengths contradict each other or both keys are one.
        """
        if not 1 <= min_length <= max_length:
            raise InputError(
                f"acronym_detector: min_length={min_length} and max_length={max_length} fit no "
                "acronym. Choose 1 <= min_length <= max_length."
            )
        if spans_key == long_forms_key:
            raise InputError(
                f"acronym_detector: spans_key and long_forms_key are both '{spans_key}'. "
                "Acronyms and long forms need a key each."
            )
        install_extensions()
        self.name = name
        self.scorer = scorer
        self.cfg: dict[str, Any] = {
            "spans_key": spans_key,
            "long_forms_key": long_forms_key,
            "patterns": patterns,
            "occurrences": occurrences,
            "undefined": undefined,
            "min_length": min_length,
            "max_length": max_length,
        }

    def __call__(self, doc: Doc) -> Doc:
        """Annotate one document in place."""
        return next(self.pipe([doc]), doc)

    def pipe(self, stream: Iterable[Doc], *, batch_size: int = 128) -> Iterator[Doc]:
        """Annotate a stream of documents in place, `batch_size` documents at a time."""
        install_extensions()
        yield from annotate_batches(self, stream, batch_size)

    def predict(self, docs: Iterable[Doc]) -> list[Findings]:
        """Find the acronyms of each document, and leave the documents as they are."""
        return [self.find(doc.text) for doc in docs]

    def find(self, text: str) -> Findings:
        """Find the definitions and the mentions of a text, by character offsets."""
        definitions = find_definitions(text) if self.cfg["patterns"] else schwartz_hearst(text)
        if self.cfg["occurrences"]:
            mentions: dict[Offsets, int | None] = {**defined_mentions(text, definitions)}
        else:
            mentions = {d.acronym: index for index, d in enumerate(definitions)}
        if self.cfg["undefined"]:
            taken = bytearray(len(text))
            for start, end in mentions:
                taken[start:end] = b"\1" * (end - start)
            for start, end in find_acronyms(text):
                fits = self.cfg["min_length"] <= end - start <= self.cfg["max_length"]
                if fits and taken.find(1, start, end) < 0:
                    mentions[start, end] = None
        return Findings(definitions, sorted(mentions.items()))

    def set_annotations(self, docs: Iterable[Doc], findings: Iterable[Findings]) -> None:
        """Write the findings to `doc.spans`, aligned with the tokens."""
        for doc, (definitions, mentions) in zip(docs, findings, strict=True):
            acronyms, defined, expanded = _align(doc, mentions)
            attrs: dict[str, Any] = {"definitions": [_record(d) for d in definitions]}
            attrs |= {"defined": defined, "expanded": expanded}
            key, long_forms_key = self.cfg["spans_key"], self.cfg["long_forms_key"]
            doc.spans[key] = SpanGroup(doc, name=key, spans=acronyms, attrs=attrs)
            long_forms = {
                (span.start, span.end): span
                for d in definitions
                if (span := _expand(doc, d.long_form, LONG_FORM_LABEL)) is not None
            }
            spans = [long_forms[place] for place in sorted(long_forms)]
            doc.spans[long_forms_key] = SpanGroup(doc, name=long_forms_key, spans=spans)

    def to_bytes(self, *, exclude: Iterable[str] = ()) -> bytes:
        """The settings as bytes."""
        return util.to_bytes({"cfg": lambda: srsly.json_dumps(self.cfg)}, exclude)

    def from_bytes(self, data: bytes, *, exclude: Iterable[str] = ()) -> "AcronymDetector":
        """Read the settings that `to_bytes` wrote."""
        util.from_bytes(data, {"cfg": lambda b: self.cfg.update(srsly.json_loads(b))}, exclude)
        return self

    def to_disk(self, path: str | Path, *, exclude: Iterable[str] = ()) -> None:
        """Write the settings to a folder."""
        util.to_disk(path, {"cfg": lambda p: srsly.write_json(p, self.cfg)}, exclude)

    def from_disk(self, path: str | Path, *, exclude: Iterable[str] = ()) -> "AcronymDetector":
        """Read the settings that `to_disk` wrote."""
        util.from_disk(path, {"cfg": lambda p: self.cfg.update(srsly.read_json(p))}, exclude)
        return self


def _align(
    doc: Doc, mentions: list[tuple[Offsets, int | None]]
) -> tuple[list[Span], dict[str, int], dict[str, list[list[int]]]]:
    """Spans of whole tokens; which definition each has; the mentions smaller than their span."""
    spans: list[Span] = []
    defined: dict[str, int] = {}
    expanded: dict[str, list[list[int]]] = {}
    for offsets, definition in mentions:
        span = _expand(doc, offsets, ACRONYM_LABEL)
        if span is None:
            continue
        key = span_key(span)
        if (span.start_char, span.end_char) != offsets:
            expanded.setdefault(key, []).append(list(offsets))
        if spans and span.start < spans[-1].end:
            continue  # another mention inside the same token
        spans.append(span)
        if definition is not None:
            defined[key] = definition
    return spans, defined, expanded


def _expand(doc: Doc, offsets: Offsets, label: str) -> Span | None:
    return doc.char_span(*offsets, label=label, alignment_mode="expand")


def _record(definition: Definition) -> dict[str, Any]:
    return {
        "acronym": list(definition.acronym),
        "long_form": list(definition.long_form),
        "pattern": definition.pattern,
        "confidence": definition.confidence,
    }
