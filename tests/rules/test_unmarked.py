import pytest

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
        ("GPS is a garden for society.", []),
        ("The GPS plants seeds for everybody.", []),  # its letters begin with itself
        ("GP is a garden party.", []),  # two letters are too few
        ("GAS is a garden and shed.", []),  # a word that joins gives no letter
    ],
)
def test_unmarked(text: str, expected: list[tuple[str, str]]) -> None:
    found = find_unmarked(text, find_acronyms(text))
    assert [(text[slice(*d.acronym)], text[slice(*d.long_form)]) for d in found] == expected


def test_words_that_spell_out_another_acronym_are_taken() -> None:
    text = "garden planning society (GPs), unlike GPS"
    definitions = find_definitions(text)
    assert definitions
    assert not find_unmarked(text, find_acronyms(text), definitions)


def test_the_first_mention_has_the_words_nearby() -> None:
    text = "GPS is a garden planning society. GPS grows, a garden planning society."
    assert [one.acronym for one in find_unmarked(text, find_acronyms(text))] == [(0, 3)]


def test_what_is_defined_already_is_left_alone() -> None:
    text = "Graph Isomorphism Networks GINs, that is gated inner networks (GINs)"
    assert find_unmarked(text, find_acronyms(text))
    assert not find_unmarked(text, find_acronyms(text), find_definitions(text))
