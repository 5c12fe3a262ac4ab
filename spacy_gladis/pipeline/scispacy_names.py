"""scispacy's names for a text's own definitions, for code that was written for it."""

from spacy.tokens import Doc, Span

from .annotations import acronym_groups, definition_of, find_acronym_spans


def find_abbreviations(doc: Doc) -> list[Span]:
    """Every mention of an acronym that the document defines, in order."""
    return [span for span in find_acronym_spans(doc) if find_long_form_span(span) is not None]


def find_long_form_span(span: Span) -> Span | None:
    """The document's own long form of the acronym at this span, as a span."""
    for group in acronym_groups(span.doc, current=False):
        definition = definition_of(group, span)
        if definition is not None:
            start, end = definition["long_form"]
            found: Span | None = span.doc.char_span(start, end, alignment_mode="expand")
            return found
    return None


def install_scispacy_names() -> None:
    """Give `doc._.abbreviations` and `span._.long_form` the meaning that scispacy gives them.

    So `span._.long_form` becomes a Span, for this whole process; the linker's answer remains in
    `span.kb_id_` and `span._.resolution`. Both are read from `doc.spans`, so that, unlike
    scispacy's, they survive `DocBin` and `n_process`.
    """
    Doc.set_extension("abbreviations", getter=find_abbreviations, force=True)
    Span.set_extension("long_form", getter=find_long_form_span, force=True)
