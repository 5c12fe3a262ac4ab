"""Systems that link phrases to concepts: what each one's definition says, on a few names."""

import pytest

from spacy_gladis.concepts import Concept, ConceptMention, build_inventory
from spacy_gladis.research.tasks.linking.data import Training
from spacy_gladis.research.tasks.linking.system import SYSTEMS, LinkingSystem
from spacy_gladis.research.tasks.linking.systems.back_off import BackOff
from spacy_gladis.research.tasks.linking.systems.strings import (
    ApproximateMatch,
    CharNgrams,
    ExactMatch,
    LevenshteinRatio,
    Stoilos,
    TrainingDictionary,
    stoilos,
)

INVENTORY = build_inventory(
    [
        Concept("A", ("headache", "pain in the head")),
        Concept("B", ("heart attack", "myocardial infarction")),
        Concept("C", ("stomach ache", "headache")),
        Concept("D", ("insomnia", "sleeplessness")),
    ]
)


def mentions(*phrases):
    return [ConceptMention(phrase) for phrase in phrases]


TRAIN = [
    ConceptMention("my head hurts", ("A",)),
    ConceptMention("my head hurts", ("A",)),
    ConceptMention("My head hurt", ("B", "OUTSIDE")),
    ConceptMention("cannot sleep", ("OUTSIDE",)),
]


def ranked(system, phrase, k=10, train=TRAIN, dev=()):
    system.fit(Training(INVENTORY, train, dev))
    return [INVENTORY.ids[concept] for concept, _ in system.rank(mentions(phrase), k)[0]]


def test_the_dictionary_knows_what_it_was_told():
    assert ranked(TrainingDictionary(), "My HEAD hurts!") == ["A", "B"]
    assert ranked(TrainingDictionary(), "cannot sleep") == []
    assert ranked(TrainingDictionary(), "headache") == []


def test_exact_match_prefers_preferred_names():
    assert ranked(ExactMatch(), "Headaches") == ["A", "C"]
    assert ranked(ExactMatch(), "head") == []


@pytest.mark.parametrize(
    "system",
    [LevenshteinRatio(), CharNgrams(), Stoilos(), ApproximateMatch(threshold=0.3)],
    ids=lambda one: type(one).__name__,
)
def test_similar_names_win_and_a_concept_comes_once(system):
    found = ranked(system, "hart attack")
    assert found[0] == "B"
    assert len(set(found)) == len(found)
    assert ranked(system, "Sleeplesness", 1) == ["D"]


def test_below_the_threshold_the_approximate_matcher_is_silent():
    assert ranked(ApproximateMatch(), "hart attack") == []
    assert ranked(ApproximateMatch(), "xyz") == ranked(CharNgrams(), "qqq") == []


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ("headache", "headache", 1.0),
        # Nothing in common: -1 * 1 / (0.6 + 0.4 * (1 + 1 - 1)).
        ("abc", "xyz", -1.0),
        # "head" is common: 8 of 12, one side left with half, the other with nothing; 4 first agree.
        ("headache", "head", 8 / 12 + 0.4 * (1 - 8 / 12)),
        # "abcd" is common, 8 of 12; a third left on both sides; the beginnings agree.
        ("abcdxx", "abcdyy", 8 / 12 - (1 / 9) / (0.6 + 0.4 * (2 / 3 - 1 / 9)) + 0.4 / 3),
        # Two letters in common are chance: commonality 0, but for the beginning.
        ("abxx", "abyy", -1.0 + 0.2),
        ("", "", 1.0),
        ("", "a", -1.0),
    ],
)
def test_stoilos(first, second, expected):
    assert stoilos(first, second) == pytest.approx(expected)
    assert stoilos(second, first) == pytest.approx(expected)


class Fixed(LinkingSystem):
    """Gives one answer with one score."""

    def __init__(self, answers):
        self.answers = answers

    def fit(self, training):
        self.inventory = training.inventory

    def rank(self, mentions, k):
        rows = (self.answers.get(one.phrase) for one in mentions)
        return [[(self.inventory.find(row[0]), row[1])] if row else [] for row in rows]


def test_a_chain_learns_when_to_go_on(monkeypatch):
    sure = Fixed({"x": ("A", 0.9), "y": ("A", 0.5), "z": ("A", 0.2)})
    last = Fixed({"x": ("B", 0.1), "y": ("C", 0.1), "z": ("B", 0.1), "w": ("D", 0.0)})
    dev = [ConceptMention("x", ("A",)), ConceptMention("y", ("C",)), ConceptMention("z", ("B",))]
    chain = BackOff(("sure", "last"))
    monkeypatch.setattr(chain, "make_systems", lambda: [sure, last])
    assert ranked(chain, "x", dev=dev) == ["A", "B"]
    assert 0.5 < chain.thresholds[0] <= 0.9
    assert [ranked(chain, phrase, dev=dev)[0] for phrase in "yzw"] == ["C", "B", "D"]
    assert ranked(chain, "v", dev=dev) == []


def test_a_chain_is_of_registered_systems():
    chain = BackOff(("s.1", "s.2"))
    assert [type(one) for one in chain.make_systems()] == [TrainingDictionary, ExactMatch]
    assert SYSTEMS.entries["b.1 s.1 s.2"].fixed == {"chain": ("s.1", "s.2")}
