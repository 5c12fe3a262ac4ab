"""Definitions that a file's format marks, as answers for the acronyms in its text."""

from spacy.tokens import Doc

from ..documents.source import Source
from ..pipeline.annotations import acronym_groups
from ..pipeline.findings import Findings, place_of
from ..resolution import Resolution
from ..rules import base_form


def with_marked(doc: Doc, source: Source) -> Doc:
    """Answer mentions by the file's marked definitions, where the text itself defines nothing."""
    marked = {base_form(one.acronym): one.long_form for one in source.definitions}
    text = doc.text
    for group in acronym_groups(doc) if marked else ():
        found = Findings.of(group)
        for span in group:
            place = place_of(span)
            acronym, known = text[slice(*place)], found.resolutions.get(place)
            long_form = marked.get(base_form(acronym))
            if long_form and (known is None or known.source != "definition"):
                found.resolutions[place] = Resolution.defined(acronym, long_form)
                span.kb_id_ = long_form
        found.store(group)
    return doc
