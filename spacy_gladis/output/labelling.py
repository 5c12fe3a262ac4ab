"""Conversion of annotated documents to the input of displaCy, Prodigy and Label Studio.

These tools show spans in a text, or let people label them.
"""

from html import escape
from typing import Any

from spacy.tokens import Doc

from .. import __version__
from ..pipeline.annotations import ACRONYM_LABEL, find_acronym_spans, find_resolution, mentions_of

LABELS = {
    "definition": "DEFINED",
    "document": "DEFINED",
    "folder": "RESOLVED",
    "dictionary": "RESOLVED",
    "llm": "RESOLVED",
    "nil": "UNKNOWN",
}

COLOURS = {"DEFINED": "#8fd6b0", "RESOLVED": "#9dc1f5", "UNKNOWN": "#e8c48f"}
"""Colours of the labels, for `displacy.render(..., options={"colors": COLOURS})`."""

LABEL_STUDIO_CONFIG = f"""<View>
  <Labels name="label" toName="text"><Label value="{ACRONYM_LABEL}"/></Labels>
  <Text name="text" value="$text"/>
  <TextArea name="long_form" toName="text" perRegion="true" editable="true"/>
</View>"""
"""Labelling configuration for a Label Studio project with the tasks of `to_label_studio`."""


def to_prodigy(doc: Doc, name: str) -> dict[str, Any]:
    """Convert an annotated document to a task for the labelling tool Prodigy.

    Use the task with the recipes `spans.manual` and `ner.manual`. Prodigy shows only the label of
    an acronym. The task also contains the long form and its probability.

    Args:
        doc: Document that a pipeline has annotated.
        name: Name of the document, which is stored in the task's `meta`.

    Returns:
        The task with the text, its tokens and its acronyms. Write it as one line of Prodigy's JSONL
        input.
    """
    tokens = [
        {
            "text": token.text,
            "start": token.idx,
            "end": token.idx + len(token),
            "id": token.i,
            "ws": bool(token.whitespace_),
        }
        for token in doc
    ]
    spans = []
    for span in find_acronym_spans(doc, parts=False):
        answer = find_resolution(span)
        spans.append(
            {
                "start": span.start_char,
                "end": span.end_char,
                "token_start": span.start,
                "token_end": span.end - 1,
                "label": ACRONYM_LABEL,
                "long_form": answer and answer.long_form,
                "probability": answer and round(answer.probability, 4),
            }
        )
    return {"text": doc.text, "tokens": tokens, "spans": spans, "meta": {"document": name}}


def to_label_studio(doc: Doc, name: str) -> dict[str, Any]:
    """Convert an annotated document to a task for Label Studio, with predictions to correct.

    Each acronym is a region whose text field contains the long form. Create the project with the
    configuration in `LABEL_STUDIO_CONFIG`.

    Args:
        doc: Document that a pipeline has annotated.
        name: Name of the document, which is stored in the task's data.

    Returns:
        The task, which is one item of the JSON array that Label Studio imports.
    """
    result: list[dict[str, Any]] = []
    probabilities = []
    for number, (start, end, answer) in enumerate(mentions_of(doc)):
        region = {"id": f"a{number}", "to_name": "text"}
        place = {"start": start, "end": end, "text": doc.text[start:end]}
        labels = {**place, "labels": [ACRONYM_LABEL]}
        result.append({**region, "from_name": "label", "type": "labels", "value": labels})
        if answer.long_form is not None:
            words = {**place, "text": [answer.long_form]}
            result.append({**region, "from_name": "long_form", "type": "textarea", "value": words})
        probabilities.append(answer.probability)
    prediction = {
        "model_version": f"spacy-gladis {__version__}",
        # Label Studio can sort tasks by their score, so that uncertain documents come first.
        "score": round(min(probabilities, default=1.0), 4),
        "result": result,
    }
    data = {"text": doc.text, "document": name}
    return {"data": data, "predictions": [prediction]}


def to_displacy(doc: Doc, name: str | None = None) -> dict[str, Any]:
    """Convert an annotated document to data that displaCy can render.

    Pass the data to `displacy.render(data, style="span", manual=True)`. The label of an acronym
    shows where its meaning comes from, and the long form is below the label. The title and the long
    forms are escaped, because displaCy inserts them into its page without escaping.

    Args:
        doc: Document that a pipeline has annotated.
        name: Title to show above the text. None shows no title.

    Returns:
        The text, its tokens and its acronyms as JSON types.
    """
    spans = []
    for span in find_acronym_spans(doc, parts=False):
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
