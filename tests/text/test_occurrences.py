"""Where given acronyms stand in a text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spacy_gladis.text import Definition, defined_mentions, find_occurrences
from tests.support.growth import assert_linear

TEXT = "CNNs and a CNN's layer; CNN-based (CNN), IL-6 but not IL-60, xCNN or CNN2; PI 3-K in U.S."


def test_singular_plural_and_possessive_are_found():
    places = find_occurrences(TEXT, ["CNN"])
    assert [TEXT[start:end] for start, end, _ in places] == ["CNNs", "CNN", "CNN", "CNN"]
    assert {acronym for *_, acronym in places} == {"CNN"}


def test_the_longest_wins_and_numbers_belong_to_the_word():
    places = find_occurrences(TEXT, ["IL", "IL-6", "PI", "PI 3-K", "U.S."])
    assert [TEXT[start:end] for start, end, _ in places] == ["IL-6", "PI 3-K", "U.S."]


def test_two_words_are_found_over_the_end_of_a_line():
    text = "QR Desk, QR\nDesks, QR\n\nDesk"
    assert [text[start:end] for start, end, _ in find_occurrences(text, ["QR Desk"])] == [
        "QR Desk",
        "QR\nDesks",
    ]
    assert [place[2] for place in find_occurrences(text, ["QR\nDesk"])] == ["QR\nDesk"] * 2


def test_many_acronyms_are_found_as_few_are():
    few = ["CNN", "IL-6", "PI 3-K", "U.S.", "_x1"]
    many = [*few, *(f"ABC{number}D" for number in range(99))]
    text = f"{TEXT} _x1, x_x1"
    assert find_occurrences(text, many) == find_occurrences(text, few)


@pytest.mark.parametrize("acronym", ["set", "a", "A", "I", "", " ", "(", "é"])
def test_common_words_are_not_looked_for(acronym):
    assert find_occurrences("A set I (a) é", [acronym]) == []


@pytest.mark.parametrize(
    "text",
    ["The cdf grows.", "Cdf values.", "Two cdfs.", "The CDF grows.", "A cdf-based fit."],
)
def test_an_acronym_in_small_letters_is_looked_for(text):
    [(start, end, acronym)] = find_occurrences(text, ["cdf"])
    assert text[start:end].lower().rstrip("s") == acronym == "cdf"


def test_many_acronyms_with_one_beginning_take_linear_time():
    def find(number: int) -> None:
        acronyms = [f"IL-{index}" for index in range(number)]
        start = 3 * number
        places = find_occurrences(f"{'IL ' * number}{acronyms[-1]}", acronyms)
        assert places == [(start, start + len(acronyms[-1]), acronyms[-1])]

    assert_linear(find, 5_000)


def test_a_mention_has_the_last_definition_before_it_or_the_first():
    text = "CT here. Computed tomography (CT) and a CT. Connecticut (CT) and its CT."
    definitions = [Definition((57, 59), (44, 55)), Definition((30, 32), (9, 28))]
    assert defined_mentions(text, definitions) == {
        (0, 2): 1,
        (30, 32): 1,
        (40, 42): 1,
        (57, 59): 0,
        (69, 71): 0,
    }


def test_a_definition_wins_over_an_occurrence_inside_it():
    text = "some method (CNN LSTM) after CNN here (CNN)"
    definitions = [Definition((13, 21), (0, 11)), Definition((39, 42), (29, 32))]
    assert list(defined_mentions(text, definitions)) == [(13, 21), (29, 32), (39, 42)]


@given(
    st.text(alphabet="ABab1 -.s("),
    st.lists(st.text(alphabet="ABab1 -.s", min_size=1, max_size=5)),
)
def test_every_place_spells_its_acronym(text, acronyms):
    at = 0
    for start, end, acronym in find_occurrences(text, acronyms):
        assert at <= start < end
        at = end
        assert acronym in acronyms
        written = text[start:end].rstrip("s")
        small = written.lower() if acronym.islower() else written
        assert acronym.rstrip("s") in (written, small)


def test_a_mention_s_definition_is_the_last_before_it_over_the_end_of_a_line_too():
    text = "quick red (QR\nDesk). A QR Desk. quiet room (QR Desk)."
    first, last = text.index("QR\nDesk"), text.rindex("QR Desk")
    definitions = [
        Definition((first, first + 7), (0, 9)),
        Definition((last, last + 7), (text.index("quiet"), last - 2)),
    ]
    assert list(defined_mentions(text, definitions).values()) == [0, 0, 1]
