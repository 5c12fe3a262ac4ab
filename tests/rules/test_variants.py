"""The spellings an acronym is looked up under."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spacy_gladis.rules import variants


@pytest.mark.parametrize(
    ("mention", "spelling"),
    [
        ("CNNs", "CNN"),
        ("CNN", "CNNs"),
        ("NASA’s", "NASA"),
        ("CNNs'", "CNN"),
        ("PC's", "PC"),
        ("U.S.", "US"),
        ("U.S.'s", "U.S."),
        ("US", "U.S."),
        ("Ph.D.s", "PhD"),
        ("IL-6", "IL6"),
        ("IL6", "IL-6"),
        ("COVID–19", "COVID-19"),
        ("COVID 19", "COVID-19"),
        ("TCP/IP", "TCP-IP"),
        ("mRNAs", "mRNA"),
        ("nasa", "NASA"),
        ("Nasa's", "NASA"),
    ],
)
def test_a_spelling_is_tried(mention: str, spelling: str) -> None:
    assert spelling in variants(mention)


@pytest.mark.parametrize(("mention", "other"), [("As", "A"), ("A", "As"), ("AIDS", "AID")])
def test_another_acronym_is_not(mention: str, other: str) -> None:
    assert other not in variants(mention)


def test_case_is_changed_last() -> None:
    assert variants("mRNAs") == ["mRNAs", "mRNA", "MRNA"]


@given(st.text(max_size=100))
def test_itself_first_no_repeats_none_empty_few(acronym: str) -> None:
    found = variants(acronym)
    assert found[0] == acronym
    assert len(found) == len(set(found)) <= 14
    assert all(found[1:])
