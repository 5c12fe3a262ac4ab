"""What decided an answer, in words, and how sure it is."""

import numpy as np
import pytest

from spacy_gladis.dictionary import Candidate, SourceInfo
from spacy_gladis.linking.calibration import FEATURES, Calibration, reweigh
from spacy_gladis.linking.decision import find_reasons
from spacy_gladis.linking.topics import Topics
from tests.support.questions import evidence_for

ONE, OTHER = Candidate("adequate intake", {"notes": 3}, 3, 0), Candidate("aim", {"x": 1}, 1, 1)
WEIGHTS = Calibration(common=1, phrase=1, topic=1, overlap=1, folder=1, centroid=1, unseen=1)

SOURCES = {
    "notes": SourceInfo("glossary", {"clinical": 1.0}),
    "RFCs": SourceInfo("text", {"computing": 1.0}),
}
EVEN = np.full(2, 0.5, np.float32)
TOPICS = Topics(("notes", "RFCs"), EVEN, np.zeros((2, 4), np.float32), np.zeros(2, np.float32))


@pytest.fixture
def reason_of():
    """The reasons for the first of two candidates, by how much more it has of some evidence."""

    def tell(alone=False, best=ONE, **more):
        table = np.zeros((2, len(FEATURES)), np.float32)
        for name, value in more.items():
            table[0, FEATURES.index(name)] = value
        topics = np.array([0.8, 0.2], np.float32)
        evidence = evidence_for([best, OTHER], table, topics=topics)
        ranked = [(best, 0.8)] if alone else [(best, 0.8), (OTHER, 0.1)]
        return find_reasons(evidence, ranked, WEIGHTS, TOPICS, SOURCES)

    return tell


def test_the_most_decisive_comes_first(reason_of):
    assert reason_of(common=1, phrase=3, topic=2, overlap=0.1) == [
        "the document says 'adequate intake'",
        "field clinical 0.80",
        "common",
    ]
    assert reason_of(common=-2) == []


def test_a_single_meaning_has_nothing_to_be_compared_with(reason_of):
    assert reason_of(alone=True, common=3) == ["only meaning in the dictionary"]
    assert reason_of(alone=True, best=Candidate("an idea", {}, 0, -1), phrase=3) == [
        "the document says 'an idea'"
    ]


def test_own_entries(reason_of):
    user_entry = Candidate("all in", {"user": 1}, 1, -1)
    assert reason_of(best=user_entry, common=1) == ["your own entry", "common"]


@pytest.mark.parametrize("sure", [0.05, 0.3, 0.9])
def test_the_first_answer_stays_first_and_probabilities_stay_below_one(sure: float) -> None:
    names = [Candidate(name, {}, 0, -1) for name in ("first", "second", "third")]
    result = reweigh(list(zip(names, (0.5, 0.3, 0.1), strict=True)), sure)
    assert [candidate.long_form for candidate, _ in result] == ["first", "second", "third"]
    values = [value for _, value in result]
    assert values[0] == sure == max(values)
    assert sum(values) <= 1 + 1e-6
