import pytest
from hypothesis import given
from hypothesis import strategies as st

from spacy_gladis.text import document_phrases
from tests.support.growth import assert_linear


def best(text: str, acronym: str) -> str | None:
    result = document_phrases(text, [acronym])
    return text[result[acronym][0].start : result[acronym][0].end] if result else None


@pytest.mark.parametrize(
    ("text", "acronym", "expected"),
    [
        ("COD rose. The chemical oxygen demand was high.", "COD", "chemical oxygen demand"),
        ("The chemical oxygen\ndemand was high. CODs", "CODs", "chemical oxygen\ndemand"),
        ("Area under the Curve and AUC", "AUC", "Area under the Curve"),
        ("natural-language processing, NLP", "NLP", "natural-language processing"),
        ("by the World Health Organization. W.H.O.", "W.H.O.", "World Health Organization"),
        ("Ärztliche Leitung Rettungsdienst, ÄLRD", "ÄLR", "Ärztliche Leitung Rettungsdienst"),
        ("OSM is drawn by OpenStreetMap.", "OSM", "OpenStreetMap"),
        # A part of a word, two letters, small letters between.
        ("OSM is drawn by OpenStreetMap-users.", "OSM", None),
        ("OS is drawn by OpenStreet.", "OS", None),
        ("OSM is drawn by OpenSMap.", "OSM", None),
        # Across a sentence's or a clause's end, with another acronym, with words that name nothing.
        ("chemical, oxygen demand", "COD", None),
        ("could our demand", "COD", None),
        ("chemical oxygen demand-driven", "COD", None),
        # Parts of sentences; a title may have an article.
        ("MIAS is kept in memory in a single file", "MIAS", None),
        ("GNPS, given the number of people surveyed", "GNPS", None),
        ("time to treatment, TTT", "TTT", "time to treatment"),
        ("Fund for a Better World, FBW", "FBW", "Fund for a Better World"),
        ("anything", "cod", None),
        ("", "COD", None),
    ],
)
def test_the_best_phrase(text: str, acronym: str, expected: str | None) -> None:
    assert best(text, acronym) == expected


def test_capitalised_and_frequent_ones_come_first() -> None:
    text = "Chemical Oxygen Demand. Cold open doors. Cold open doors. COD"
    result = document_phrases(text, ["COD", "ABC"])
    assert list(result) == ["COD"]
    phrases = [(text[phrase.start : phrase.end], phrase.occurrences) for phrase in result["COD"]]
    assert phrases == [("Chemical Oxygen Demand", 1), ("Cold open doors", 2)]
    assert result["COD"][0].confidence > result["COD"][1].confidence


@given(
    st.text(alphabet="abAB .-\nof", max_size=80), st.lists(st.text(alphabet="AbB.s", max_size=4))
)
def test_places_lie_in_the_text(text: str, acronyms: list[str]) -> None:
    for acronym, phrases in document_phrases(text, acronyms).items():
        assert acronym in acronyms and phrases
        for phrase in phrases:
            assert 0 <= phrase.start < phrase.end <= len(text) and phrase.occurrences > 0
            assert 0 < phrase.confidence <= 1


@pytest.mark.parametrize("unit", ["a ", "ab ", "ab-", "alpha beta ", "\n", "A b. ", "Abc"])
def test_linear_time(unit: str) -> None:
    acronyms = [f"{a}{b}{c}" for a in "ABCDEFGH" for b in "ABCDEFGH" for c in "ABCDEFGH"]
    assert_linear(lambda size: document_phrases(unit * (size // len(unit)), acronyms), 10_000)
