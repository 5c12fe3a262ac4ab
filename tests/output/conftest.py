"""Documents whose acronyms are resolved by hand: no network is needed to write them."""

import pytest
import spacy
from spacy.tokens import Doc

from spacy_gladis.pipeline.annotations import write_answers
from spacy_gladis.resolution import AnswerSource, Resolution


@pytest.fixture(scope="session")
def resolve():
    """Make a document: its own definitions count, other acronyms mean what is given."""
    nlp = spacy.blank("en")
    nlp.add_pipe("acronym_detector")

    def make(text: str, probability: float = 0.75, **meanings: str) -> Doc:
        doc = nlp(text)
        answers = []
        for span in doc.spans["acronyms"]:
            long_form = meanings.get(span.text.rstrip("s"))
            source: AnswerSource = "nil" if long_form is None else "dictionary"
            pairs = ((long_form or "no one knows", probability), ("x'y\"<i>", 0.25))
            given = Resolution(span.text, long_form, probability, source, pairs)
            answers.append(span._.resolution or given)
        write_answers(doc, "acronyms", answers)
        return doc

    return make
