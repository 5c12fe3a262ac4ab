"""Definitions that a file's format marks, as answers for the acronyms in its text."""

from spacy.tokens import Doc

from ..documents.source import Source
from ..pipeline.annotations import (
    acronym_groups,
    defined_resolution,
    find_resolution,
    mention_offsets,
    text_at,
)
from ..pipeline.span_groups import span_key
from ..rules import base_form


def with_marked(doc: Doc, source: Source) -> Doc:
    """Answer mentions by the file's marked definitions, where the text itself defines nothing."""
    marked = {base_form(one.acronym): one.long_form for one in source.definitions}
    for group in acronym_groups(doc) if marked else ():
        answers = dict(group.attrs.get("resolutions", {}))
        for span in group:
            acronym = text_at(doc, *mention_offsets(group, span))
            long_form, known = marked.get(base_form(acronym)), find_resolution(span)
            if long_form and (known is None or known.source != "definition"):
                answers[span_key(span)] = defined_resolution(acronym, long_form).to_dict()
                span.kb_id_ = long_form
        group.attrs["resolutions"] = answers
    return doc
