"""The component `acronym_detector`."""

from typing import Any

import pytest
import spacy
from spacy.tokens import Doc, DocBin
from spacy.training import Example

from spacy_gladis.errors import InputError
from spacy_gladis.pipeline.annotations import all_offsets, mention_offsets, text_of
from tests.support.growth import assert_linear

TEXT = (
    "Convolutional neural networks (CNNs) read images; a CNN is trained here. "
    "The mRNA was measured in the U.S. by magnetic resonance imaging (MRI)."
)


def detector(**settings):
    nlp = spacy.blank("en")
    nlp.add_pipe("acronym_detector", config=settings)
    return nlp


def test_definitions_their_occurrences_and_undefined_acronyms_are_found():
    doc = detector()(TEXT)
    assert [span.text for span in doc.spans["acronyms"]] == ["CNNs", "CNN", "mRNA", "U.S.", "MRI"]
    assert {span.label_ for span in doc.spans["acronyms"]} == {"ACRONYM"}
    assert [span.text for span in doc.spans["long_forms"]] == [
        "Convolutional neural networks",
        "magnetic resonance imaging",
    ]
    attrs = doc.spans["acronyms"].attrs
    first = attrs["definitions"][0]
    assert doc.text[slice(*first["acronym"])] == "CNNs"
    assert doc.text[slice(*first["long_form"])] == "Convolutional neural networks"
    assert attrs["defined"] == {"31:35": 0, "52:55": 0, "138:141": 1}


def test_the_extensions_read_what_the_detector_found():
    doc = detector()(TEXT)
    assert [span.text for span in doc._.acronyms] == ["CNNs", "CNN", "mRNA", "U.S.", "MRI"]
    cnn, mrna = doc._.acronyms[1], doc._.acronyms[2]
    assert cnn._.long_form == "Convolutional neural networks"
    assert cnn._.resolution.source == "definition"
    assert mrna._.long_form is None and mrna._.resolution is None
    assert doc[0:1]._.long_form is None


def test_what_is_looked_for_can_be_restricted():
    assert len(detector(undefined=False)(TEXT).spans["acronyms"]) == 3
    assert len(detector(undefined=False, occurrences=False)(TEXT).spans["acronyms"]) == 2
    doc = detector(min_length=4)("the WHO and UNESCO")
    assert [span.text for span in doc.spans["acronyms"]] == ["UNESCO"]
    plain = detector(patterns=False)(TEXT)
    assert len(plain.spans["long_forms"]) == 2


def test_a_definition_without_a_mark_is_one_of_the_patterns():
    text = "Graph Isomorphism Networks GINs are deep"
    found, plain = detector()(text), detector(patterns=False)(text)
    assert [one.text for one in found.spans["long_forms"]] == [text[:26]]
    assert not plain.spans["long_forms"]


def test_places_inside_tokens_are_kept_beside_the_spans():
    text = "the neural network(NN) and NN-based ones"
    doc = detector()(text)
    short, long = doc.spans["acronyms"], doc.spans["long_forms"]
    assert [text[slice(*place)] for place in all_offsets(long)] == ["neural network"]
    assert [text[slice(*place)] for place in all_offsets(short)] == ["NN", "NN"]
    copy = Doc(doc.vocab).from_bytes(doc.to_bytes())
    assert list(all_offsets(copy.spans["long_forms"])) == list(all_offsets(long))


def test_keys_are_settings():
    doc = detector(spans_key="short", long_forms_key="long")(TEXT)
    assert set(doc.spans) == {"short", "long"}
    assert doc._.acronyms[0]._.long_form == "Convolutional neural networks"


@pytest.mark.parametrize(
    "settings",
    [
        {"min_length": 0},
        {"min_length": 5, "max_length": 4},
        {"long_forms_key": "acronyms"},
        {"threshold": 1.5},
    ],
)
def test_settings_that_contradict_each_other_are_refused(settings):
    with pytest.raises(InputError, match="acronym_detector"):
        detector(**settings)


def test_a_mention_inside_a_token_takes_the_token_and_is_counted():
    nlp = detector()
    words = ["Magnetic", "resonance", "imaging", "(MRI)based", "on", "CT/MRI"]
    doc = Doc(nlp.vocab, words=words)
    nlp.get_pipe("acronym_detector")(doc)
    spans = doc.spans["acronyms"]
    assert [span.text for span in spans] == ["(MRI)based", "CT/MRI"]
    expanded = spans.attrs["expanded"]
    assert [[doc.text[slice(*o)] for o in inside] for inside in expanded.values()] == [
        ["MRI"],
        ["CT", "MRI"],
    ]
    assert spans[0]._.resolution.acronym == "MRI"


@pytest.mark.parametrize(
    ("words", "mentions"),
    [
        (["3BR/2BA"], ["3BR/2BA"]),
        (["ER-/PR-", "and", "ER-/PR-/HER2", "+"], ["ER-/PR-", "ER-/PR-/HER2"]),
        (["MR/CT-weighted", "TL;DR."], ["MR/CT", "TL;DR"]),
        (
            ["CT,MRI", "AMF+CLF", "MRI-PhD", "the CT and MRI", "NaI(TI"],
            ["CT", "AMF", "MRI", "CT", "NaI"],
        ),
        (["SI", "/", "HI", "TCP/", "IP"], ["SI", "HI", "TCP", "IP"]),
        (["natural", "killer", "(NK)", "cells", "NK/CT"], ["NK", "NK"]),
    ],
)
def test_acronyms_joined_in_one_token_are_one_unless_the_text_explains_the_first(
    words: list[str], mentions: list[str]
) -> None:
    nlp = detector(known=False)
    doc = nlp.get_pipe("acronym_detector")(Doc(nlp.vocab, words=words))
    group = doc.spans["acronyms"]
    assert [doc.text[slice(*mention_offsets(group, span))] for span in group] == mentions


def test_many_acronyms_that_a_slash_joins_take_linear_time() -> None:
    nlp = detector()
    assert_linear(lambda size: nlp("the 4G/5G phone and " * size), 500)


def test_acronyms_that_a_slash_joins_have_one_span_wherever_the_tokens_are_cut() -> None:
    doc = detector()("3G/4G and 3G/4G/5G phones. Fourth generation (4G) and a 4G/5G phone")
    group = doc.spans["acronyms"]
    assert [span.text for span in group] == ["3G/4G", "3G/4G/5G", "4G", "4G/5G"]
    assert [doc.text[slice(*place)] for place in all_offsets(group)] == [
        "3G",
        "4G",
        "3G",
        "4G",
        "5G",
        "4G",
        "4G",
        "5G",
    ]
    assert [span._.long_form for span in group][-1] == "Fourth generation"


def test_the_stop_of_a_sentence_stays_outside_its_last_acronym() -> None:
    doc = detector()(
        "She has MS. We open a PR. Grew QoQ. Take it b.i.d. In the U.S. they go to HR."
    )
    group = doc.spans["acronyms"]
    assert [doc.text[slice(*mention_offsets(group, span))] for span in group] == [
        *("MS", "PR", "QoQ", "b.i.d.", "U.S.", "HR"),
    ]
    assert [span.text for span in group][:2] == ["MS", "PR"]


@pytest.mark.parametrize(
    "text", ["", " ", "\n\n", "(", ")", "()", "[]", "\u202e\u200f", "\x00\x01"]
)
def test_docs_without_anything(text):
    doc = detector()(text)
    assert list(doc.spans["acronyms"]) == [] and list(doc.spans["long_forms"]) == []


def test_right_to_left_text_and_control_characters():
    doc = detector()("\u0645\u0646\u0638\u0645\u0629 (WHO) \u05d0\u05d1\x07 \x1b[31mNASA\x00")
    assert "WHO" in [span.text for span in doc.spans["acronyms"]]


def test_findings_survive_docbin_bytes_and_other_processes():
    nlp = detector()
    doc = nlp(TEXT)
    stored = DocBin().from_bytes(DocBin(docs=[doc]).to_bytes())
    copies = [
        next(iter(stored.get_docs(nlp.vocab))),
        Doc(nlp.vocab).from_bytes(doc.to_bytes()),
        *nlp.pipe([TEXT, TEXT], n_process=2, batch_size=1),
    ]
    for copy in copies:
        assert [(s.text, s._.long_form) for s in copy._.acronyms] == [
            (s.text, s._.long_form) for s in doc._.acronyms
        ]
        assert copy.spans["acronyms"].attrs == doc.spans["acronyms"].attrs


def test_documents_together_have_what_each_has_alone():
    other = "The pt has CHF; graph neural networks (GNNs), and a GNN in the WHO."
    texts = [TEXT, "", other, "nothing here", TEXT, " "]
    nlp = detector()
    for text, together in zip(texts, nlp.pipe(texts), strict=True):
        alone = detector()(text)
        for key in ("acronyms", "long_forms"):
            assert [*map(repr, together.spans[key])] == [*map(repr, alone.spans[key])]
            assert together.spans[key].attrs == alone.spans[key].attrs
        assert text_of(together) == together.text == text


def test_settings_survive_saving(tmp_path):
    nlp = detector(undefined=False)
    nlp.to_disk(tmp_path / "pipeline")
    loaded: Any = spacy.load(tmp_path / "pipeline").get_pipe("acronym_detector")
    assert loaded.cfg == nlp.get_pipe("acronym_detector").cfg
    nlp.get_pipe("acronym_detector").cfg["undefined"] = True
    again = detector().from_bytes(nlp.to_bytes())
    assert again.get_pipe("acronym_detector").cfg["undefined"] is True


def test_a_failing_document_goes_to_the_error_handler(monkeypatch):
    nlp = detector()
    seen = []
    nlp.set_error_handler(lambda name, pipe, docs, error: seen.append((name, len(docs), error)))
    pipe = nlp.get_pipe("acronym_detector")
    define = pipe._define
    monkeypatch.setattr(pipe, "_define", lambda text: define(text) if "ESA" in text else 1 / 0)
    assert [doc.text for doc in nlp.pipe(["NASA", "ESA", "CIA"])] == ["ESA"]
    assert [entry[:2] for entry in seen] == [("acronym_detector", 1)] * 2
    assert isinstance(seen[0][2], ZeroDivisionError)


def test_scores_are_the_official_ones():
    nlp = detector()
    reference = nlp.make_doc(TEXT)
    found = nlp(TEXT)
    reference.spans["acronyms"] = [reference[s.start : s.end] for s in found.spans["acronyms"]][:4]
    reference.spans["long_forms"] = [reference[s.start : s.end] for s in found.spans["long_forms"]]
    scores = nlp.evaluate([Example(nlp.make_doc(TEXT), reference)])
    assert scores["acronym_p"] == 4 / 5 and scores["acronym_r"] == 1.0
    assert scores["long_form_f"] == 1.0
    precision = (4 / 5 + 1) / 2
    assert scores["identification_f"] == pytest.approx(2 * precision / (1 + precision))
    empty = nlp.evaluate([Example(nlp.make_doc(TEXT), nlp.make_doc(TEXT))])
    assert empty["identification_f"] is None


@pytest.mark.slow
def test_a_document_of_five_megabytes():
    text = (TEXT + " ") * (5_000_000 // len(TEXT))
    nlp = detector()
    nlp.max_length = len(text)
    doc = nlp(text)
    assert len(doc.spans["acronyms"]) > 100_000
    assert doc.spans["acronyms"][-1]._.long_form


def test_a_long_form_whose_last_words_stand_apart_is_whole() -> None:
    nlp = spacy.blank("en")
    nlp.add_pipe("acronym_detector")
    doc = nlp("We used scanning (SEM) and transmission electron microscopy (TEM). SEM is fast.")
    found = {span.text: span._.long_form for span in doc.spans["acronyms"]}
    assert found == {
        "SEM": "scanning electron microscopy",
        "TEM": "transmission electron microscopy",
    }
