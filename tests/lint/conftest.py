"""Documents whose acronyms mean what a test says: no network is needed to lint them."""

import sys

import pytest
from spacy.language import Language
from spacy.tokens import Doc

from spacy_gladis.documents.formats import read_text
from spacy_gladis.lint.detector import load_detector
from spacy_gladis.lint.run import lint
from spacy_gladis.lint.settings import Settings
from spacy_gladis.pipeline.findings import write_answers
from spacy_gladis.resolution import AnswerSource, Resolution

MEANINGS = {
    "AWS": "Amazon Web Services",
    "ATM": "automated teller machine",
    "PIN": "personal identification number",
    "EU": "European Union",
    "HTML": "Hypertext Markup Language",
    "WHO": "World Health Organization",
    "CEO": "chief executive officer",
    "CRT": "Cathode ray tube",  # as another document begins a sentence with it
    "CTG": "cardiotocography",
    "FAQ": "frequently asked questions",
    "LCD": "liquid-crystal display",
}


@pytest.fixture(scope="session")
def nlp() -> Language:
    """The detector, and answers for MEANINGS in the linker's place."""
    nlp = load_detector()
    if not Language.has_factory("fixed_answers"):
        Language.component("fixed_answers", func=answer)
    nlp.add_pipe("fixed_answers")
    return nlp


def answer(doc: Doc) -> Doc:
    answers = []
    for span in doc.spans["acronyms"]:
        long_form = MEANINGS.get(span.text.rstrip("s"))
        source: AnswerSource = "dictionary" if long_form else "nil"
        pairs = ((long_form, 0.9),) if long_form else ()
        given = Resolution(span.text, long_form, 0.9, source, pairs)
        answers.append(span._.resolution or given)
    write_answers(doc, "acronyms", answers)
    return doc


@pytest.fixture
def half_known(monkeypatch):
    """All meanings are such as readers have to be told (AC002)."""
    rule = sys.modules["spacy_gladis.lint.rules.used_before"]
    monkeypatch.setattr(rule, "commonness", lambda acronym, long_form: 20)


@pytest.fixture
def findings(nlp):
    """Lint texts of one format; each finding as (code, what stands there, message)."""

    def run(*texts, format="markdown", **settings):
        sources = [
            read_text(text, format).at(name=f"{n}", path=f"{n}") for n, text in enumerate(texts)
        ]
        given = lint([(one, nlp(one.text)) for one in sources], Settings(**settings))
        found = []
        for one in given:
            line = texts[int(one.path)].split("\n")[one.position.line - 1]
            found.append((one.code, line[one.position.column - 1 :].split()[0], one.message))
        return found

    return run
