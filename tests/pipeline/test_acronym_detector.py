"""The component `acronym_detector`."""

import pytest
import spacy
from spacy.language import Language
from spacy.tokens import Doc, DocBin, SpanGroup
from spacy.training import Example

from spacy_gladis.errors import InputError
from spacy_gladis.pipeline.annotations import definitions_of, place_of
from tests.support.growth import assert_linear

TEXT = (
    "Convolutional neural networks (CNNs) read images; a CNN is trained here. "
    "The mRNA was measured in the U.S. by magnetic resonance imaging (MRI)."
)


def detector(**settings):
    nlp = spacy.blank("en")
    nlp.add_pipe("acronym_detector", config=settings)
    return nlp


def mentions(doc, key="acronyms"):
    return [doc.text[slice(*place_of(span))] for span in doc.spans[key]]


def test_definitions_their_occurrences_and_undefined_acronyms_are_found():
    doc = detector()(TEXT)
    assert [span.text for span in doc._.acronyms] == ["CNNs", "CNN", "mRNA", "U.S.", "MRI"]
    assert {span.label_ for span in doc._.acronyms} == {"ACRONYM"}
    cnn, mrna = doc._.acronyms[1:3]
    assert cnn._.long_form == "Convolutional neural networks"
    assert cnn._.resolution.source == "definition"
    assert mrna._.long_form is None and mrna._.resolution is None
    assert doc[0:1]._.long_form is None
    assert [span.text for span in doc.spans["long_forms"]] == [
        "Convolutional neural networks",
        "magnetic resonance imaging",
    ]
    first, second = definitions_of(doc)
    assert doc.text[slice(*first.acronym)] == "CNNs"
    assert doc.text[slice(*first.long_form)] == "Convolutional neural networks"
    assert doc.text[slice(*second.acronym)] == "MRI"


def test_what_is_looked_for_can_be_restricted():
    assert len(detector(undefined=False)(TEXT).spans["acronyms"]) == 3
    unmarked = "Graph Isomorphism Networks GINs are deep"
    doc = detector()(unmarked)
    assert [form.text for form in doc.spans["long_forms"]] == [unmarked[:26]]
    assert not detector(patterns=False)(unmarked).spans["long_forms"]


def test_keys_are_settings():
    doc = detector(spans_key="short", long_forms_key="long")(TEXT)
    assert set(doc.spans) == {"short", "long"}
    assert doc._.acronyms[0]._.long_form == "Convolutional neural networks"


@pytest.mark.parametrize(
    "settings",
    [
        {"long_forms_key": "acronyms"},
        {"threshold": 1.5},
    ],
)
def test_settings_that_contradict_each_other_are_refused(settings):
    with pytest.raises(InputError, match="acronym_detector"):
        detector(**settings)


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["Magnetic", "resonance", "imaging", "(MRI)based", "CT/MRI"], ["MRI", "CT", "MRI"]),
        (
            ["3BR/2BA", "ER-/PR-/HER2", "MR/CT-weighted"],
            ["3BR", "2BA", "ER", "PR", "HER2", "MR", "CT"],
        ),
        (["CT,MRI", "the CT and MRI", "NaI(TI"], ["CT", "MRI", "CT", "MRI", "NaI", "TI"]),
        (["SI", "/", "HI", "TCP/", "IP", "TL;DR."], ["SI", "HI", "TCP", "IP", "TL;DR"]),
        (["natural", "killer", "(NK)", "cells", "NK/CT"], ["NK", "NK", "CT"]),
        (
            ["ECG-CFD", "MU-MIMO", "COVID-19", "MOVE-IN"],
            ["ECG", "CFD", "MU-MIMO", "MU", "MIMO", "COVID-19", "COVID", "MOVE-IN"],
        ),
    ],
)
def test_mentions_have_spans_of_their_own_wherever_the_tokens_are_cut(words, expected) -> None:
    nlp = detector()
    doc = nlp.get_pipe("acronym_detector")(Doc(nlp.vocab, words=words))
    assert mentions(doc) == expected


def test_many_acronyms_that_a_slash_joins_take_linear_time() -> None:
    nlp = detector()
    assert_linear(lambda size: nlp("the 4G/5G phone and " * size), 500)


def test_the_stop_of_a_sentence_stays_outside_its_last_acronym() -> None:
    doc = detector()(
        "She has MS. We open a PR. Grew QoQ. Take it b.i.d. In the U.S. they go to HR."
    )
    assert mentions(doc) == ["MS", "PR", "QoQ", "b.i.d.", "U.S.", "HR"]
    assert [span.text for span in doc.spans["acronyms"]][:2] == ["MS", "PR"]


@pytest.mark.parametrize("text", ["", " ", "\n\n", "(", ")", "()", "\u202e\u200f", "\x00\x01"])
def test_docs_without_anything(text):
    doc = detector()(text)
    assert list(doc.spans["acronyms"]) == [] and list(doc.spans["long_forms"]) == []


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


def test_settings_survive_saving(tmp_path):
    nlp = detector(undefined=False)
    nlp.to_disk(tmp_path / "pipeline")
    for again in (spacy.load(tmp_path / "pipeline"), detector().from_bytes(nlp.to_bytes())):
        assert mentions(again(TEXT)) == mentions(nlp(TEXT)) != mentions(detector()(TEXT))


def test_a_failing_document_goes_to_the_error_handler():
    nlp = detector(spans_key="short")
    other = detector(spans_key="short")("A sentence that is longer: NASA")
    nlp.add_pipe("acrobert_linker", config={"spans_key": "short"}, last=True)

    @Language.component("spans_of_another_text")
    def spoil(doc: Doc) -> Doc:
        if "ESA" not in doc.text:
            doc.spans["short"] = SpanGroup(doc).from_bytes(other.spans["short"].to_bytes())
        return doc

    nlp.add_pipe("spans_of_another_text", before="acrobert_linker")
    seen = []
    nlp.set_error_handler(lambda name, pipe, docs, error: seen.append((name, len(docs), error)))
    texts = ["NASA", "European Space Agency (ESA)", "CIA"]
    assert [doc.text for doc in nlp.pipe(texts)] == texts[1:2]
    assert [entry[:2] for entry in seen] == [("acrobert_linker", 1)] * 2
    assert isinstance(seen[0][2], InputError)


def test_scores_are_the_official_ones():
    nlp = detector()
    reference = nlp.make_doc(TEXT)
    result = nlp(TEXT)
    reference.spans["acronyms"] = [reference[s.start : s.end] for s in result.spans["acronyms"]][:4]
    reference.spans["long_forms"] = [reference[s.start : s.end] for s in result.spans["long_forms"]]
    scores = nlp.evaluate([Example(nlp.make_doc(TEXT), reference)])
    assert scores["spans_acronyms_p"] == 4 / 5 and scores["spans_acronyms_r"] == 1.0
    assert scores["spans_long_forms_f"] == 1.0
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


@pytest.mark.parametrize(
    "text",
    [
        "품질위원회(QRC)는 정했다. QRC가 있다.",
        "委员会(QRC)决定。该QRC是新的。",
        "QRCは新しい。このQRC。",
        "คณะQRCใหม่ QRC",
        "الـQRC جديد QRC",
    ],
)
def test_an_acronym_ends_where_a_script_without_capitals_begins(text):
    assert mentions(detector()(text)) == ["QRC", "QRC"]


@pytest.mark.parametrize(
    "text",
    [
        "Press the STOP button.",
        "**WARNING** hot surface.",
        "SECTION 3. DEFINITIONS.",
        "Please RESET the device and WAIT.",
        "JOHN left on MONDAY.",
    ],
)
def test_an_english_word_in_capitals_is_no_acronym(text):
    assert mentions(detector()(text)) == []


def test_an_english_word_is_an_acronym_where_the_dictionary_or_the_text_says_so():
    assert mentions(detector()("The WHO told those who read the MAP.")) == ["WHO", "MAP"]
    text = "The Stop Tobacco Organization Project (STOP) met. STOP is new."
    assert mentions(detector()(text)) == ["STOP", "STOP"]
    nlp = detector()
    nlp.get_pipe("acronym_detector").dictionary.add("STOP", "standard test of progress")
    assert mentions(nlp("Take the STOP today.")) == ["STOP"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It is in 42 U. S. C. 1983.", ["U. S. C."]),
        ("Under 28 C. F. R. part 3 and the U. S. Code.", ["C. F. R.", "U. S."]),
        ("A book by J. R. R. Tolkien, and Hegel, G. W. F. (1801)", []),
    ],
)
def test_an_acronym_with_full_stops_and_spaces_is_one(text, expected):
    assert mentions(detector()(text)) == expected
