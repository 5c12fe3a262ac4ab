"""`concept_linker`: any spans get the ids of an inventory's concepts."""

import pickle

import pytest
import spacy
from spacy.tokens import Doc
from spacy.training import Example

from spacy_gladis.concepts import Concept, write_inventory
from spacy_gladis.errors import FormatError, InputError

TEXT = "The patient learns the daily diet. Adequate intake (AI) of potassium: AI is xyzzy."
PHRASES = ("Adequate intake", "potassium", "AI", "xyzzy")


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
def config(tiny_weights, inventory):
    model = {"@architectures": "spacy-gladis.AcroBERT.v1", "path": str(tiny_weights)}
    return {"model": model, "inventory": str(inventory), "threshold": 0}


@pytest.fixture
def nlp(config):
    nlp = spacy.blank("en")
    nlp.add_pipe("concept_linker", config=config)
    return nlp


def marked(nlp, ids=("", "", "", "")) -> Doc:
    doc = nlp.make_doc(TEXT)
    places = [(TEXT.rindex(phrase), TEXT.rindex(phrase) + len(phrase)) for phrase in PHRASES]
    doc.spans["terms"] = [
        doc.char_span(*place, label="TERM", kb_id=id) for place, id in zip(places, ids, strict=True)
    ]
    return doc


def link(nlp) -> Doc:
    return nlp.get_pipe("concept_linker")(marked(nlp))


def ids(doc: Doc) -> list[str]:
    return [span.kb_id_ for span in doc.spans["terms"]]


def test_spans_get_concept_ids(nlp):
    doc = link(nlp)
    spans = list(doc.spans["terms"])
    assert ids(doc)[:2] == ["C1", "C2"]
    assert ids(doc)[3] == "NIL"
    answer = spans[0]._.concept_link
    assert (answer.phrase, answer.concept, answer.name) == (
        "Adequate intake",
        "C1",
        "adequate intake",
    )
    assert 0 < answer.probability <= 1
    assert answer.candidates[0] == ("C1", "adequate intake", answer.probability)
    assert spans[3]._.concept_link.concept is None
    assert doc[0:1]._.concept_link is None
    assert [span.label_ for span in spans] == ["TERM"] * 4


def test_an_acronym_is_what_its_document_says(nlp):
    doc = link(nlp)
    assert doc.spans["terms"][2]._.concept_link.candidates[0].name == "adequate intake"


def test_settings_of_a_component_that_is_there(nlp, tmp_path):
    linker = nlp.get_pipe("concept_linker")
    write_inventory([Concept("X", ("potassium",))], tmp_path / "other.concepts")
    linker.configure(inventory=str(tmp_path / "other.concepts"), top_k=1)
    assert ids(link(nlp))[1] == "X"
    for wrong in ({"threshold": -1}, {"colour": "red"}, {"inventory": "nope.concepts"}):
        with pytest.raises(InputError, match="concept_linker"):
            linker.configure(**wrong)
    linker.configure(threshold=1)
    assert set(ids(link(nlp))) == {"NIL"}


def test_a_stream_is_linked_as_its_documents_are(nlp):
    linker = nlp.get_pipe("concept_linker")
    empty = nlp.make_doc("nothing is marked here")
    docs = list(linker.pipe([marked(nlp), empty, marked(nlp)], batch_size=2))
    assert ids(docs[0]) == ids(docs[2]) == ids(link(nlp))
    assert "terms" not in docs[1].spans


def test_saved_pipelines_bring_their_inventory(nlp, config, tmp_path):
    nlp.to_disk(tmp_path / "saved")
    settings = (tmp_path / "saved" / "config.cfg").read_text()
    settings = settings.replace(config["inventory"], "/nowhere")
    (tmp_path / "saved" / "config.cfg").write_text(settings)
    blank = spacy.blank("en")
    blank.add_pipe("concept_linker")
    wanted = ids(link(nlp))
    for other in (
        spacy.load(tmp_path / "saved"),
        blank.from_bytes(nlp.to_bytes()),
        pickle.loads(pickle.dumps(nlp)),
    ):
        assert ids(link(other)) == wanted


def test_another_inventory_in_its_place_is_refused(nlp, tmp_path):
    nlp.to_disk(tmp_path / "saved")
    folder = tmp_path / "saved" / "concept_linker" / "inventory"
    write_inventory([Concept("X", ("x",))], folder / "inventory.concepts")
    with pytest.raises(FormatError, match="was saved with"):
        spacy.load(tmp_path / "saved")


def test_without_an_inventory_it_says_how_to_make_one():
    nlp = spacy.blank("en")
    linker = nlp.add_pipe("concept_linker")
    with pytest.raises(InputError, match="concepts build"):
        linker(marked(nlp))
    assert linker(nlp.make_doc("no spans")).text == "no spans"


def test_the_acronym_linker_names_it_for_an_inventory(inventory):
    with pytest.raises(InputError, match=r"concept_linker.*diet\.concepts"):
        spacy.blank("en").add_pipe("acrobert_linker", config={"dictionary": str(inventory)})


def test_examples_with_linked_phrases_are_refused(nlp):
    example = Example(nlp.make_doc(TEXT), marked(nlp, ("C1", "", "", "")))
    with pytest.raises(InputError, match=r"concept_linker does not learn.*frozen_components"):
        nlp.update([example])
    with pytest.raises(InputError, match="does not learn"):
        nlp.initialize(lambda: [example])


def test_other_components_train_beside_it(nlp):
    nlp.add_pipe("sentencizer")
    nlp.add_pipe("textcat")
    example = Example.from_dict(nlp.make_doc(TEXT), {"cats": {"diet": 1.0, "other": 0.0}})
    optimizer = nlp.initialize(lambda: [example])
    assert nlp.update([example], sgd=optimizer)["textcat"] > 0


def test_scores_at_the_reference_phrases(nlp):
    result, other = ids(link(nlp))[2], ids(link(nlp))[3]
    assert other == "NIL"
    wrong = "C3" if result != "C3" else "C2"
    reference = marked(nlp, ("C1", "C9", wrong, "NIL"))
    scores = nlp.evaluate([Example(nlp.make_doc(TEXT), reference)])
    assert scores["concept_accuracy"] == 0.5
    assert scores["concept_recall"] == pytest.approx(2 / 3)  # C9 is in no inventory
    nothing = nlp.evaluate([Example(nlp.make_doc(TEXT), nlp.make_doc(TEXT))])
    assert nothing["concept_accuracy"] is None and nothing["concept_recall"] is None
