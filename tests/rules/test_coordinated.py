import pytest
from hypothesis import given
from hypothesis import strategies as st

from spacy_gladis.rules import find_definitions


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
            "The estrogen (ER) and progesterone receptors (PR) were",
            [("ER", "estrogen receptors"), ("PR", "progesterone receptors")],
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


@given(
    st.lists(st.sampled_from(["a", "b-", "(AB)", "[CB]", " and ", ", ", " ", "bo"]), max_size=12)
)
def test_places_lie_in_the_text(parts: list[str]) -> None:
    text = "".join(parts)
    for found in find_definitions(text, threshold=0.0):
        for start, end in filter(None, (found.acronym, found.long_form, found.ending)):
            assert 0 <= start < end <= len(text)
