"""Vectors in which the differences between the names of one concept count less."""

from typing import Any

import numpy as np
import pytest

from spacy_gladis.modeling.concepts.evidence import NameVectors
from spacy_gladis.research.training.alignment import whiten, whitening

LINKED = [["computed tomography", "ct scan", "CT"], ["adequate intake", "daily diet"]]
OTHERS = [["messenger rna", "mrna"], ["alone"]]
PLACES = {
    "computed tomography": (1, 0, 1.5),
    "ct scan": (1, 0, -1.5),
    "ct": (1, 0, 0),
    "adequate intake": (0, 1, 1.5),
    "daily diet": (0, 1, -1.5),
    "messenger rna": (-1, 0, 1.5),
    "mrna": (-1, 0, -1.5),
}
"""The first two dimensions tell concepts apart, in the third the names of each one differ."""


class Planted:
    width = 3

    def encode_long_forms(self, texts):
        places = np.array([PLACES.get(text, (1, 1, 1)) for text in texts], dtype=np.float32)
        return places / np.linalg.norm(places, axis=1, keepdims=True)


@pytest.fixture
def vectors():
    encoder: Any = Planted()
    return NameVectors(encoder)


def test_variance_within_groups_is_one_where_it_is_not_small():
    random = np.random.default_rng(0)
    groups = [random.normal(size=(50, 3)) * (9, 1, 0.1) + centre for centre in (0, 5)]
    matrix = whitening([group.astype(np.float32) for group in groups], ridge=0)
    apart = np.concatenate([group - group.mean(0) for group in groups]) @ matrix
    assert np.cov(apart.T, bias=True) == pytest.approx(np.eye(3), abs=1e-3)


def test_names_of_a_concept_come_nearer_to_each_other(vectors):
    texts = list(PLACES)
    before = vectors(texts)
    assert before[0] @ before[3] > 0.5 > 0 > before[0] @ before[1]
    whiten(vectors, LINKED, OTHERS, number=7)
    after, later = vectors(texts), vectors(["a scan", *texts])
    assert after[0] @ after[1] > 0.4 > 0.3 > after[0] @ after[3]
    assert np.linalg.norm(after, axis=1) == pytest.approx(np.ones(len(texts)), abs=2e-3)
    assert np.array_equal(after, later[1:])  # what was computed before is turned, too


def test_with_few_texts_nothing_changes(vectors):
    before = vectors(list(PLACES))
    whiten(vectors, LINKED, OTHERS)
    assert np.array_equal(vectors(list(PLACES)), before)
