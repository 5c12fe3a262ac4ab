import pytest

from spacy_gladis.text import schwartz_hearst
from tests.support.growth import assert_linear


def pairs(text: str) -> list[tuple[str, str]]:
    return [(text[slice(*d.acronym)], text[slice(*d.long_form)]) for d in schwartz_hearst(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("We use hidden Markov models (HMM).", [("HMM", "hidden Markov models")]),
        ("by HMM (hidden Markov models) now", [("HMM", "hidden Markov models")]),
        ("the polymerase II enzyme (Pol II)", [("Pol II", "polymerase II enzyme")]),
        ("The (graphics processing unit (GPU))", [("GPU", "graphics processing unit")]),
        ("It ended. Later came great apes (LGA)", [("LGA", "Later came great apes")]),
        ("It was Late. Great apes (LGA)", []),  # two sentences
        ("no such letters here (XYZ)", []),
        ("the year of the survey (2003)", []),  # no letter
        ("the big international group of people (BIGOFPEOPLES)", []),  # 12 characters
        ("one HMM or hidden model HMM (HMM)", []),  # the long form holds the acronym
        ("the (big apple (BA", []),
        ("tokenised hidden Markov models ( HMM ) .", [("HMM", "hidden Markov models")]),
        ("", []),
    ],
)
def test_definitions(text: str, expected: list[tuple[str, str]]) -> None:
    assert pairs(text) == expected


def test_offsets() -> None:
    text = "A deep neural network (DNN) and an SVM (support vector machine)."
    _, second = schwartz_hearst(text)
    assert text[slice(*second.acronym)] == "SVM"
    assert text[slice(*second.long_form)] == "support vector machine"


@pytest.mark.parametrize(("words", "expected"), [(5, True), (6, True), (7, False)])
def test_long_form_has_at_most_twice_the_letters_in_words(words: int, expected: bool) -> None:
    long_form = " ".join(["alpha", "beta", *["x"] * (words - 3), "gamma"])
    assert bool(pairs(f"the {long_form} (abg)")) is expected


@pytest.mark.parametrize(
    "unit", ["(", "(A ", "A (A b ", "(A b c ", "A (b)", ")", "a(b(c d e f", "(a b c) "]
)
def test_linear_time(unit: str) -> None:
    assert_linear(lambda size: schwartz_hearst(unit * (size // len(unit))), 50_000)
