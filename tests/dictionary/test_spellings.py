"""Tests of finding the parts of compounds with a dictionary."""

import pytest

from spacy_gladis.dictionary import Dictionary, build_dictionary
from spacy_gladis.dictionary.spellings import DictionarySpellings

LONG_FORMS = {
    "SDS-PAGE": ["sodium dodecyl sulfate-polyacrylamide gel electrophoresis"],
    "SDS": ["safety data sheet", "sodium dodecyl sulfate"],
    "PAGE": ["polyacrylamide gel electrophoresis"],
    "SHA256": ["Secure Hash Algorithm 256-bit"],
    "SHA": ["Secure Hash Algorithm"],
    "PD-1": ["programmed cell death protein 1"],
    "PD": ["Parkinson's disease", "gram"],
    "SARS-CoV-2": ["severe acute respiratory syndrome coronavirus 2"],
    "SARS-CoV": ["severe acute respiratory syndrome coronavirus"],
    "SARS": ["severe acute respiratory syndrome"],
    "CoV": ["coronavirus", "coefficient of variation"],
    "mRNA": ["messenger ribonucleic acid"],
    "RNA": ["ribonucleic acid"],
}


@pytest.fixture
def dictionary(tmp_path):
    rows = [(name, form, "", 1) for name, forms in LONG_FORMS.items() for form in forms]
    build_dictionary(rows, tmp_path / "d.sqlite")
    return Dictionary.open(tmp_path / "d.sqlite")


@pytest.mark.parametrize(
    ("compound", "expected"),
    [
        ("SDS-PAGE", ["SDS", "PAGE"]),
        ("SHA256", ["SHA"]),
        ("SARS-CoV-2", ["SARS", "SARS-CoV", "CoV"]),
        ("PD-1", []),  # PD means something else, and "gram" is a part of a word
        ("mRNA", []),  # no sign separates the parts
        ("SDS\N{NON-BREAKING HYPHEN}PAGE", ["SDS", "PAGE"]),
        ("//", []),
        ("XQZ-PAGE", []),  # a compound without a meaning
    ],
)
def test_parts_are_found_if_the_meaning_contains_theirs(dictionary, compound, expected):
    text = f"The {compound}."
    span = (4, 4 + len(compound))
    parts = DictionarySpellings(dictionary).find_parts(text, [span])
    assert sorted(text[slice(*part)] for part in parts) == sorted(expected)


def test_in_other_languages_only_the_users_compounds_have_parts(dictionary):
    spellings = DictionarySpellings(dictionary, is_english=False)
    assert not list(spellings.find_parts("SHA256", [(0, 6)]))
    dictionary.add("ZKD", "Zentrale Kundendaten")
    dictionary.add("ZKD42", "Zentrale Kundendaten, Ausgabe 42")
    assert list(spellings.find_parts("ZKD42", [(0, 5)])) == [(0, 3)]
