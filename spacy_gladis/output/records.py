"""What the components found in a document, as plain records."""

from typing import Any

from spacy.tokens import Doc

from ..documents.source import Source
from ..pipeline.annotations import acronym_groups, find_resolution, mention_offsets, text_at
from ..pipeline.resolution import Resolution

Offsets = tuple[int, int]


def mentions_of(doc: Doc) -> list[tuple[int, int, Resolution]]:
    """The document's mentions that have a resolution, by character offsets, in order."""
    found = {
        mention_offsets(group, span): answer
        for group in acronym_groups(doc)
        for span in group
        if (answer := find_resolution(span)) is not None
    }
    return [(start, end, found[start, end]) for start, end in sorted(found)]


def definitions_of(doc: Doc) -> list[tuple[Offsets, Offsets]]:
    """The text's own definitions: the character offsets of acronym and long form, in order."""
    return [
        (tuple(record["acronym"]), tuple(record["long_form"]))
        for group in doc.spans.values()
        for record in group.attrs.get("definitions", ())
    ]


def to_record(
    doc: Doc, name: str, source: Source | None = None, text: bool = False
) -> dict[str, Any]:
    """A document's findings as JSON types; `text[start:end]` is a mention.

    source: what the document was read from; offsets are then those of its original, and mentions
        have their line and column.
    text: give the text too; offsets are then those of the text.
    """

    def place(start: int, end: int) -> list[int]:
        if source is None or text:
            return [start, end]
        return [source.original_offset(start), source.original_offset(end - 1) + 1]

    definitions = [
        {
            "acronym": text_at(doc, *acronym),
            "long_form": text_at(doc, *long_form),
            "acronym_offsets": place(*acronym),
            "long_form_offsets": place(*long_form),
        }
        for acronym, long_form in definitions_of(doc)
    ]
    acronyms = []
    for start, end, answer in mentions_of(doc):
        first, last = place(start, end)
        record = {
            "start": first,
            "end": last,
            "acronym": answer.acronym,
            "long_form": answer.long_form,
            "probability": round(answer.probability, 4),
            "source": answer.source,
            "candidates": [
                {"long_form": long_form, "probability": round(probability, 4)}
                for long_form, probability in answer.candidates
            ],
            "why": list(answer.why),
        }
        if source is not None:
            line, column, _ = source.position(start)
            record |= {"line": line, "column": column}
        acronyms.append(record)
    words = {"text": doc.text} if text else {}
    return {"document": name, **words, "acronyms": acronyms, "definitions": definitions}
