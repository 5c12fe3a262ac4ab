from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spacy_gladis.errors import InputError
from spacy_gladis.text import viterbi
from spacy_gladis.text.bio import decode_bio, encode_bio, repair_bio


def test_an_example() -> None:
    labels = ["O", "B-long", "I-long", "O", "B-short", "O"]
    assert decode_bio(labels) == [(1, 3, "long"), (4, 5, "short")]
    assert encode_bio([(1, 3, "long"), (4, 5, "short")], 6) == labels


def test_an_orphan_begins_a_span() -> None:
    assert repair_bio(["I-short", "B-long", "I-short"]) == (["B-short", "B-long", "B-short"], 2)


def test_bad_input_is_named() -> None:
    for labels in (["B"], ["X-short"], ["I-"], [""], ["o"]):
        with pytest.raises(InputError, match="not a BIO label"):
            decode_bio(labels)
        with pytest.raises(InputError, match="not a BIO label"):
            repair_bio(labels)
    with pytest.raises(InputError, match="overlaps"):
        encode_bio([(0, 2, "long"), (1, 3, "short")], 4)
    with pytest.raises(InputError, match="into 2 tokens"):
        encode_bio([(1, 3, "long")], 2)
    with pytest.raises(InputError, match="is empty"):
        encode_bio([(1, 1, "long")], 2)


FOLLOWS = [[True, True, False], [True, True, True], [True, True, True]]


def test_a_label_that_may_not_follow_is_passed_over():
    assert viterbi([[3, 0, 0], [0, 1, 9]], FOLLOWS) == [1, 2]
    assert viterbi([[0, 0, 9]], FOLLOWS) == [0]
    assert viterbi([], FOLLOWS) == []


@given(st.lists(st.tuples(*[st.integers(-9, 9)] * 3), min_size=1, max_size=5))
def test_no_allowed_sequence_is_better(scores):
    def total(labels):
        return sum(row[label] for row, label in zip(scores, labels, strict=True))

    def allowed(labels):
        return all(FOLLOWS[a][b] for a, b in zip((0, *labels), labels, strict=False))

    result = viterbi(scores, FOLLOWS)
    assert allowed(result)
    assert total(result) == max(
        total(labels) for labels in product(range(3), repeat=len(scores)) if allowed(labels)
    )
