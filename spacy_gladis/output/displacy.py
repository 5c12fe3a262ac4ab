"""Data for displaCy, spaCy's own way of drawing a document: `style="span"`."""

from html import escape
from typing import Any

from spacy.tokens import Doc

from ..pipeline.annotations import find_acronym_spans, find_resolution

LABELS = {
    "definition": "DEFINED",
    "document": "DEFINED",
    "folder": "RESOLVED",
    "dictionary": "RESOLVED",
    "nil": "UNKNOWN",
}

COLOURS = {"DEFINED": "#8fd6b0", "RESOLVED": "#9dc1f5", "UNKNOWN": "#e8c48f"}
"""For `displacy.render(..., options={"colors": COLOURS})`."""


def to_displacy(doc: Doc, name: str | None = None) -> dict[str, Any]:
    """The acronyms of a document, each labelled by its source, its long form beneath.

    For `displacy.render(data, style="span", manual=True)`; all of it is JSON. name: a title.
    Title and long forms are escaped here, because displaCy puts them into its page as they are.
    """
    spans = []
    for span in find_acronym_spans(doc):
        answer = find_resolution(span)
        if answer is not None:
            spans.append(
                {
                    "start": span.start_char,
                    "end": span.end_char,
                    "start_token": span.start,
                    "end_token": span.end,
                    "label": LABELS[answer.source],
                    "kb_id": escape(answer.long_form or ""),
                    "kb_url": "#",
                }
            )
    tokens = [token.text for token in doc]
    title = None if name is None else escape(name)
    return {"text": doc.text, "title": title, "tokens": tokens, "spans": spans}
