"""The index of trigrams: exact cosines, also where common trigrams are passed over."""

import numpy as np
import pytest

from spacy_gladis.concepts.trigrams import TrigramIndex

NAMES = ["sore toe", "sore head", "sore knee", "sore back", "headache", "toe nail", "potassium"]


def test_the_nearest_come_first_with_their_cosines():
    index = TrigramIndex(NAMES)
    ((numbers, scores), (none, _)) = index.nearest(["Sore toe", "qqq"], 3)
    assert numbers[0] == 0 and scores[0] == pytest.approx(1)
    assert len(numbers) == 3 and list(scores) == sorted(scores, reverse=True)
    assert index.cosines("Sore toe", numbers) == pytest.approx(scores)
    assert len(none) == 0


def test_common_trigrams_may_be_passed_over():
    index = TrigramIndex(NAMES)
    (exact,) = index.nearest(["sore toe"], 7)
    index.leave_out(0.4)  # those of "sore"
    (numbers, scores), (gone, _) = index.nearest(["sore toe", "sore"], 7)
    assert set(numbers.tolist()) == {0, 5} < set(exact[0].tolist())
    assert scores[0] == pytest.approx(1)
    assert len(gone) == 0


def test_sets_of_trigrams_are_counted():
    index = TrigramIndex(["abcd", "abxy"], binary=True)
    ((numbers, common),) = index.nearest(["abcd"], 2)
    assert numbers.tolist() == [0, 1]
    assert common.tolist() == [len(index.trigrams("abcd")), 1]
    assert np.diff(index.vectors.indptr).tolist() == [4, 4]
