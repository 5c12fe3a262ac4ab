"""Fields of documents and candidates."""

from pathlib import Path

import numpy as np
import pytest

from spacy_gladis.dictionary import Candidate, SourceInfo
from spacy_gladis.errors import FormatError
from spacy_gladis.modeling.fields import (
    FIELDS,
    FieldClassifier,
    agreement,
    candidate_fields,
    mixtures_without,
)

SOURCES = {
    "common: cardiology": SourceInfo("common", {"clinical": 1.0}),
    "RFCs": SourceInfo("text", {"computing": 1.0}),
}
CLINICAL, COMPUTING = FIELDS.index("clinical"), FIELDS.index("computing")


def candidate(name: str, **counts: int) -> Candidate:
    return Candidate(name, dict(counts), sum(counts.values()), -1)


def test_a_candidate_is_of_the_fields_of_its_sources() -> None:
    heart = Candidate("hypertension", {"common: cardiology": 60}, 60, -1)
    protocol = Candidate("hypertext node", {"RFCs": 5, "somewhere": 9}, 14, -1)
    nothing = candidate("nothing", somewhere=3)
    fields = candidate_fields([heart, protocol, nothing], SOURCES)
    assert fields.argmax(axis=1)[:2].tolist() == [CLINICAL, COMPUTING]
    assert np.allclose(fields.sum(axis=1), 1)
    assert np.allclose(fields[2], 1 / len(FIELDS))


def test_agreement_is_higher_in_the_document_of_the_field_and_zero_in_none() -> None:
    heart = Candidate("hypertension", {"common: cardiology": 60}, 60, -1)
    fields = candidate_fields([heart, candidate("other")], SOURCES)
    clinical = np.eye(len(FIELDS), dtype=np.float32)[CLINICAL]
    even = np.full(len(FIELDS), 1 / len(FIELDS), np.float32)
    assert agreement(fields, clinical)[0] > 1 > agreement(fields, clinical)[1]
    assert np.allclose(agreement(fields, even), 0, atol=2e-3)


def test_an_acronym_does_not_hear_itself() -> None:
    even = np.full(len(FIELDS), 1 / len(FIELDS), np.float32)
    own = np.eye(len(FIELDS), dtype=np.float32)[[CLINICAL]]
    other = np.eye(len(FIELDS), dtype=np.float32)[[COMPUTING]]
    sure = np.ones(1, np.float32)
    first, second = mixtures_without(even, [own, other], [sure, sure])
    assert first[CLINICAL] < first[COMPUTING] and second[CLINICAL] > second[COMPUTING]
    assert np.isclose(first.sum(), 1)
    (alone,) = mixtures_without(even, [own], [sure])
    assert np.allclose(alone, even)


def test_a_classifier_is_saved_and_a_damaged_one_named(tmp_path: Path) -> None:
    weights = np.random.default_rng(0).normal(size=(len(FIELDS), 8)).astype(np.float32)
    made = FieldClassifier(weights, np.zeros(len(FIELDS), np.float32))
    made.save(tmp_path)
    contexts = np.random.default_rng(1).normal(size=(3, 8)).astype(np.float32)
    read = FieldClassifier.load(tmp_path, 8)
    assert np.allclose(read.probabilities(contexts), made.probabilities(contexts))
    assert np.allclose(read.probabilities(contexts).sum(axis=1), 1)
    with pytest.raises(FormatError, match="another size"):
        FieldClassifier.load(tmp_path, 9)
    (tmp_path / "fields.safetensors").write_bytes(b"no tensors")
    with pytest.raises(FormatError, match="damaged"):
        FieldClassifier.load(tmp_path, 8)
    even = FieldClassifier.empty(8).probabilities(contexts)
    assert np.allclose(even, 1 / len(FIELDS))
