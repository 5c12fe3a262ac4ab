"""The component `acrobert_linker`."""

import json
import pickle
import shutil
import warnings
from pathlib import Path

import pytest
import spacy
from spacy.cli.package import package as package_pipeline
from spacy.tokens import Doc, DocBin, Span

import spacy_gladis
from spacy_gladis.dictionary import import_dictionary
from spacy_gladis.errors import FormatError, InputError
from spacy_gladis.pipeline.annotations import mentions_of
from spacy_gladis.pipeline.dictionaries import LinkerDictionary
from spacy_gladis.pipeline.learn import linker_of
from spacy_gladis.resolution import Resolution

TEXT = "The AI for potassium in grams. Computed tomography (CT) is a CT scan. ESA and mRNA."


def answers(doc):
    return [span._.resolution for span in doc._.acronyms]


@pytest.fixture
def linker(nlp):
    return linker_of(nlp)


def test_definition_first_then_dictionary_then_nil(nlp):
    doc = nlp(TEXT)
    ai, ct, again, *unknown = answers(doc)
    assert (ai.acronym, ai.source, len(ai.candidates)) == ("AI", "dictionary", 3)
    assert (ai.long_form, ai.probability) == ai.candidates[0] and len(ai.runners_up) == 2
    shares = [share for _, share in ai.candidates]
    assert shares == sorted(shares, reverse=True) and sum(shares) <= 1.0001
    assert ct == again
    assert ct[:2] == ("CT", "Computed tomography") and ct.source == "definition"
    assert ct.candidates == (("Computed tomography", ct.probability),)
    assert unknown[0] == Resolution("ESA", None, 0.0, "nil")
    assert unknown[1].long_form == "messenger RNA"
    kb_ids = [span.kb_id_ for span in doc.spans["acronyms"]]
    assert kb_ids == [ai.long_form, ct.long_form, ct.long_form, "NIL", "messenger RNA"]


def test_threshold_and_top_k_are_settings(nlp, linker):
    linker.configure(threshold=1.0, top_k=1)
    ai, *_ = answers(nlp(TEXT))
    assert (ai.long_form, ai.source, len(ai.candidates)) == (None, "nil", 1)


def test_predict_leaves_documents_alone(nlp, linker):
    doc = nlp.get_pipe("acronym_detector")(nlp.make_doc(TEXT))
    before = doc.to_bytes()
    linker.predict([doc])
    assert doc.to_bytes() == before


def test_spans_of_another_component_are_resolved_with_the_text_s_definitions(nlp, linker):
    linker.configure(spans_key="mine")
    doc = nlp.make_doc(TEXT)
    doc.spans["mine"] = [doc[1:2], doc[14:15]]
    assert [span.text for span in doc.spans["mine"]] == ["AI", "CT"]
    linker(doc)
    sources = [span._.resolution.source for span in doc._.acronyms]
    assert sources == ["dictionary", "definition"]
    linker.dictionary.add("AI", "another idea")
    linker(doc)
    assert doc.spans["mine"][0].kb_id_ == "another idea"


def test_parts_of_a_compound_are_answered_each_by_itself(nlp, linker):
    linker.dictionary.add("CT/AI", "cats and tigers as indoor animals")
    text = "Natural killer (NK) cells, NK/AI, NK-CT and AI-ESA; a CT/AI."
    doc = nlp(text)
    assert [(text[start:end], answer.long_form) for start, end, answer in mentions_of(doc)] == [
        ("NK", "Natural killer"),
        ("NK", "Natural killer"),
        ("AI", doc._.acronyms[2]._.long_form),
        ("NK", "Natural killer"),
        ("CT", doc._.acronyms[4]._.long_form),
        ("AI", doc._.acronyms[5]._.long_form),
        ("ESA", None),  # a part of which nothing is known
        ("CT/AI", "cats and tigers as indoor animals"),
    ]
    assert doc._.acronyms[2]._.resolution.source == "dictionary"


def test_acronyms_of_one_token_have_a_span_each(nlp, linker):
    doc = Doc(nlp.vocab, words=["the", "AI/CT", "diet"])
    for _, pipe in nlp.pipeline:
        pipe(doc)
    assert [span.text for span in doc.spans["acronyms"]] == ["AI/CT", "AI/CT"]
    assert [span._.resolution.acronym for span in doc._.acronyms] == ["AI", "CT"]
    for copy in (Doc(nlp.vocab).from_bytes(doc.to_bytes()), pickle.loads(pickle.dumps(doc))):
        assert answers(copy) == answers(doc)


def test_documents_without_spans_pass(nlp, linker):
    for doc in (nlp.make_doc(""), nlp.make_doc("AI"), nlp("   "), nlp("(")):
        assert linker(doc) is doc
    assert answers(nlp("(")) == []


def test_json_keeps_mentions_and_long_forms(nlp):
    read = Doc(nlp.vocab).from_json(nlp("the AI and ESA").to_json())
    resolved, unknown = [span._.long_form for span in read._.acronyms]
    assert resolved == nlp("the AI and ESA")._.acronyms[0]._.long_form and unknown is None


def test_extensions_are_installed_without_a_pipeline(nlp):
    doc = nlp("an mRNA")
    for name in ("long_form", "resolution", "concept_link"):
        Span.remove_extension(name)
    Doc.remove_extension("acronyms")
    spacy_gladis.install_extensions()
    assert [s._.long_form for s in doc._.acronyms] == ["messenger RNA"]


def test_documents_joined_by_spacy_keep_their_long_forms(nlp):
    joined = Doc.from_docs([nlp("an mRNA"), nlp("the mRNA and ESA")])
    long_forms = [span._.long_form for span in joined._.acronyms]
    assert long_forms == ["messenger RNA", "messenger RNA", None]


@pytest.mark.parametrize("setting", [{"threshold": 1.5}, {"top_k": 0}, {"ranking": "best"}])
def test_settings_out_of_range_and_unknown_ones_are_refused(linker, setting):
    with pytest.raises(InputError, match="acrobert_linker"):
        spacy.blank("en").add_pipe("acrobert_linker", config=setting)
    with pytest.raises(InputError, match="acrobert_linker"):
        linker.configure(**setting)
    with pytest.raises(InputError, match="no setting colour"):
        linker.configure(colour="red")


def test_answers_survive_docbin_and_other_processes(nlp):
    texts = [TEXT, "AI model", "", "mRNA (AI)"] * 3
    here = [answers(doc) for doc in nlp.pipe(texts, batch_size=2)]
    stored = DocBin(docs=list(nlp.pipe(texts, batch_size=2))).to_bytes()
    assert [answers(doc) for doc in DocBin().from_bytes(stored).get_docs(nlp.vocab)] == here
    there = [answers(doc) for doc in nlp.pipe(texts, n_process=2, batch_size=2)]
    together = [answers(doc) for doc in nlp.pipe(texts)]
    for other in (there, together):
        assert [[a.long_form for a in r] for r in other] == [[a.long_form for a in r] for r in here]
        shares = [a.probability for row in other for a in row]  # products round by the batch
        assert shares == pytest.approx([a.probability for row in here for a in row], abs=1e-5)


def test_saved_pipelines_answer_alike(nlp, tmp_path, settings):
    wanted = answers(nlp(TEXT))
    nlp.to_disk(tmp_path / "pipeline")
    blank = spacy.blank("en")
    blank.add_pipe("acronym_detector")
    blank.add_pipe("acrobert_linker", config={"dictionary": settings["dictionary"]})
    others = (
        spacy.load(tmp_path / "pipeline"),
        pickle.loads(pickle.dumps(nlp)),
        blank.from_bytes(nlp.to_bytes()),
    )
    shutil.rmtree(tmp_path / "pipeline" / "acrobert_linker" / "model")  # what is loaded is loaded
    for other in others:
        assert answers(other(TEXT)) == wanted


@pytest.mark.parametrize("setting", ["dictionary", "overlay"])
def test_a_missing_file_is_named_when_the_pipe_is_added(settings, setting, tmp_path):
    missing = str(tmp_path / "missing.csv")
    nlp = spacy.blank("en")
    with pytest.raises(InputError, match=r"missing\.csv"):
        nlp.add_pipe("acrobert_linker", config={**settings, setting: missing})
    with pytest.raises(InputError, match=r"acronym_detector.*missing\.csv"):
        nlp.add_pipe("acronym_detector", config={"dictionary": missing})


def test_a_saved_pipeline_needs_no_file_that_it_was_made_from(settings, tiny_dictionary, tmp_path):
    shutil.copy(tiny_dictionary, tmp_path / "mine.sqlite")
    (tmp_path / "mine.csv").write_text("acronym,long_form\nESA,Employee Stock Account\n")
    names = {"dictionary": str(tmp_path / "mine.sqlite"), "overlay": str(tmp_path / "mine.csv")}
    nlp = spacy.blank("en")
    nlp.add_pipe("acronym_detector", config={"dictionary": names["dictionary"]})
    nlp.add_pipe("acrobert_linker", config={**settings, **names})
    nlp.to_disk(tmp_path / "pipeline")
    for name in names.values():
        Path(name).unlink()
    loaded = spacy.load(tmp_path / "pipeline")
    assert answers(loaded("by ESA"))[0].long_form == "Employee Stock Account"


def test_a_linker_without_a_detector_says_so_once(settings):
    nlp = spacy.blank("en")
    nlp.add_pipe("acrobert_linker", config=settings)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("default")
        list(nlp.pipe(["The AI.", "The CT."]))
    (warning,) = caught
    assert "add_pipe('acronym_detector', before='acrobert_linker')" in str(warning.message)
    assert warning.filename == __file__


def test_another_dictionary_in_a_saved_pipeline_is_refused(nlp, tmp_path):
    nlp.to_disk(tmp_path / "pipeline")
    (tmp_path / "other.json").write_text('{"AI": [["anything inside", 1]]}')
    folder = tmp_path / "pipeline" / "acrobert_linker" / "dictionary"
    import_dictionary(tmp_path / "other.json", folder / "dictionary.sqlite")
    with pytest.raises(FormatError, match="saved with the dictionary"):
        spacy.load(tmp_path / "pipeline")


def test_bytes_refuse_a_dictionary_that_has_changed(nlp, settings, tmp_path):
    (tmp_path / "other.json").write_text('{"AI": [["anything inside", 1]]}')
    place = tmp_path / "place.sqlite"
    shutil.copyfile(settings["dictionary"], place)
    first = LinkerDictionary(str(place))
    saved = first.to_bytes()
    first.open().add("QBZ", "quartz band zone")
    again = LinkerDictionary().from_bytes(first.to_bytes())
    assert again.open().fingerprint == first.open().fingerprint
    import_dictionary(tmp_path / "other.json", place)
    with pytest.raises(FormatError, match=r"saved with the dictionary .*place\.sqlite"):
        LinkerDictionary().from_bytes(saved)


def test_a_mention_beyond_token_five_thousand_is_read_in_its_own_context(nlp):
    near = nlp("grams of the AI for potassium")
    far = nlp("the state. " * 3000 + "grams of the AI for potassium")
    assert far._.acronyms[-1].start > 5000
    assert far._.acronyms[-1]._.resolution.acronym == "AI"
    # The window around the mention is full of text now, so the answer may differ, not vanish.
    assert len(far._.acronyms[-1]._.resolution.candidates) == len(answers(near)[0].candidates)


@pytest.mark.slow
def test_spacy_package_makes_a_package_that_answers_alike(nlp, tmp_path):
    nlp.meta["name"] = "acronyms"
    nlp.to_disk(tmp_path / "saved")
    (tmp_path / "out").mkdir()
    package_pipeline(tmp_path / "saved", tmp_path / "out", create_sdist=False)
    (package,) = (tmp_path / "out").iterdir()
    meta = json.loads((package / "meta.json").read_text())
    assert any(requirement.startswith("spacy-gladis") for requirement in meta["requirements"])
    (data,) = (package / "en_acronyms").glob("en_acronyms-*")
    assert answers(spacy.load(data)(TEXT)) == answers(nlp(TEXT))
