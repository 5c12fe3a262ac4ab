import pytest
from hypothesis import given
from hypothesis import strategies as st

from spacy_gladis.rules import find_acronyms, find_definitions
from spacy_gladis.rules.unmarked import find_unmarked


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Graph Isomorphism Networks GINs do it", [("GINs", "Graph Isomorphism Networks")]),
        (
            "it runs in million traversed edges per second MTEPS",
            [("MTEPS", "million traversed edges per second")],
        ),
        ("he grew it near GIN", []),  # three letters want capitals
        ("Great Apes GA", []),  # two letters are too few
        ("", []),
    ],
)
def test_unmarked(text: str, expected: list[tuple[str, str]]) -> None:
    found = find_unmarked(text, find_acronyms(text))
    assert [(text[slice(*d.acronym)], text[slice(*d.long_form)]) for d in found] == expected


def test_what_is_defined_already_is_left_alone() -> None:
    text = "Graph Isomorphism Networks GINs, that is gated inner networks (GINs)"
    assert find_unmarked(text, find_acronyms(text))
    assert not find_unmarked(text, find_acronyms(text), find_definitions(text))


@given(st.text(alphabet="abAB c.-,\n", max_size=80))
def test_offsets_lie_in_the_text(text: str) -> None:
    for definition in find_unmarked(text, find_acronyms(text)):
        start, end = definition.long_form
        assert 0 <= start < end <= definition.acronym[0]
