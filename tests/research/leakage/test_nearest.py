import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

pytest.importorskip("scipy")
pytest.importorskip("sklearn")

from sklearn.feature_extraction.text import CountVectorizer
from sklearn.metrics.pairwise import cosine_similarity

from spacy_gladis.research.leakage import similarity as module
from spacy_gladis.research.leakage.similarity import nearest

# Few words, unevenly used, so that many similarities are equal or nearly so.
RARE = ["heart", "rat", "mice", "rna", "bone", "été", "kidney"]
WORDS = ["gene"] * 6 + ["cell"] * 4 + ["lung"] * 2 + RARE
TEXT = st.lists(st.sampled_from(WORDS), max_size=10).map(" ".join)


@settings(max_examples=200)
@given(
    st.lists(TEXT, min_size=1, max_size=8),
    st.lists(TEXT, min_size=1, max_size=25),
    st.integers(1, 3),
    st.integers(1, 6),
)
def test_no_maximum_is_lost(test: list[str], train: list[str], n: int, block: int) -> None:
    expected = np.zeros((len(test), len(train)))
    vectorizer = CountVectorizer(ngram_range=(n, n))
    if any(len(text.split()) >= n for text in test + train):
        vectorizer.fit(test + train)
        expected = cosine_similarity(vectorizer.transform(test), vectorizer.transform(train))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "MAX_BLOCK", block)
        found = nearest(test, train, n)
    np.testing.assert_allclose(found.similarity, expected.max(axis=1), atol=1e-12)
    none = found.train_index < 0
    np.testing.assert_array_equal(none, expected.max(axis=1) == 0)
    rows = np.flatnonzero(~none)
    # The match it names is one of the best, and the first of those with the same words.
    np.testing.assert_allclose(expected[rows, found.train_index[rows]], found.similarity[rows])
    for row in rows:
        words = sorted(train[found.train_index[row]].split())
        assert all(
            sorted(text.split()) != words or n > 1 for text in train[: found.train_index[row]]
        )
