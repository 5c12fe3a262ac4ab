"""spaCy's own commands show how well acronyms are found."""

import re
import subprocess
import sys

import pytest
import spacy
from spacy.tokens import Doc, DocBin, SpanGroup

from tests.support.paths import CONFIGS

pytestmark = pytest.mark.slow

TEXT = "The European Space Agency (ESA) met NASA."
REFERENCE = {"acronyms": ["ESA"], "long_forms": ["European Space Agency"]}


@pytest.fixture
def corpus(tmp_path):
    """One document; NASA is not marked, so that one acronym of two that are found is wrong."""
    doc: Doc = spacy.blank("en").make_doc(TEXT)
    for key, forms in REFERENCE.items():
        result = [doc.char_span(TEXT.index(form), TEXT.index(form) + len(form)) for form in forms]
        doc.spans[key] = SpanGroup(doc, name=key, spans=[span for span in result if span])
    DocBin(docs=[doc]).to_disk(tmp_path / "dev.spacy")
    return tmp_path / "dev.spacy"


def spacy_says(*arguments: object) -> str:
    command = [sys.executable, "-m", "spacy", *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_spacy_evaluate_prints_the_spans_and_a_row_for_each_kind(tmp_path, corpus):
    nlp = spacy.blank("en")
    nlp.add_pipe("acronym_detector")
    nlp.to_disk(tmp_path / "pipeline")
    said = spacy_says("evaluate", tmp_path / "pipeline", corpus, "--spans-key", "acronyms")
    assert re.findall(r"SPAN ([PRF]) +([\d.]+)", said) == [
        ("P", "50.00"),
        ("R", "100.00"),
        ("F", "66.67"),
    ]
    assert re.search(r"ACRONYM +50\.00 +100\.00 +66\.67", said)
    assert re.search(r"LONG_FORM +100\.00 +100\.00 +100\.00", said)
    other = spacy_says("evaluate", tmp_path / "pipeline", corpus, "--spans-key", "long_forms")
    assert re.search(r"SPAN P +100\.00", other)


def test_spacy_train_prints_a_column_for_each_score(tmp_path, corpus):
    said = spacy_says(
        *("train", CONFIGS / "detector_tagger.cfg", "--output", tmp_path / "tagger"),
        *("--paths.train", corpus, "--paths.dev", corpus),
        *("--training.max_steps", 1, "--training.eval_frequency", 1),
    )
    columns = re.findall(r"\b(?:IDENTIFICA|SPANS_ACRO|SPANS_LONG)", said)  # cut by spaCy
    assert columns == ["IDENTIFICA", "SPANS_ACRO", "SPANS_LONG"], said
    assert re.search(r"^ +\d+ +\d+(?: +\d+\.\d\d){5}$", said, re.M), said
