"""The threshold join and its vectors against scikit-learn's brute force."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

pytest.importorskip("scipy")
pytest.importorskip("sklearn")

from sklearn.feature_extraction.text import CountVectorizer
from sklearn.metrics.pairwise import cosine_similarity

from spacy_gladis.errors import InputError
from spacy_gladis.research.leakage.similarity import NGramVectors, ThresholdIndex

WORDS = "the a of heart lung Lung gene genes cell cells rna x y2 été 7 42 __abb__ in and rat mice"
TEXT = st.lists(st.sampled_from(WORDS.split()), max_size=14).map(" ".join)
TEXTS = st.lists(TEXT, min_size=1, max_size=12)


def brute_force(left: list[str], right: list[str], n: int) -> np.ndarray:
    vectorizer = CountVectorizer(stop_words="english", ngram_range=(n, n))
    try:
        vectorizer.fit(left + right)
    except ValueError:  # nothing but stop words
        return np.zeros((len(left), len(right)))
    return cosine_similarity(vectorizer.transform(left), vectorizer.transform(right))


@given(TEXTS, TEXTS, st.integers(1, 3))
def test_vectors_give_the_cosines_of_scikit_learn(
    left: list[str], right: list[str], n: int
) -> None:
    vectors = NGramVectors(right, n)
    for _ in range(2):  # the second pass must not remember words of the first
        cosines = (vectors.transform(left) @ vectors.matrix.T).toarray()
        np.testing.assert_allclose(cosines, brute_force(left, right, n), atol=1e-12)


@given(TEXTS, TEXTS, st.integers(1, 3), st.sampled_from([0.1, 0.3, 0.5, 0.75, 0.9, 1.0]))
def test_join_loses_no_pair_and_invents_none(
    left: list[str], right: list[str], n: int, threshold: float
) -> None:
    expected = brute_force(left, right, n) >= threshold - 1e-9
    found = np.zeros_like(expected)
    for pairs in ThresholdIndex(right, threshold, n).pairs(left):
        found[pairs.left, pairs.right] = True
    np.testing.assert_array_equal(found, expected)


def test_join_numbers_texts_across_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("spacy_gladis.research.leakage.similarity.BLOCK", 2)
    texts = ["heart rate", "lung volume", "blood pressure", "bone density", "heart rate"]
    found = list(ThresholdIndex(["bone density", "heart rate"]).pairs(texts))
    left = [number for pairs in found for number in pairs.left.tolist()]
    right = [number for pairs in found for number in pairs.right.tolist()]
    assert sorted(zip(left, right, strict=True)) == [(0, 1), (3, 0), (4, 1)]


def test_bad_settings_are_named() -> None:
    with pytest.raises(InputError, match="above 0 and at most 1, got 0"):
        ThresholdIndex(["heart"], threshold=0)
