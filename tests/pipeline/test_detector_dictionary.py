"""What `acronym_detector` asks a dictionary."""

import pickle
from typing import Any
from unicodedata import normalize

import pytest
import spacy

from spacy_gladis.dictionary import Dictionary, build_dictionary

TEXT = "Hx of PE, c/o pain. The k8s HPA at OpenAI (OAI) scaled the art."
KNOWN = ["Hx", "PE", "c/o", "k8s", "HPA", "OpenAI", "OAI"]


@pytest.fixture
def path(tmp_path):
    rows = [("c/o", "complains of", "d", 1), ("hx", "history", "d", 1)]
    rows += [("k8s", "Kubernetes", "d", 1), ("PE", "pulmonary embolism", "d", 1)]
    build_dictionary(rows, tmp_path / "d.sqlite", {"known": ["c/o", "hx", "k8s"]})
    return str(tmp_path / "d.sqlite")


def pipeline(path, language="en", **settings):
    nlp = spacy.blank(language)
    nlp.add_pipe("acronym_detector", config={"dictionary": path, **settings})
    return nlp


def acronyms_of(nlp, text=TEXT):
    doc = nlp(text)
    return [span.text for span in doc.spans["acronyms"]]


def test_known_spellings_are_found_in_english_pipelines_unless_switched(path):
    assert acronyms_of(pipeline(path)) == KNOWN
    without = ["PE", "HPA", "OpenAI", "OAI"]
    assert acronyms_of(pipeline(path, known=False)) == without
    assert acronyms_of(pipeline(path, "de")) == without
    assert "k8s" in acronyms_of(pipeline(path, "de", known=True))


def test_own_entries_are_found_and_words_ignored(path):
    nlp = pipeline(path)
    dictionary = nlp.get_pipe("acronym_detector").dictionary
    dictionary.add("art", "antiretroviral therapy")
    dictionary.ignore("OpenAI")
    assert acronyms_of(nlp) == [*KNOWN[:5], "OAI", "art"]
    assert acronyms_of(pipeline(path)) == KNOWN


def test_own_entries_of_several_words_are_found(path):
    nlp = pipeline(path, known=False)
    dictionary = nlp.get_pipe("acronym_detector").dictionary
    dictionary.add("T Rex", "Tyrannosaurus rex")
    dictionary.add("T Rex II", "second Tyrannosaurus rex")
    assert acronyms_of(nlp, "The T Rex, no T Rexes.") == ["T Rex"]
    assert acronyms_of(nlp, "It is the T Rex II, no T  Rex.") == ["T Rex II", "T  Rex"]
    assert nlp("A T\nRex.")._.acronyms[0].text == "T\nRex"
    assert acronyms_of(nlp, "A T\nRex and a T \r\n Rex.") == ["T\nRex", "T \r\n Rex"]
    assert acronyms_of(nlp, "A T\n\nRex and a T\r\n \r\nRex.") == []


@pytest.mark.parametrize(
    "acronym",
    [
        "C++",
        "F@H",
        "#QBR",
        "caf\u00e9",
        "cafe\u0301",
        "Donaudampfschifffahrts-AG",
    ],
)
@pytest.mark.parametrize("form", ["NFC", "NFD"])
def test_own_entries_win_whatever_they_are_made_of(path, acronym, form):
    nlp = pipeline(path, known=False)
    linker = nlp.add_pipe("acrobert_linker", config={"ranking": "popularity"})
    for dictionary in (linker.dictionary, nlp.get_pipe("acronym_detector").dictionary):
        dictionary.add(acronym, "what it means")
    spelled = normalize(form, acronym)
    doc = nlp(f"We took {spelled}, not that.")
    (span,) = doc._.acronyms
    assert (span._.resolution.long_form, doc[span.start].idx) == ("what it means", 8)
    assert all(
        acronym._.resolution.long_form is None for acronym in nlp(f"The {spelled}x.")._.acronyms
    )


def test_an_ignored_word_is_no_acronym_where_it_is_defined_either(path):
    nlp = pipeline(path)
    text = "the Open Artificial Intelligence company (OpenAI) and the OpenAI house"
    nlp.get_pipe("acronym_detector").dictionary.ignore("OpenAI")
    doc = nlp(text)
    assert not doc.spans["acronyms"] and not doc.spans["long_forms"]


def test_own_entries_travel(path, tmp_path):
    nlp = pipeline(path)
    nlp.get_pipe("acronym_detector").dictionary.ignore("OpenAI")
    expected = acronyms_of(nlp)
    nlp.to_disk(tmp_path / "saved")
    assert acronyms_of(spacy.load(tmp_path / "saved")) == expected
    assert acronyms_of(pipeline(path).from_bytes(nlp.to_bytes())) == expected
    docs = list(nlp.pipe([TEXT] * 4, n_process=2, batch_size=2))
    assert [[span.text for span in doc.spans["acronyms"]] for doc in docs] == [expected] * 4


@pytest.mark.parametrize("first", ["acronym_detector", "acrobert_linker"])
def test_detector_and_linker_share_one_dictionary(path, tmp_path, first):
    overlay = tmp_path / "own.csv"
    overlay.write_text("acronym,long_form\nart,antiretroviral therapy\nOpenAI,\n")
    nlp = spacy.blank("en")
    settings = {"dictionary": path, "overlay": str(overlay), "ranking": "popularity"}
    nlp.add_pipe("acrobert_linker", config=settings)
    nlp.add_pipe("acronym_detector", before="acrobert_linker")
    if first == "acronym_detector":
        nlp.remove_pipe("acrobert_linker")
        nlp.add_pipe("acrobert_linker", config=settings)
    detector: Any = nlp.get_pipe("acronym_detector")
    linker: Any = nlp.get_pipe("acrobert_linker")
    assert detector.dictionary is linker.dictionary
    doc = detector(nlp.make_doc(TEXT))
    assert [span.text for span in doc.spans["acronyms"]] == [*KNOWN[:5], "OAI", "art"]
    linker.configure(dictionary=path)
    assert detector.dictionary is linker.dictionary
    assert not detector.dictionary.ignored
    copied = pickle.loads(pickle.dumps(nlp))
    assert (
        copied.get_pipe("acronym_detector").dictionary
        is copied.get_pipe("acrobert_linker").dictionary
    )


def test_a_letter_before_the_value_of_a_reading_is_found(path, tmp_path):
    build_dictionary([("K", "potassium", "d", 1)], tmp_path / "k.sqlite", {"known": []})
    nlp = pipeline(str(tmp_path / "k.sqlite"))
    assert acronyms_of(nlp, "NA 138, K 4.1, Cl 101. K 3.4 mmol/L") == ["NA", "K", "K"]
    assert acronyms_of(nlp, "See vitamin K 4 ng/mL, rows K 4 and J 3.4 mmol/L.") == []
    nlp.get_pipe("acronym_detector").dictionary.ignore("K")
    assert acronyms_of(nlp, "K 3.4 mmol/L") == []
    assert acronyms_of(pipeline(path), "K 3.4 mmol/L") == []


def test_full_stops_leave_out_what_only_capitals_without_them_mean():
    dictionary = Dictionary.open()
    dotted = {candidate.long_form for candidate in dictionary.lookup("U.S.")}
    assert "United States" in dotted and "ultrasound" not in dotted
    assert "ultrasound" in {candidate.long_form for candidate in dictionary.lookup("US")}
    # A spelling with full stops that is hardly listed has the meanings of the one without them.
    assert "magnetic resonance imaging" in {c.long_form for c in dictionary.lookup("M.R.I.")}
    dictionary.add("US", "Uncle Sam")
    assert "Uncle Sam" in {candidate.long_form for candidate in dictionary.lookup("U.S.")}
