"""The merge key: what it joins and what it keeps apart; spellings; letters without signs."""

import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spacy_gladis.text import merge_key, variants
from spacy_gladis.text.tokens import fold

WORDS = st.lists(st.text("abcdefghijklmnopqrstuvwxyz", min_size=2, max_size=12), min_size=1)


@pytest.mark.parametrize(
    ("first", "other"),
    [
        ("long short-term memory", "long short term memories"),
        ("U.S. Army", "US Army"),
        ("Parkinson’s disease", "Parkinson disease"),
        ("principal component analysis", "principal component analyses"),
        ("École normale", "ECOLE NORMALE"),
        ("interleukin-6", "Interleukin 6"),
    ],
)
def test_spellings_of_one_long_form_are_equal(first: str, other: str) -> None:
    assert merge_key(first) == merge_key(other)


@pytest.mark.parametrize(
    ("first", "other"),
    [
        ("artificial intelligence", "adequate intake"),
        ("interleukin 1 8", "interleukin 18"),
        ("हिन्दी", "हिन्दि"),
        ("++", "--"),
    ],
)
def test_other_long_forms_are_apart(first: str, other: str) -> None:
    assert merge_key(first) != merge_key(other)


@given(WORDS, st.lists(st.sampled_from([" ", "-", ", ", " (", ". ", "\t"]), min_size=30))
def test_punctuation_and_case_do_not_count(words: list[str], joints: list[str]) -> None:
    plain = " ".join(words)
    other = "".join(w.upper() + joints[i % len(joints)] for i, w in enumerate(words))
    assert merge_key(plain) == merge_key(other)


@given(st.text())
def test_the_key_is_empty_for_blank_text_only(text: str) -> None:
    assert bool(merge_key(text)) == bool(text.split())


@given(st.text())
def test_the_key_has_no_case(text: str) -> None:
    assert merge_key(text.casefold()) == merge_key(text)


def test_a_megabyte_without_a_space_is_no_trouble() -> None:
    assert len(merge_key("a" * 1_000_000)) == 1_000_000


def test_threads_do_not_mix_their_words() -> None:
    words = [f"{a}{b}ization" for a in "abcdefghij" for b in "klmnopqrst"]
    results: list[list[str]] = []

    def work() -> None:
        results.append([merge_key(word) for word in words])

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [[merge_key(word) for word in words]] * 8


@pytest.mark.parametrize(
    ("mention", "spelling"),
    [
        ("CNNs", "CNN"),
        ("CNN", "CNNs"),
        ("NASA’s", "NASA"),
        ("U.S.", "US"),
        ("US", "U.S."),
        ("Ph.D.s", "PhD"),
        ("IL-6", "IL6"),
        ("IL6", "IL-6"),
        ("COVID–19", "COVID-19"),
        ("TCP/IP", "TCP-IP"),
        ("nasa", "NASA"),
        ("b.i.d.", "bid"),
        ("approx", "approx."),
        ("Approx", "approx"),
        ("indels", "indel"),
    ],
)
def test_a_spelling_is_tried(mention: str, spelling: str) -> None:
    assert spelling in variants(mention)


@pytest.mark.parametrize(("mention", "other"), [("A", "As"), ("AIDS", "AID"), ("BID", "bid")])
def test_another_acronym_is_not(mention: str, other: str) -> None:
    assert other not in variants(mention)


@given(st.text(alphabet="abAÉİßα12-.,;:()[]'\n\t |", max_size=80) | st.text(max_size=40))
def test_folding_keeps_every_place(text: str) -> None:
    assert len(fold(text)) == len(text)
    assert fold(fold(text)) == fold(text)
    assert fold("Évaluation İß TNF-α") == "evaluation iß tnf-a"


def test_case_is_changed_last() -> None:
    assert variants("mRNAs") == ["mRNAs", "mRNA", "MRNA"]


@given(st.text(max_size=100))
def test_itself_first_no_repeats_none_empty_few(acronym: str) -> None:
    result = variants(acronym)
    assert result[0] == acronym
    assert len(result) == len(set(result)) <= 14
    assert all(result[1:])
