"""Acronyms alone on their line or in their column, long forms in the next."""

import pytest

from spacy_gladis.rules import find_definitions
from tests.support.growth import assert_linear


def listed(text: str) -> list[tuple[str, str]]:
    found = [one for one in find_definitions(text) if one.pattern == "list"]
    return [(text[slice(*one.acronym)], text[slice(*one.long_form)]) for one in found]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("COD\nchemical oxygen demand\n", [("COD", "chemical oxygen demand")]),
        ("COD\n\nchemical oxygen demand", [("COD", "chemical oxygen demand")]),
        ("COD\nchemical oxygen demand (in mg/l)\n", [("COD", "chemical oxygen demand")]),
        ("COD   chemical oxygen demand\n", [("COD", "chemical oxygen demand")]),
        ("COD\tchemical oxygen demand", [("COD", "chemical oxygen demand")]),
        ("chemical oxygen demand\n\nCOD\n", [("COD", "chemical oxygen demand")]),
        (
            "COD\n\nchemical oxygen demand\n\nBOD\n\nbiochemical oxygen demand",
            [("COD", "chemical oxygen demand"), ("BOD", "biochemical oxygen demand")],
        ),
        # Near misses: words that go on, lines that do not begin, letters that do not fit.
        ("AI\nAll is well\n", []),
        ("the COD\nchemical oxygen demand\n", []),
        ("COD chemical oxygen demand\n", []),
        ("COD\nhigh values found\n", []),
        ("the chemical oxygen demand\n\nCOD\n", []),
        ("COD\n", []),
        # Below a heading all of the next line is aligned.
        ("Abbreviations\n\nDNA\ndeoxyribonucleic acid\n", [("DNA", "deoxyribonucleic acid")]),
        ("List of Acronyms:\nDNA  deoxyribonucleic acid", [("DNA", "deoxyribonucleic acid")]),
        ("Results\n\nDNA\ndeoxyribonucleic acid\n", []),
        ("Abbreviations\n\nDNA\nthe acid of the cell\n", []),
        ("He knew abbreviations of it.\n\nDNA\ndeoxyribonucleic acid\n", []),
    ],
)
def test_listed(text: str, expected: list[tuple[str, str]]) -> None:
    assert listed(text) == expected


@pytest.mark.parametrize("unit", ["AB\n", "AB\nx\n", "Abbreviations\nAB\nx y\n", "AB   ", "AB\t\t"])
def test_linear_time(unit: str) -> None:
    assert_linear(lambda size: find_definitions(unit * (size // len(unit))), 20_000)


def pairs(text: str) -> list[tuple[str, str]]:
    return [(text[slice(*d.acronym)], d.words(text)) for d in find_definitions(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "seen by scanning (SEM) and transmission (TEM) electron microscopy now",
            [("SEM", "scanning electron microscopy"), ("TEM", "transmission electron microscopy")],
        ),
        (
            "esters (dimethyl-[DMP], diethyl-[DEP] and di-n-octyl [DnOP] phthalate)",
            [
                ("DMP", "dimethyl-phthalate"),
                ("DEP", "diethyl-phthalate"),
                ("DnOP", "di-n-octyl phthalate"),
            ],
        ),
        # The words that follow do not begin with the letters of both.
        ("seen by scanning (SEM) and transmission (TEM) then enough", []),
        (
            "The oestrogen receptor (ER) and progesterone receptors (PR) were",
            [("ER", "oestrogen receptor"), ("PR", "progesterone receptors")],
        ),
    ],
)
def test_the_last_words_may_be_shared(text: str, expected: list[tuple[str, str]]) -> None:
    assert pairs(text) == expected


def test_both_parts_have_places() -> None:
    text = "The estrogen (ER) and progesterone receptors (PR) were"
    found = find_definitions(text)[0]
    assert text[slice(*found.long_form)] == "estrogen"
    assert found.ending is not None and text[slice(*found.ending)] == "receptors"
