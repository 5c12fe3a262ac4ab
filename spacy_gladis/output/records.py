"""Conversion of the acronyms and definitions in a document to JSON types."""

from typing import Any

from spacy.tokens import Doc

from ..documents.source import Source
from ..pipeline.annotations import definitions_of, mentions_of


def to_record(
    doc: Doc, name: str, source: Source | None = None, text: bool = False
) -> dict[str, Any]:
    """Convert the acronyms and definitions in an annotated document to JSON types.

    Args:
        doc: Document that a pipeline has annotated.
        name: Name of the document, which becomes part of the record.
        source: The text that was read from a file. With it, offsets refer to the file, and each
            acronym has a line and a column. None if the text doesn't come from a file.
        text: Whether to include the text of the document. If True, offsets refer to this text.

    Returns:
        A dictionary with the keys `document`, `acronyms`, `definitions` and, if requested, `text`.
    """

    def place(start: int, end: int) -> list[int]:
        if source is None or text:
            return [start, end]
        return [source.original_offset(start), source.original_offset(end - 1) + 1]

    doc_text = doc.text
    definitions = [
        {
            "acronym": doc_text[slice(*definition.acronym)],
            "long_form": definition.words(doc_text),
            "acronym_offsets": place(*definition.acronym),
            "long_form_offsets": place(*definition.long_form),
        }
        for definition in definitions_of(doc)
    ]
    acronyms = []
    for start, end, answer in mentions_of(doc, parts=True):
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
    words = {"text": doc_text} if text else {}
    return {"document": name, **words, "acronyms": acronyms, "definitions": definitions}
