"""Definitions that no bracket marks: acronyms and long forms in lists, in columns, side by side."""

import pytest

from spacy_gladis.text import find_acronyms, find_definitions
from spacy_gladis.text.definitions import find_unmarked
from tests.support.growth import assert_linear


def listed(text: str) -> list[tuple[str, str]]:
    definitions = find_definitions(text)
    return [
        (text[slice(*definition.acronym)], text[slice(*definition.long_form)])
        for definition in definitions
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("COD\nchemical oxygen demand\n", [("COD", "chemical oxygen demand")]),
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
        ("the chemical oxygen demand\n\nCOD\n", []),
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
    definition = find_definitions(text)[0]
    assert text[slice(*definition.long_form)] == "estrogen"
    assert definition.ending is not None and text[slice(*definition.ending)] == "receptors"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Graph Isomorphism Networks GINs do it", [("GINs", "Graph Isomorphism Networks")]),
        ("the garden planning society GPS met", [("GPS", "garden planning society")]),
        ("some Great Apes GA", [("GA", "Great Apes")]),
        ("some great apes GA", []),  # two letters want capitals
        ("the garden planning society XY/GPS met", []),  # a part of another name
        ("the Big Cat BC", []),  # ... and long words
        ("", []),
        # Elsewhere in the sentence.
        ("GPS is an acronym for garden planning society.", [("GPS", "garden planning society")]),
        ("A garden planning society, known as GPS.", [("GPS", "garden planning society")]),
        ("A garden planning society met. It is GPS.", []),  # another sentence
        (
            "The Garden Planning Society is what everybody in the whole town here would know by "
            "the name GPS.",
            [("GPS", "Garden Planning Society")],
        ),
        (
            "The garden planning society is what everybody in the whole town here would know by "
            "the name GPS.",
            [],  # far away, and no capitals
        ),
        ("GPS is a game for their society.", []),  # its letters are not side by side
        ("The GPS plants seeds for everybody.", []),  # its letters begin with itself
        ("GAS is a garden and shed.", []),  # a word that joins gives no letter
    ],
)
def test_unmarked(text: str, expected: list[tuple[str, str]]) -> None:
    definitions = find_unmarked(text, find_acronyms(text))
    assert [(text[slice(*d.acronym)], text[slice(*d.long_form)]) for d in definitions] == expected


def test_words_that_spell_out_another_acronym_are_taken() -> None:
    text = "garden planning society (GPs), unlike GPS"
    definitions = find_definitions(text)
    assert definitions
    assert not find_unmarked(text, find_acronyms(text), definitions)


def test_the_first_mention_has_the_words_nearby() -> None:
    text = "GPS is a garden planning society. GPS grows, a garden planning society."
    assert [definition.acronym for definition in find_unmarked(text, find_acronyms(text))] == [
        (0, 3)
    ]


def test_what_is_defined_already_is_left_alone() -> None:
    text = "Graph Isomorphism Networks GINs, that is gated inner networks (GINs)"
    assert find_unmarked(text, find_acronyms(text))
    assert not find_unmarked(text, find_acronyms(text), find_definitions(text))
