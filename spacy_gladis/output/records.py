"""What the components found in a document, as plain records."""

from typing import Any

from spacy.tokens import Doc

from ..documents.source import Source
from ..pipeline.annotations import definitions_of, mentions_of


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

    whole = doc.text
    definitions = [
        {
            "acronym": whole[slice(*one.acronym)],
            "long_form": one.words(whole),
            "acronym_offsets": place(*one.acronym),
            "long_form_offsets": place(*one.long_form),
        }
        for one in definitions_of(doc)
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
        if answer.gloss:
            record["gloss"] = answer.gloss
        if answer.document:
            record["defined_in"] = answer.document
        if source is not None:
            line, column, _ = source.position(start)
            record |= {"line": line, "column": column}
        acronyms.append(record)
    words = {"text": whole} if text else {}
    return {"document": name, **words, "acronyms": acronyms, "definitions": definitions}
