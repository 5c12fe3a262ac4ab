"""What the components found, as plain records: for JSON, tables and pages."""

from collections import Counter
from typing import Any, NamedTuple

from spacy.tokens import Doc

from .annotations import acronym_groups, find_resolution, mention_offsets, text_at
from .resolution import Resolution


class Entry(NamedTuple):
    """One line of a glossary: an acronym, what it stands for and how often it does."""

    acronym: str
    resolution: Resolution
    mentions: int


def mentions_of(doc: Doc) -> list[tuple[int, int, Resolution]]:
    """The document's mentions that have a resolution, by character offsets, in order."""
    found = {
        mention_offsets(group, span): answer
        for group in acronym_groups(doc)
        for span in group
        if (answer := find_resolution(span)) is not None
    }
    return [(start, end, found[start, end]) for start, end in sorted(found)]


def to_record(doc: Doc, name: str) -> dict[str, Any]:
    """A document's findings as JSON types; `text[start:end]` is a mention."""
    definitions = [
        {
            "acronym": text_at(doc, *record["acronym"]),
            "long_form": text_at(doc, *record["long_form"]),
            "acronym_offsets": list(record["acronym"]),
            "long_form_offsets": list(record["long_form"]),
        }
        for group in doc.spans.values()
        for record in group.attrs.get("definitions", ())
    ]
    acronyms = [
        {
            "start": start,
            "end": end,
            "acronym": answer.acronym,
            "long_form": answer.long_form,
            "probability": round(answer.probability, 4),
            "source": answer.source,
            "candidates": [
                {"long_form": long_form, "probability": round(probability, 4)}
                for long_form, probability in answer.candidates
            ],
        }
        for start, end, answer in mentions_of(doc)
    ]
    return {"document": name, "acronyms": acronyms, "definitions": definitions}


def to_glossary(doc: Doc) -> list[Entry]:
    """Each acronym with each of its meanings once, in the order of appearance."""
    first: dict[tuple[str, str], Resolution] = {}
    counts: Counter[tuple[str, str]] = Counter()
    for _, _, answer in mentions_of(doc):
        key = (answer.acronym, answer.kb_id)
        first.setdefault(key, answer)
        counts[key] += 1
    return [Entry(key[0], answer, counts[key]) for key, answer in first.items()]
