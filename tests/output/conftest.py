"""Documents whose acronyms are resolved by hand: no network is needed to write them."""

import pytest
import spacy
from spacy.tokens import Doc, Span, SpanGroup

from spacy_gladis.pipeline.resolution import Resolution, Source


@pytest.fixture
def resolve():
    """Make a document: its own definitions count, other acronyms mean what is given."""
    nlp = spacy.blank("en")
    nlp.add_pipe("acronym_detector")

    def make(text: str, probability: float = 0.75, **meanings: str) -> Doc:
        doc = nlp(text)
        group = doc.spans["acronyms"]
        records = {}
        for span in group:
            if f"{span.start_char}:{span.end_char}" not in group.attrs["defined"]:
                long_form = meanings.get(span.text.rstrip("s"))
                source: Source = "nil" if long_form is None else "dictionary"
                pairs = ((long_form or "no one knows", probability), ("x'y\"<i>", 0.25))
                answer = Resolution(span.text, long_form, probability, source, pairs)
                records[f"{span.start_char}:{span.end_char}"] = answer.to_dict()
        attrs = {**group.attrs, "resolutions": records}
        doc.spans["acronyms"] = SpanGroup(doc, spans=list[Span](group), attrs=attrs)
        return doc

    return make
