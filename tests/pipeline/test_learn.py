"""What the linker learns of other documents."""

from typing import Any

import pytest
import spacy
from pytest import fixture

from spacy_gladis.documents.formats import read_file, read_text
from spacy_gladis.errors import InputError
from spacy_gladis.pipeline.annotate import annotate_sources
from spacy_gladis.pipeline.learn import learn_sources, linker_of
from spacy_gladis.pipeline.load import load_pipeline
from spacy_gladis.problem import ProblemLog
from spacy_gladis.resolution import Resolution

ESA = "The European Space Agency (ESA) met."


def doc_at(nlp, text, path=""):
    doc = nlp.make_doc(text)
    doc.user_data["document"] = path
    return doc


def answer(nlp, text, path=""):
    doc = nlp(doc_at(nlp, text, path))
    return doc.spans["acronyms"][0]._.resolution


@fixture
def taught(nlp):
    """A pipeline that has read some documents of two folders."""
    docs = [
        doc_at(nlp, ESA, "space/a.md"),
        doc_at(nlp, "Employee stock accounts (ESAs) pay.", "money/b.md"),
        doc_at(nlp, "The artificial intelligence (AI).", "space/c.md"),
    ]
    definitions = linker_of(nlp).learn(nlp.pipe(docs))
    assert {entry[1:] for entry in definitions} == {
        ("artificial intelligence", 1),
        ("European Space Agency", 1),
        ("Employee stock accounts", 1),
    }
    return nlp


def test_other_documents_definitions_are_the_answers_the_nearest_first(taught):
    space, money = (answer(taught, "by ESA", f"{folder}/x.md") for folder in ("space", "money"))
    assert (space.long_form, space.source) == ("European Space Agency", "folder")
    assert (money.long_form, money.source) == ("Employee stock accounts", "folder")
    assert space.candidates[0][0] == space.long_form
    assert {name for name, _ in space.candidates} >= {money.long_form}


def test_a_document_s_own_definition_comes_first(taught):
    result = answer(taught, "The adequate intake (AI) of ESA. The AI.", "space/x.md")
    assert (result.long_form, result.source) == ("adequate intake", "definition")


def test_another_document_is_named_and_never_sure(taught):
    result = answer(taught, "by ESA", "space/x.md")
    assert (result.document, result.probability) == ("space/a.md", 0.85)
    assert result.why[0] == "according to space/a.md"


SCAN = "CT of the chest and the abdomen showed no mass."


@pytest.mark.parametrize(
    ("text", "path", "long_form"),
    [
        ("The CT met again in March.", "hr/b.md", "compensation team"),
        ("The CT met again in March.", "hr/deep/b.md", "compensation team"),
        ("The CT met again in March.", "board/b.md", "compensation team"),
        (SCAN, "clinic/b.md", "computed tomography"),
        (SCAN, "b.md", "computed tomography"),
        (SCAN, "hr/b.md", "computed tomography"),
    ],
)
def test_a_strong_match_comes_before_a_definition_in_another_document(text, path, long_form):
    nlp = load_pipeline()
    linker_of(nlp).learn(nlp.pipe([doc_at(nlp, "The compensation team (CT) met.", "hr/a.md")]))
    result = answer(nlp, text, path)
    assert result.long_form == long_form
    assert result.document == ("hr/a.md" if long_form == "compensation team" else "")
    assert result.probability < 1


def test_a_scoring_network_weighs_definitions_of_other_documents(scored):
    before = answer(scored, "The AI of the patient", "space/x.md")
    assert before.source != "folder"
    linker_of(scored).learn(
        scored.pipe([doc_at(scored, f"{ESA} The adequate intake (AI).", "a.md")])
    )
    for text, long_form in (("by ESA", "European Space Agency"), ("The AI", "adequate intake")):
        result = answer(scored, text, "space/x.md")
        assert (result.long_form, result.source) == (long_form, "folder")


def test_what_was_learnt_is_saved(taught, tmp_path):
    expected = answer(taught, "by ESA", "money/x.md")
    taught.to_disk(tmp_path / "saved")
    assert answer(spacy.load(tmp_path / "saved"), "by ESA", "money/x.md") == expected
    data = taught.to_bytes()
    linker = linker_of(taught)
    linker.folder_definitions = type(linker.folder_definitions)()
    assert answer(taught, "by ESA").source == "nil"
    assert answer(taught.from_bytes(data), "by ESA", "money/x.md") == expected


def test_undefined_acronyms_tell_of_the_topics_of_all():
    nlp = load_pipeline()

    def probability(of_mi: Resolution) -> float:
        return dict(of_mi.candidates).get("myocardial infarction", 0.0)

    alone = answer(nlp, "A new MI was found.")
    ward = "PMH of HTN, DM2 and COPD. BP and HR were stable, ECG and CBC normal."
    linker_of(nlp).learn(nlp.pipe([doc_at(nlp, ward, "ward/a.md")]))
    result = answer(nlp, "A new MI was found.", "ward/b.md")
    assert alone.candidates[0][0] != result.candidates[0][0] == "myocardial infarction"
    assert probability(result) > 2 * probability(alone)
    linker_of(nlp).learn(nlp.pipe([doc_at(nlp, "A new MI was found. The MIs.", "ward/b.md")]))
    assert answer(nlp, "A new MI was found.", "ward/b.md") == result
    for acronym in linker_of(nlp).folder_definitions.undefined:
        linker_of(nlp).dictionary.ignore(acronym)
    linker_of(nlp).dictionary.add("MI", "myocardial infarction")
    assert answer(nlp, "A new MI was found.", "ward/b.md") != result


def test_processes_know_what_was_learnt(taught):
    docs = [doc_at(taught, "by ESA", f"{folder}/x.md") for folder in ("space", "money")]
    long_forms = [doc.spans["acronyms"][0].kb_id_ for doc in taught.pipe(docs, n_process=2)]
    assert long_forms == ["European Space Agency", "Employee stock accounts"]


def test_phrases_of_other_documents_speak_for_what_none_defines(nlp):
    cod = read_text("The chemical oxygen demand of the European Sea Area.", "text").at(name="b.md")
    read = [read_text(f"{ESA} Their COD.", "text").at(name="a.md"), cod]
    definitions = learn_sources(nlp, lambda: read)
    assert [definition[:2] for definition in definitions] == [("ESA", "European Space Agency")]
    assert list(definitions.meanings("COD")) == ["chemical oxygen demand"]
    assert list(definitions.meanings("ESA")) == ["European Space Agency"]
    linker_of(nlp).learn(nlp.pipe([source.text for source in read]))
    result = answer(nlp, "The COD")
    assert (result.long_form, result.source) == ("chemical oxygen demand", "folder")


def test_what_are_no_documents_is_refused(nlp):
    wrong: list[Any] = [["text"], nlp("one document")]
    for given in wrong:
        with pytest.raises(InputError, match="learn expects spaCy documents"):
            linker_of(nlp).learn(given)


def test_texts_of_one_file_are_documents_with_names_in_its_folder(nlp, tmp_path):
    path = tmp_path / "space" / "a.jsonl"
    path.parent.mkdir()
    path.write_text(f'{{"text": "{ESA}"}}\n{{"text": "by ESA"}}\n')

    def read():
        return read_file(path, ProblemLog())

    definitions = learn_sources(nlp, read)
    linker_of(nlp).folder_definitions.update(definitions)
    docs = [doc for _, doc in annotate_sources(nlp, read(), ProblemLog())]
    names = [f"{path}:1", f"{path}:2"]
    assert [doc.user_data["document"] for doc in docs] == names
    (resolution,) = (span._.resolution for span in docs[1].spans["acronyms"])
    assert (resolution.long_form, resolution.document) == ("European Space Agency", names[0])
    (here,) = definitions.meanings("ESA", str(path.with_name("b.md"))).values()
    assert here.document == names[0]
