"""What decided an answer, in words."""

import numpy as np
import pytest

from spacy_gladis.dictionary import Candidate, SourceInfo
from spacy_gladis.modeling.calibration import FEATURES, Calibration
from spacy_gladis.modeling.decision import reasons
from spacy_gladis.modeling.evidence import AcronymInDocument
from spacy_gladis.modeling.topics import Topics

ONE, OTHER = Candidate("adequate intake", {"notes": 3}, 3, 0), Candidate("aim", {"x": 1}, 1, 1)
WEIGHTS = Calibration(common=1, phrase=1, topic=1, overlap=1, folder=1, centroid=1, unseen=1)

SOURCES = {
    "notes": SourceInfo("glossary", {"clinical": 1.0}),
    "RFCs": SourceInfo("text", {"computing": 1.0}),
}
EVEN = np.full(2, 0.5, np.float32)
TOPICS = Topics(("notes", "RFCs"), EVEN, np.zeros((2, 4), np.float32), np.zeros(2, np.float32))


@pytest.fixture
def told():
    """The reasons for the first of two candidates, by how much more it has of some evidence."""

    def tell(alone=False, best=ONE, **more):
        table = np.zeros((2, len(FEATURES)), np.float32)
        for name, value in more.items():
            table[0, FEATURES.index(name)] = value
        none = np.zeros(2, np.float32)
        group = AcronymInDocument(0, "AI", [0], [best, OTHER], none, none, none, [table])
        group.topics = np.array([0.8, 0.2], np.float32)
        ranked = [(best, 0.8)] if alone else [(best, 0.8), (OTHER, 0.1)]
        return reasons(group, ranked, WEIGHTS, TOPICS, SOURCES)

    return tell


def test_the_most_decisive_comes_first(told):
    assert told(common=1, phrase=3, topic=2, overlap=0.1) == [
        "the document says 'adequate intake'",
        "field clinical 0.80",
        "common",
    ]
    assert told(common=-2) == []


def test_a_single_meaning_has_nothing_to_be_compared_with(told):
    assert told(alone=True, common=3) == ["only meaning in the dictionary"]
    assert told(alone=True, best=Candidate("an idea", {}, 0, -1), phrase=3) == [
        "the document says 'an idea'"
    ]


def test_own_entries_and_none(told):
    own = Candidate("all in", {"user": 1}, 1, -1)
    assert told(best=own, common=1) == ["your own entry", "common"]
    none = np.zeros(0, np.float32)
    group = AcronymInDocument(0, "AI", [0], [], none, none, none)
    assert reasons(group, [], WEIGHTS, TOPICS, {}) == ["nothing in the dictionary"]
