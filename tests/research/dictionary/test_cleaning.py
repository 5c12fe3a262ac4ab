"""What is mined or listed but no long form goes."""

import pytest

from spacy_gladis.research.dictionary.cleaning import clean
from spacy_gladis.research.dictionary.glossary import Casing, clean_glossary
from spacy_gladis.research.dictionary.meaning import group, singular

CLINICAL = frozenset({"clinical"})


WORDS = {"resonance": 900, "resonanse": 2, "hyperthyroidism": 500, "hypothyroidism": 400}


def frequency(words: list[str]) -> int:
    return min(WORDS.get(word, 1) for word in words)


def cleaned(acronym: str, counts: dict[str, int]) -> dict[str, int]:
    """What is left of an acronym's mined long forms, with counts."""
    meanings = group([(form, {"text": number}) for form, number in counts.items()], {})
    return {
        meaning.form: meaning.total for meaning in clean(acronym, [*meanings.values()], frequency)
    }


@pytest.mark.parametrize(
    ("acronym", "long_form", "expected"),
    [
        ("GPUs", "graphics processing units", "GPU"),
        ("GPUs", "graphics processing unit", "GPUs"),
        ("RMs", "resource management systems", "RMs"),
        ("As", "arsenics", "As"),
    ],
)
def test_a_plural_of_both_is_stored_as_the_singular(acronym, long_form, expected):
    assert singular(acronym, long_form) == expected


@pytest.mark.parametrize(
    ("acronym", "long_form"),
    [
        ("MRI", "Mrihani"),
        ("CW", "Christopher Woodrow"),
        ("FDA", "food safety"),
        ("FDA", "Food and Drug Administration in 1993"),
        ("A&E", "and Emergency"),
        ("CDC", "C. D. C."),
        ("CHAM", "Children?s Hospital at Montefiore"),
    ],
)
def test_what_is_no_long_form_goes(acronym, long_form):
    assert cleaned(acronym, {long_form: 1}) == {}


@pytest.mark.parametrize(
    ("acronym", "long_form"),
    [
        ("HTN", "hypertension"),
        ("ECG", "electrocardiogram"),
        ("GS", "George Street Theatre"),
        ("PhD", "Doctor of Philosophy"),
    ],
)
def test_what_others_list_stays(acronym, long_form):
    meanings = group([(long_form, {"common": 2})], {})
    for meaning in meanings.values():
        meaning.trusted = True
    assert clean(acronym, [*meanings.values()], frequency)


def test_a_cut_gives_its_count_to_what_it_cuts():
    counts = {"transient tachypnea of the newborn": 3, "tachypnea of the newborn": 2}
    assert cleaned("TTN", counts) == {"transient tachypnea of the newborn": 5}
    counts = {"magnetic resonance imaging": 40, "magnetic resonance imaging scan": 2}
    assert cleaned("MRI", counts) == {"magnetic resonance imaging": 42}
    counts = {"Centers for Disease Control": 30, "Centers for Disease Control and Prevention": 50}
    assert cleaned("CDC", counts) == {"Centers for Disease Control and Prevention": 80}


def test_a_cut_of_what_people_listed_is_none():
    counts = {"greenhouse gases observing satellite": 3, "gases observing satellite": 9}
    assert cleaned("GOSAT", counts) == counts
    meanings = group([(form, {"text": number}) for form, number in counts.items()], {})
    for meaning in meanings.values():
        meaning.trusted = "greenhouse" in meaning.form
    [kept] = clean("GOSAT", [*meanings.values()], frequency)
    assert (kept.form, kept.total) == ("greenhouse gases observing satellite", 12)


def test_a_longer_long_form_that_is_frequent_stays():
    counts = {"root mean square": 40, "root mean square deviation": 20}
    assert len(cleaned("RMS", counts)) == 2


def test_a_rare_word_a_letter_off_is_misspelt():
    counts = {"magnetic resonance imaging": 100, "magnetic resonanse imaging": 1}
    assert cleaned("MRI", counts) == {"magnetic resonance imaging": 101}
    counts = {"hyperthyroidism": 500, "hypothyroidism": 5}
    assert len(cleaned("HT", counts)) == 2


def glossary(acronym: str, long_form: str, flags: frozenset[str] = frozenset()):
    casing = Casing({"electronic flight bag": 5, "Ariane launch pad site": 3, "the Ariane": 2})
    return list(clean_glossary(acronym, long_form, casing, flags))


@pytest.mark.parametrize(
    ("acronym", "long_form", "expected"),
    [
        ("BHIE", "Bidirectional Health Information Exchange (Formerly DSI)",
         [("BHIE", "Bidirectional Health Information Exchange")]),
        ("EFB", "ELECTRONIC FLIGHT BAG", [("EFB", "electronic flight bag")]),
        ("ALP", "ARIANE LAUNCH PAD", [("ALP", "Ariane launch pad")]),
        ("AD", "Assessment Date; Active Duty", [("AD", "Assessment Date"), ("AD", "Active Duty")]),
        ("random access memory", "RAM", [("RAM", "random access memory")]),
        ("ITR", "IL2RA TARGETED RESPONSE", [("ITR", "IL2RA targeted response")]),
        ("DCC", "Destination Control Code, formerly Dispatch Control",
         [("DCC", "Destination Control Code")]),
    ],
)  # fmt: skip
def test_a_glossary_is_cleaned(acronym, long_form, expected):
    assert glossary(acronym, long_form) == expected


@pytest.mark.parametrize(
    ("acronym", "long_form"),
    [
        ("lol", "not an acronym"),
        ("1010EZ", "VA Form 10-10 EZ Application for Health Benefits"),
        ("Graves", "Graves disease"),
        ("KTH", "Kungliga Tekniska högskolan"),
        ("NASA", "N.A.S.A."),
        ("AC", "Comptroller Office"),
        ("SDAF", "Source Data Automatic)n"),
    ],
)
def test_a_glossary_says_what_is_no_definition(acronym, long_form):
    assert glossary(acronym, long_form) == []


def test_clinical_shorthand_needs_no_letters():
    assert glossary("po", "by mouth", CLINICAL) == [("po", "by mouth")]
    assert glossary("ihd", "ischemic heart disease", frozenset({"small"})) == [
        ("IHD", "ischemic heart disease")
    ]
