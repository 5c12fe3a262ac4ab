"""Systems that link phrases to concepts: what each one's definition says, on a few names."""

import numpy as np
import pytest
from rapidfuzz.distance import JaroWinkler

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

TWO = ("abcdxx", "abcdyy")

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
    assert ranked(TrainingDictionary(), "My HEAD hurts") == ["A"]
    assert ranked(TrainingDictionary(), "my head hurt") == ["B"]
    assert ranked(TrainingDictionary(), "my head hurts", train=[], dev=TRAIN) == []
    assert ranked(TrainingDictionary(), "cannot sleep") == []
    assert ranked(TrainingDictionary(), "headache") == []


def test_exact_match_takes_every_label_and_no_plural():
    assert ranked(ExactMatch(), "HEADACHE") == ["A", "C"]
    assert ranked(ExactMatch(), "headaches") == ranked(ExactMatch(), "head") == []


@pytest.mark.parametrize(
    "system",
    [LevenshteinRatio(), CharNgrams(), Stoilos(), ApproximateMatch(threshold=0.3)],
    ids=lambda system: type(system).__name__,
)
def test_similar_names_win_and_a_concept_comes_once(system):
    result = ranked(system, "hart attack")
    assert result[0] == "B"
    assert len(set(result)) == len(result)
    assert ranked(system, "Sleeplesness", 1) == ["D"]


def test_below_the_threshold_the_approximate_matcher_is_silent():
    assert ranked(ApproximateMatch(), "hart attack") == []
    assert ranked(ApproximateMatch(), "xyz") == ranked(CharNgrams(), "qqq") == []


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        # comm is 2 * 8 / 8; nothing is left over; Jaro-Winkler is 1.
        ("headache", "headache", 2.0 + 1.0),
        # Nothing in common: -1 * 1 / (0.6 + 0.4 * (1 + 1 - 1)).
        ("abc", "xyz", -1.0),
        # "head" is matched: 2 * 4 / 6; one side has half left, the other nothing.
        ("headache", "head", 8 / 6 + JaroWinkler.similarity("headache", "head")),
        # "abcd" is matched: 2 * 4 / 6; a third is left on both sides.
        (
            "abcdxx",
            "abcdyy",
            8 / 6 - (1 / 9) / (0.6 + 0.4 * (2 / 3 - 1 / 9)) + JaroWinkler.similarity(*TWO),
        ),
        # Two letters in common are not considered.
        ("abxx", "abyy", -1.0 + JaroWinkler.similarity("abxx", "abyy")),
    ],
)
def test_stoilos(first, second, expected):
    assert stoilos(first, second) == pytest.approx(expected)
    assert stoilos(second, first) == pytest.approx(expected)


def test_the_bound_loses_no_label():
    names = [f"{a} {b}" for a in ("sore", "head", "toe pain", "ache") for b in ("one", "of head")]
    inventory = build_inventory([Concept(f"C{n}", (name,)) for n, name in enumerate(names)])
    system = Stoilos()
    system.fit(Training(inventory, [], []))
    for term in ("pain of the head", "headache", "one sore"):
        (result,) = system.rank_phrases([term], 3)
        best = sorted((stoilos(term, name) for name in inventory.names), reverse=True)
        assert [score for _, score in result] == pytest.approx(best[:3])


class Fixed(LinkingSystem):
    """Gives one answer with one score."""

    tuned = True

    def __init__(self, answers):
        self.answers = answers

    def fit(self, training):
        self.inventory = training.inventory

    def rank(self, mentions, k):
        rows = (self.answers.get(mention.phrase) for mention in mentions)
        return [[(self.inventory.find(row[0]), row[1])] if row else [] for row in rows]


def test_a_chain_learns_when_to_go_on(monkeypatch):
    sure = Fixed({"x": ("A", 0.9), "y": ("A", 0.5), "z": ("A", 0.2)})
    last = Fixed({"x": ("B", 0.1), "y": ("C", 0.1), "z": ("B", 0.1), "w": ("D", 0.0)})
    dev = [ConceptMention("x", ("A",)), ConceptMention("y", ("C",)), ConceptMention("z", ("B",))]
    chain = BackOff(("sure", "last"))
    sure.inventory = last.inventory = INVENTORY
    monkeypatch.setattr(chain, "make_systems", lambda training: [sure, last])
    assert ranked(chain, "x", dev=dev) == ["A", "B"]
    assert 0.5 < chain.thresholds[0] <= 0.9
    assert [ranked(chain, phrase, dev=dev)[0] for phrase in "yzw"] == ["C", "B", "D"]
    assert ranked(chain, "v", dev=dev) == []


def test_what_matches_exactly_needs_no_threshold():
    chain = BackOff(("s.1", "s.2", "s.3"))
    dev = [ConceptMention("headache", ("B",))]
    assert ranked(chain, "my head hurts", dev=dev)[0] == "A"
    assert ranked(chain, "hart attack", dev=dev)[0] == "B"
    assert chain.thresholds == [-np.inf] * 3


def test_the_chains_are_those_of_table_5():
    chains = [entry.fixed["chain"] for name, entry in SYSTEMS.entries.items() if name[:2] == "b."]
    assert chains == [
        ("s.1", "s.2"),
        ("s.1", "s.3"),
        ("s.1", "s.4"),
        ("s.1", "n.6"),
        ("s.2", "n.6"),
        ("s.1", "s.2", "n.6"),
        ("s.1", "s.3", "n.6"),
        ("s.1", "s.4", "n.6"),
    ]
    systems = BackOff(("s.1", "s.2")).make_systems(Training(INVENTORY, TRAIN, []))
    assert [type(system) for system in systems] == [TrainingDictionary, ExactMatch]
