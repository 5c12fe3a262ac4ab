import pytest
from hypothesis import given
from hypothesis import strategies as st

from spacy_gladis.rules.tokens import fold, tokens_before, tokens_of

TEXT = st.text(alphabet="abAÉİßα12-.,;:()[]'\n\t |", max_size=80) | st.text(max_size=40)


def words(text: str, end: int | None = None, size: int = 200) -> list[str]:
    found = list(tokens_before(text, len(text) if end is None else end, size))
    return [text[one.start : one.end] for one in reversed(found)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It ended. The heat shock", ["The", "heat", "shock"]),
        ("the strain T. vivax grows", ["the", "strain", "T", "vivax", "grows"]),
        ("one thing; the other", ["the", "other"]),
        ("a title\n\nthe text", ["the", "text"]),
        ("the kinase (since 1990) pathway", ["the", "kinase", "pathway"]),
        ("the NH(2)-terminal kinase", ["the", "NH", "2", "terminal", "kinase"]),
        ("seen (the red maple", ["the", "red", "maple"]),
        ("1990) the red maple", ["the", "red", "maple"]),
        ("", []),
    ],
)
def test_a_clause_before_a_place(text: str, expected: list[str]) -> None:
    assert words(text) == expected


def test_the_window_cuts_no_word() -> None:
    assert words("international heat shock", size=14) == ["heat", "shock"]


def test_first_tokens_of_words() -> None:
    tokens = tokens_of("l'été X-ray 5'-end non - linear")
    firsts = [(token.text, token.is_first) for token in tokens]
    assert firsts == [
        ("l", True),
        ("ete", True),
        ("x", True),
        ("ray", False),
        ("5", True),
        ("end", False),
        ("non", True),
        ("linear", True),
    ]
    text = "non - linear"
    assert [token.is_first for token in tokens_before(text, len(text), 99)] == [False, True]


@given(TEXT)
def test_folding_keeps_every_place(text: str) -> None:
    assert len(fold(text)) == len(text)
    assert fold(fold(text)) == fold(text)


def test_folding() -> None:
    assert fold("Évaluation İß TNF-α") == "evaluation iß tnf-a"


@given(TEXT)
def test_tokens_lie_in_order(text: str) -> None:
    for tokens in (tokens_of(text), list(tokens_before(text, len(text), 60))[::-1]):
        for token in tokens:
            assert fold(text[token.start : token.end]) == token.text
            assert token.text.isalnum()
        starts = [token.start for token in tokens]
        assert starts == sorted(starts)
