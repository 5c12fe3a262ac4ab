import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spacy_gladis.rules import Definition, find_definitions

TEXT_LIKE = st.text(alphabet="abcABC iİßΩα12-.,;:=()[]'\"\n\t\u200f\x00é|", max_size=200)


def pairs(text: str) -> list[tuple[str, str]]:
    return [(text[slice(*d.acronym)], text[slice(*d.long_form)]) for d in find_definitions(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("We train hidden Markov models (HMMs) here.", [("HMMs", "hidden Markov models")]),
        ("The SVM (support vector machine) won.", [("SVM", "support vector machine")]),
        ("a graphics processing unit [GPU] in it", [("GPU", "graphics processing unit")]),
        ('the World Health Organization ("WHO") said', [("WHO", "World Health Organization")]),
        (
            "the World Health Organization (WHO; Geneva) said",
            [("WHO", "World Health Organization")],
        ),
        ("the area under the curve (AUC, in percent)", [("AUC", "area under the curve")]),
        ("tumour necrosis factor alpha (TNF-α) rose", [("TNF-α", "tumour necrosis factor alpha")]),
        ("an electroencephalogram (EEG) was taken", [("EEG", "electroencephalogram")]),
        ("forced expiratory volume (FEV(1)) fell", [("FEV(1)", "forced expiratory volume")]),
        (
            "l'Organisation mondiale de la santé (OMS) a dit",
            [("OMS", "Organisation mondiale de la santé")],
        ),
        ("små store virksomheder (SSV'er) har", [("SSV", "små store virksomheder")]),
        ("Đại học Quốc gia (ĐHQG) mới", [("ĐHQG", "Đại học Quốc gia")]),
        ("the intracellular pH (pHi) fell", [("pHi", "intracellular pH")]),
        ("the aspect-aware topic model (ATM) is", [("ATM", "aspect-aware topic model")]),
        (
            "Non - negative matrix deconvolution ( NMD )",
            [("NMD", "Non - negative matrix deconvolution")],
        ),
        ("a spatial light modulator, or SLM, was used", [("SLM", "spatial light modulator")]),
        ("a spatial light modulator, SLM, was used", [("SLM", "spatial light modulator")]),
        ("where FPS stands for frames per second.", [("FPS", "frames per second")]),
        (
            "Abbreviations: AUC, area under the curve; CI, confidence interval; "
            "BP = blood pressure.",
            [
                ("AUC", "area under the curve"),
                ("CI", "confidence interval"),
                ("BP", "blood pressure"),
            ],
        ),
        ("SVM: support vector machine. CNNs: deep ones.", [("SVM", "support vector machine")]),
        ("in her blood (blood pressure, BP) and", [("BP", "blood pressure")]),
        ("tests (BP: blood pressure) and", [("BP", "blood pressure")]),
        ("her (blood pressure, \nBP) rose", [("BP", "blood pressure")]),
        ("BP(blood pressure) rose", [("BP", "blood pressure")]),  # at the text's very start
        ("as was shown before (Smith, 2003) and (see Fig. 2)", []),
        ("the sum of them (a + b) is (n = 20) small (p < 0.05)", []),
        ("It ended there. Great apes (EGA) came", []),
        ("", []),
    ],
)
def test_definitions(text: str, expected: list[tuple[str, str]]) -> None:
    assert pairs(text) == expected


@given(TEXT_LIKE | st.text())
def test_offsets_lie_in_the_text_and_nothing_is_raised(text: str) -> None:
    found = find_definitions(text, threshold=0.0)
    assert found == sorted(found)
    assert len({definition.acronym for definition in found}) == len(found)
    for definition in found:
        assert isinstance(definition, Definition)
        assert 0 <= definition.confidence <= 1
        for start, end in (definition.acronym, definition.long_form):
            assert 0 <= start < end <= len(text)
            assert not text[start].isspace() and not text[end - 1].isspace()


@given(TEXT_LIKE)
def test_a_paragraph_before_changes_nothing(text: str) -> None:
    prefix = "Nothing is here at all!\n\n"
    size = len(prefix)
    expected = [
        definition._replace(
            acronym=(definition.acronym[0] + size, definition.acronym[1] + size),
            long_form=(definition.long_form[0] + size, definition.long_form[1] + size),
        )
        for definition in find_definitions(text)
    ]
    assert find_definitions(prefix + text) == expected


@pytest.mark.parametrize(
    "unit", ["(", "(A ", "A (A b ", "(A b c ", ")", "a(b(c d e f", "[A ", ", or A", "A: ", "A = "]
)
def test_linear_time(unit: str) -> None:
    text = unit * (1_000_000 // len(unit))
    began = time.process_time()
    find_definitions(text)
    assert time.process_time() - began < 1.0
