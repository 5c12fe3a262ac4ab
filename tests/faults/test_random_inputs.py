"""What must hold for any input holds for thousands; `benchmarks/fuzz_texts.py` tries millions."""

import random

import pytest

from spacy_gladis.text import find_acronyms, find_definitions
from tests.support.invariants import NEUTRAL, draw_text, subjects

NAMES = ("Schwartz-Hearst", "definitions", "shapes", "readers", "BIO", "words", "store")
EACH = 2000

# What once failed: (subject, input).
PAST = [
    ("definitions", " (İstanbul Ülke Rapor, İÜ\u00a0)"),
    ("definitions", "(net of nets, NN\n)"),
    ("definitions", "ABCsABCs–\u00a0(𝔸)"),
]


@pytest.fixture(scope="module")
def readables(tmp_path_factory):
    return subjects(tmp_path_factory.mktemp("small"))


def test_every_subject_is_tried(readables):
    assert set(NAMES) == set(readables)


@pytest.mark.parametrize("name", NAMES)
def test_it_holds(readables, name):
    subject, draw = readables[name], random.Random(name)
    for _ in range(EACH):
        given = subject.draw(draw)
        try:
            subject.check(given)
        except Exception as error:
            raise AssertionError(f"{name}: {given!r}") from error


@pytest.mark.parametrize(("name", "given"), PAST)
def test_past_failures(readables, name, given):
    readables[name].check(given)


def test_the_inputs_are_worth_drawing():
    """Definitions and acronyms are in some, and the neutral paragraph has none."""
    draw = random.Random(0)
    texts = [draw_text(draw) for _ in range(EACH)]
    assert sum(map(bool, map(find_definitions, texts))) > EACH // 10
    assert sum(map(bool, map(find_acronyms, texts))) > EACH // 5
    assert not find_definitions(NEUTRAL) and not find_acronyms(NEUTRAL)
