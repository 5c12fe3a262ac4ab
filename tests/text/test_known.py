"""Spellings that only a dictionary can tell."""

import time
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spacy_gladis.text import find_acronyms, find_known, find_spelled

SPELLINGS = """
c/o s/p w/ y/o b.i.d. a.m. k8s T1-w CERT/CC eGFR HbA1c a-line d/c'd A&Ox3 Hx hx pt yo op U+E
no. esp. approx. approx nasa abx K-1 xG co sub ups max
"""
KNOWN = frozenset(SPELLINGS.split())


def find_words(text: str, user_entries: tuple[str, ...] = ()) -> list[str]:
    result = find_known(text, KNOWN.union(user_entries), find_acronyms(text), user_entries)
    return [text[start:end] for start, end in result]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a man c/o pain, s/p a fall.", ["c/o", "s/p"]),
        ("came w/ a friend", ["w/"]),
        ("Take one b.i.d.", ["b.i.d."]),
        ("we run k8s, or K8s.", ["k8s"]),
        ("Foley d/c'd at nine; A&Ox3", ["d/c'd", "A&Ox3"]),
        ("two K-1s came", ["K-1s"]),
        ("the NASA PROBE FINDS WATER", ["NASA"]),
        ("his xG rose", ["xG"]),
        ("a loco w/Mars light, w/e", ["w/"]),
        ("sent U+E, U+Es", ["U+E", "U+Es"]),
    ],
)
def test_a_distinct_spelling_stands_alone(text, expected):
    assert find_words(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The pt has CHF.", ["pt"]),
        ("Pt with CHF; op done.", ["Pt", "op"]),
        ("started abx for a UTI, esp. at night", ["abx", "esp."]),
        ("the EHR, see no. 4", ["no."]),
        ("approx. ten MRI scans, approx ten", ["approx.", "approx"]),
        ("the UTI sub-group, a co-worker's max-pooling, two follow-ups.", ["max"]),
        ("the UTI sub and co and two ups, sub/ups", ["sub", "co", "ups", "sub", "ups"]),
    ],
)
def test_what_reads_like_a_word_needs_company(text, expected):
    assert find_words(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "The op was as they asked.",
        "He came at 9 a.m. to the door.",
        "the MRI and/or c/out, s/p/q, xk8s, k8s_pod",
        "PROJ-K8S and the OP's MRI",
        "",
        "/ . - '",
    ],
)
def test_what_is_no_known_spelling_is_left_out(text):
    assert find_words(text) == []


ATTESTED = {"etc": 600, "etc.": 600, "No.": 800, "et al.": 90, "jt": 1}
ATTESTED |= {
    "no.": 90,
    "c.": 40,
    "No": 300,
    "FY": 2000,
    "ISO": 6000,
    "ADS": 500,
    "CB": 3000,
}
ATTESTED |= {"Ma": 400}
ATTESTED |= {"St": 400, "St.": 400, "km": 400, "rn": 5, "in.": 50}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Patent No. 5 of it", ["No."]),
        ("He said No. Then he left", []),
        ("tools (saws, etc.) and more, etc. Then he left", ["etc.", "etc"]),
        ("as Smith et al. say", ["et al."]),
        ("the other jt pains, busy rn", ["jt", "rn"]),
        ("5 km away; some km away", ["km"]),  # a unit behind its number
        ("the box it came in. and out", []),
        ("the road to St. Ives", []),
        ("It ends at St.", []),
        ("exhibit no. 4; he said no. Four left", ["no."]),
        ("under (EU) No 910, by No more. No 5 of it", ["No"]),
        ("in FY2008 by ISO8601", ["FY", "ISO"]),
        ("the ADS1115 and CB2002, FY12", []),  # codes; a year has four digits
        ("x?id=rn /etc/rn http://a.b/etc", []),
    ],
)
def test_letters_and_place_mark_what_the_dictionary_has_in_that_spelling(text, expected):
    places = find_known(text, (), find_acronyms(text), (), lambda word: ATTESTED.get(word, 0))
    assert [text[start:end] for start, end in places] == expected


@given(st.text(alphabet=st.sampled_from("cosp/.wk8 -'ytHxA&Oa\n()")))
def test_offsets_are_in_order_and_whole_words(text):
    at = 0
    for start, end in find_known(text, KNOWN, find_acronyms(text)):
        assert at <= start < end <= len(text)
        at = end
        assert not text[start - 1 : start].isalnum()


STOPPED = """
MS. DC. U.S. pr. hr. pt. prn. approx. b.i.d. a.m. no. nr. lib lib. op. B12 NO NOT
"""


def listed(text: str, user_entries: tuple[str, ...] = ()) -> list[str]:
    result = find_known(text, {*STOPPED.split(), *user_entries}, find_acronyms(text), user_entries)
    return [text[start:end] for start, end in result]


@pytest.mark.parametrize(
    "text",
    [
        "She has MS. The MRI is ok.",
        "We open a PR. Every PR is read.",
        "(He opened a PR.) Then he left.",
        "Take one tablet PRN. Then stop.",
    ],
)
def test_the_stop_of_a_sentence_is_no_part_of_an_acronym(text: str) -> None:
    assert listed(text) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The pt. has CHF; approx. ten MRI scans", ["pt.", "approx."]),
        ("Take it b.i.d. The CT is ok. At 9 a.m. the CT", ["b.i.d.", "a.m."]),
        ("in the U.S. they say; in the U.S. They left the U.S.", ["U.S."] * 3),
        ("the EHR of NR. 4", ["NR."]),
    ],
)
def test_a_dotted_note_keeps_its_stop(text: str, expected: list[str]) -> None:
    assert listed(text) == expected


def test_what_a_person_entered_is_found_as_it_is() -> None:
    assert find_words("the art of it", user_entries=("art",)) == ["art"]
    assert not find_words("the art of it")
    assert listed("We open a PR. Every one", user_entries=("PR.",)) == ["PR."]
    assert listed("NO EXCEPTIONS, NO in the air", user_entries=("NO",)) == ["NO", "NO"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("low B12, and a B12 level", ["B12", "B12"]),
        ("you DO NOT have it", []),
        ("exhaled NO levels; NO and the gas is NO.", ["NO", "NO", "NO"]),
    ],
)
def test_dotted_spellings_and_shouted_words(text: str, expected: list[str]) -> None:
    assert listed(text) == expected


def test_a_numeral_behind_the_name_of_a_kind_is_none() -> None:
    text = "Grade IV lesions, types II, III and IV, class I/IV; started IV fluids. Give IV fluids"
    places = find_known(text, frozenset({"IV", "III"}), find_acronyms(text))
    assert [text[max(0, a - 5) : b] for a, b in places] == ["rted IV", "Give IV"]


def test_a_document_costs_the_same_with_very_many_entries_that_are_spelled_apart():
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    spellings = frozenset(
        f"{a}{b} {c}{d}" for a, b, c, d in product(letters, repeat=4) if a < b < c
    )
    spellings |= {"T Rex", "\u00c9 Cu", "C++", "C++ 20", "@home"}
    assert len(spellings) > 60_000
    text = "A T  Rex in C++ 20, or C++; the E\u0301\nCu @home, an AB CD but no ABAB CDCD. " * 20
    result = [" ".join(text[start:end].split()) for start, end in find_spelled(text, spellings)]
    assert result == ["T Rex", "C++ 20", "C++", "E\u0301 Cu", "@home", "AB CD"] * 20
    start = time.process_time()
    for number in range(10):
        find_spelled(f"{text} {number}", spellings)
    assert time.process_time() - start < 1
