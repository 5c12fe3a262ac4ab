import pytest
from hypothesis import given
from hypothesis import strategies as st

from spacy_gladis.errors import InputError
from spacy_gladis.research.datasets.split import split_rows

KEYS = st.lists(st.integers(1, 12), min_size=12).filter(lambda keys: len(set(keys)) >= 3)


@given(KEYS, st.integers(0, 5))
def test_no_key_is_torn_apart_and_no_row_lost(keys: list[int], seed: int) -> None:
    parts = split_rows(keys, (0.8, 0.1, 0.1), seed)
    assert sorted(row for part in parts for row in part) == list(range(len(keys)))
    owners = [{keys[row] for row in part} for part in parts]
    assert not owners[0] & owners[1] and not owners[0] & owners[2] and not owners[1] & owners[2]
    assert parts == split_rows(keys, (0.8, 0.1, 0.1), seed)
    # No part is over its share by more than one key's rows.
    largest = max(keys.count(key) for key in keys)
    for part, share in zip(parts, (0.8, 0.1, 0.1), strict=True):
        assert len(part) < share * len(keys) + largest


def test_a_random_split_has_the_shares_exactly() -> None:
    parts = split_rows(range(1, 1001), (8, 1, 1))
    assert [len(part) for part in parts] == [800, 100, 100]
    assert parts != split_rows(range(1, 1001), (8, 1, 1), seed=1)


def test_bad_input_is_named() -> None:
    for keys, shares, message in (
        (["a", ""], (1, 1), "no key"),
        (["a", None], (1, 1), "no key"),
        (["a", "b"], (1, 0), "above 0"),
        (["a", "b"], (), "above 0"),
        (["a", "a"], (1, 1), "1 keys cannot be split into 2"),
    ):
        with pytest.raises(InputError, match=message):
            split_rows(keys, shares)
