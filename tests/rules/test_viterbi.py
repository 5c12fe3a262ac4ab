from itertools import product

from hypothesis import given
from hypothesis import strategies as st

from spacy_gladis.rules import viterbi

FOLLOWS = [[True, True, False], [True, True, True], [True, True, True]]


def test_a_label_that_may_not_follow_is_passed_over():
    assert viterbi([[3, 0, 0], [0, 1, 9]], FOLLOWS) == [1, 2]
    assert viterbi([[0, 0, 9]], FOLLOWS) == [0]
    assert viterbi([], FOLLOWS) == []


@given(st.lists(st.tuples(*[st.integers(-9, 9)] * 3), min_size=1, max_size=5))
def test_no_allowed_sequence_is_better(scores):
    def total(labels):
        return sum(row[one] for row, one in zip(scores, labels, strict=True))

    def allowed(labels):
        return all(FOLLOWS[a][b] for a, b in zip((0, *labels), labels, strict=False))

    found = viterbi(scores, FOLLOWS)
    assert allowed(found)
    assert total(found) == max(
        total(labels) for labels in product(range(3), repeat=len(scores)) if allowed(labels)
    )
