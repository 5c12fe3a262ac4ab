import pytest
from hypothesis import given
from hypothesis import strategies as st

from spacy_gladis.rules.acronym import read_acronym
from spacy_gladis.rules.alignment import COST, LEFT_OUT, Alignment, align, has_initials
from spacy_gladis.rules.tokens import tokens_of


def aligned(acronym: str, text: str) -> Alignment | None:
    read = read_acronym(acronym)
    assert read is not None
    found = align(read, reversed(tokens_of(text)), 30, 9.0)
    return found[-1] if found else None


@pytest.mark.parametrize(
    ("acronym", "text", "long_form", "steps"),
    [
        ("HMM", "the hidden Markov model", "hidden Markov model", "WWW"),
        ("AUC", "the area under the curve", "area under the curve", "WWsW"),
        ("EEG", "an electroencephalogram", "electroencephalogram", "Wcc"),
        ("GFA", "one graft fusion area", "graft fusion area", "WWW"),
        ("ATM", "some aspect-aware topic model", "aspect-aware topic model", "WpWW"),
        ("CNNs", "deep convolutional neural networks", "convolutional neural networks", "WWW-"),
        ("MM", "63 multiple myelomas", "multiple myelomas", "WW"),
        ("IL6", "human interleukin", "interleukin", "Wid"),
        ("PSII", "the photosystem II", "photosystem II", "WiWn"),
        ("RM6", "a six repetition maximum", "six repetition maximum", "oWW"),
        ("GABAR2", "GABA receptor two", "GABA receptor two", "WnnnWW"),
        ("ΔG", "the delta gain", "delta gain", "WW"),
        ("EVA", "l'Évaluation du vaccin", "Évaluation du vaccin", "WsWn"),
    ],
)
def test_cheapest_alignment(acronym: str, text: str, long_form: str, steps: str) -> None:
    found = aligned(acronym, text)
    assert found is not None
    assert text[found.first.start :] == long_form
    assert found.steps == steps
    assert found.cost == pytest.approx(sum(COST[step] for step in steps))


def test_no_alignment() -> None:
    assert aligned("XYZ", "alpha beta gamma") is None
    assert aligned("AB", "") is None
    read = read_acronym("AB")
    assert read is not None
    assert align(read, reversed(tokens_of("one alpha then nothing but beta")), 30, 1.0) == []


@given(
    st.text(alphabet="abcA12", min_size=1, max_size=6), st.text(alphabet="abc-12 '", max_size=60)
)
def test_each_letter_is_one_step(acronym: str, text: str) -> None:
    read = read_acronym(acronym)
    if read is None:
        return
    tokens = tokens_of(text)
    for found in align(read, reversed(tokens), 30, 20.0, 1.0):
        assert sum(step not in LEFT_OUT for step in found.steps) == len(read.letters)
        assert found.first in tokens
        assert found.cost < 20.0


@pytest.mark.parametrize(
    ("acronym", "long_form", "expected"),
    [
        ("HMM", "hidden Markov model", True),
        ("AUC", "area under the curve", True),
        ("CNNs", "convolutional neural networks", True),
        ("PTM", "point - to - multipoint", True),
        ("NLP", "natural-language processing", True),
        ("EEG", "electroencephalogram", False),
        ("CD", "the celiac disease", False),
        ("CD", "cadaver", False),
        ("CD", "cumulative radiation dose", False),
        ("CD", "celiac disease patients", False),
        ("CD", "", False),
        ("17", "seventeen", False),
    ],
)
def test_initials(acronym: str, long_form: str, expected: bool) -> None:
    assert has_initials(acronym, long_form) is expected
