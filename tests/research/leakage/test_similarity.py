"""Similar texts are found as scikit-learn's brute force finds them."""

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

pytest.importorskip("scipy")
pytest.importorskip("sklearn")

from sklearn.feature_extraction.text import CountVectorizer
from sklearn.metrics.pairwise import cosine_similarity

from spacy_gladis.errors import InputError
from spacy_gladis.research.leakage.similarity import NGramVectors, ThresholdIndex, nearest

# Few words, so that many similarities are equal or nearly so.
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
@example(["heart"], ["lung gene genes cell heart cells", "heart lung gene genes"], 1, 0.5)
def test_join_loses_no_pair_and_invents_none(
    left: list[str], right: list[str], n: int, threshold: float
) -> None:
    expected = brute_force(left, right, n) >= threshold - 1e-9
    result = np.zeros_like(expected)
    for pairs in ThresholdIndex(right, threshold, n).pairs(left):
        result[pairs.left, pairs.right] = True
    np.testing.assert_array_equal(result, expected)


@given(TEXTS, TEXTS, st.integers(1, 3))
def test_the_nearest_is_one_of_the_best(test: list[str], train: list[str], n: int) -> None:
    expected = brute_force(test, train, n)
    result = nearest(test, train, n)
    np.testing.assert_allclose(result.similarity, expected.max(axis=1), atol=1e-12)
    none = result.train_index < 0
    np.testing.assert_array_equal(none, expected.max(axis=1) == 0)
    rows = np.flatnonzero(~none)
    np.testing.assert_allclose(expected[rows, result.train_index[rows]], result.similarity[rows])


def test_texts_are_numbered_across_blocks() -> None:
    train = [f"heart gene{number}" for number in range(10_100)]
    test = [train[10_050], "lung", train[7]]
    assert nearest(test, train).train_index.tolist() == [10_050, -1, 7]
    index = ThresholdIndex([train[2_500], train[0]])
    pairs = [pair for block in index.pairs(train[:3_000]) for pair in zip(*block, strict=True)]
    assert sorted(pairs) == [(0, 1), (2_500, 0)]


def test_bad_settings_are_named() -> None:
    with pytest.raises(InputError, match="above 0 and at most 1, got 0"):
        ThresholdIndex(["heart"], threshold=0)
