"""Topics of documents and candidates."""

import numpy as np
import pytest

from spacy_gladis.arrays import Floats
from spacy_gladis.dictionary import Candidate, SourceInfo
from spacy_gladis.linking.topics import CandidateTopics, Topics
from spacy_gladis.settings import FIELDS

SOURCES = {
    "common: cardiology": SourceInfo("common", {"clinical": 1.0}),
    "RFCs": SourceInfo("text", {"computing": 1.0}),
}
HEART, NETWORKS = 0, 1


@pytest.fixture
def topics() -> Topics:
    weights = np.random.default_rng(0).normal(size=(2, 8)).astype(np.float32)
    prior = np.array([0.2, 0.8], np.float32)
    return Topics(["common: cardiology", "RFCs"], prior, weights, np.zeros(2, np.float32))


def candidate(name: str, counts: dict[str, int]) -> Candidate:
    return Candidate(name, counts, sum(counts.values()), -1)


def dense(of: CandidateTopics) -> Floats:
    return np.stack([of.mix(row) for row in np.eye(of.shape[0], dtype=np.float32)])


def test_a_candidate_is_of_the_topics_of_its_sources(topics: Topics) -> None:
    heart = candidate("hypertension", {"common: cardiology": 60})
    protocol = candidate("hypertext node", {"RFCs": 5, "somewhere": 9})
    both = candidate("host name", {"RFCs": 5, "common: cardiology": 5})
    nothing = candidate("nothing", {"somewhere": 3})
    of = dense(topics.locate_candidates([heart, protocol, both, nothing], SOURCES))
    assert of[:2].tolist() == [[1, 0], [0, 1]]
    assert of[2, HEART] > of[2, NETWORKS] > 0 and np.isclose(of[2].sum(), 1)
    assert not of[3].any()
    unknown = topics.locate_candidates([heart], {})  # a dictionary that names no sources
    assert not dense(unknown).any()


def test_lists_of_one_branch_speak_for_one_another() -> None:
    branch, heart, blood, law = (
        "common: medicine",
        "common: medicine/heart",
        "common: medicine/blood",
        "common: society/law",
    )
    fields = {heart: "clinical", blood: "clinical", law: "government"}
    sources = {name: SourceInfo("common", {field: 1.0}) for name, field in fields.items()}
    prior = np.full(4, 0.25, np.float32)
    nothing = np.zeros((4, 8), np.float32)
    topics = Topics([branch, heart, blood, law], prior, nothing, prior * 0)
    of = topics.locate_candidates(
        [candidate(name, {name: 20}) for name in (heart, blood, law)], sources
    )
    expected = np.array([[0.5, 0.5, 0, 0], [0.5, 0, 0.5, 0], [0, 0, 0, 1]])
    assert np.allclose(dense(of), expected)
    document = topics.locate_candidates([candidate("myocardium", {heart: 60})], sources)
    same, near, far = topics.score_agreement(of, document.mix(np.ones(1, np.float32)))
    assert same > near > far
    clinical = topics.field_shares(sources)[FIELDS.index("clinical")]
    assert clinical.tolist() == [1, 1, 1, 0]


def test_the_candidate_of_the_documents_topic_agrees_most(topics: Topics) -> None:
    of = CandidateTopics(np.array([0, 1]), np.array([0, 1]), np.ones(2), (3, 2))
    agreement = topics.score_agreement(of, np.array([0.9, 0.1], np.float32))
    assert agreement[0] > agreement[1] > agreement[2]
    # What most texts are about counts for less than its share.
    even = topics.score_agreement(of, np.array([0.5, 0.5], np.float32))
    assert even[HEART] > even[NETWORKS]
