"""`acrobert_linker` over an inventory of concepts: any spans get the ids of concepts."""

import pytest
import spacy
from spacy.tokens import Doc

from spacy_gladis.concepts import Concept, write_inventory
from spacy_gladis.errors import FormatError, InputError

TEXT = "The patient learns the daily diet. Adequate intake (AI) of potassium: AI is xyzzy."


@pytest.fixture(scope="module")
def inventory(tmp_path_factory):
    path = tmp_path_factory.mktemp("concepts") / "diet.concepts"
    concepts = [
        Concept("C1", ("adequate intake", "sufficient intake")),
        Concept("C2", ("potassium", "potassium in diet")),
        Concept("C3", ("artificial intelligence", "AI")),
    ]
    write_inventory(concepts, path)
    return path


@pytest.fixture
def nlp(tiny_weights, inventory):
    nlp = spacy.blank("en")
    model = {"@architectures": "spacy-gladis.AcroBERT.v1", "path": str(tiny_weights)}
    config = {"model": model, "dictionary": str(inventory), "spans_key": "terms", "threshold": 0}
    nlp.add_pipe("acrobert_linker", config=config)
    return nlp


def link(nlp) -> Doc:
    doc = nlp.make_doc(TEXT)
    places = [
        TEXT.index("Adequate"),
        TEXT.index("potassium"),
        TEXT.rindex("AI"),
        TEXT.index("xyzzy"),
    ]
    ends = [len("Adequate intake"), len("potassium"), len("AI"), len("xyzzy")]
    spans = [
        doc.char_span(start, start + size, label="TERM")
        for start, size in zip(places, ends, strict=True)
    ]
    doc.spans["terms"] = spans
    return nlp.get_pipe("acrobert_linker")(doc)


def test_spans_get_concept_ids(nlp):
    doc = link(nlp)
    spans = list(doc.spans["terms"])
    assert [span.kb_id_ for span in spans[:2]] == ["C1", "C2"]
    assert spans[3].kb_id_ == "NIL"
    answer = spans[0]._.resolution
    assert (answer.concept, answer.long_form) == ("C1", "adequate intake")
    assert 0 < answer.probability <= 1
    assert [span.label_ for span in spans] == ["TERM"] * 4


def test_an_acronym_is_what_its_document_says(nlp):
    doc = link(nlp)
    assert doc.spans["terms"][2]._.resolution.candidates[0][0] == "adequate intake"


def test_below_the_threshold_there_is_no_concept(nlp):
    nlp.get_pipe("acrobert_linker").configure(threshold=1)
    doc = link(nlp)
    assert {span.kb_id_ for span in doc.spans["terms"]} == {"NIL"}


def test_a_saved_pipeline_brings_its_inventory(nlp, tmp_path):
    nlp.to_disk(tmp_path / "saved")
    doc = link(spacy.load(tmp_path / "saved"))
    assert [span.kb_id_ for span in doc.spans["terms"]][:2] == ["C1", "C2"]


def test_another_inventory_in_its_place_is_refused(nlp, tmp_path):
    nlp.to_disk(tmp_path / "saved")
    folder = tmp_path / "saved" / "acrobert_linker" / "dictionary"
    write_inventory([Concept("X", ("x",))], folder / "dictionary.concepts")
    with pytest.raises(FormatError, match="was saved with"):
        spacy.load(tmp_path / "saved")


def test_what_an_inventory_cannot_do_is_said(nlp):
    linker = nlp.get_pipe("acrobert_linker")
    with pytest.raises(InputError, match="no entries for acronyms"):
        linker.dictionary.add("AI", "adequate intake")
