import pytest
from hypothesis import given
from hypothesis import strategies as st

from spacy_gladis.errors import InputError
from spacy_gladis.research.metrics.calibration import (
    expected_calibration_error,
)

ROWS = st.lists(st.tuples(st.floats(0, 1, allow_nan=False), st.booleans()), min_size=1, max_size=50)


def test_calibration_error_example() -> None:
    confidence, right = [0.9, 0.9, 0.6, 0.6], [1, 1, 1, 0]
    # Two bins in use: |0.9 - 1| and |0.6 - 0.5|, half of the rows each.
    assert expected_calibration_error(confidence, right, bins=10) == pytest.approx(0.1)
    assert expected_calibration_error([1.0, 0.0], [1, 0]) == 0.0


@given(ROWS, st.integers(1, 20))
def test_calibration_error_by_the_definition(rows: list[tuple[float, bool]], bins: int) -> None:
    total = 0.0
    for number in range(bins):
        inside = [
            (sure, right)
            for sure, right in rows
            if number / bins < sure <= (number + 1) / bins or (number == 0 and sure == 0)
        ]
        total += abs(sum(sure - right for sure, right in inside))
    found = expected_calibration_error(
        [sure for sure, _ in rows], [right for _, right in rows], bins
    )
    # A confidence on the border of two bins may fall on either side by rounding.
    borders = [abs(sure * bins - round(sure * bins)) < 1e-9 for sure, _ in rows]
    if not any(borders):
        assert found == pytest.approx(total / len(rows))
    assert 0 <= found <= 1


def test_bad_input_is_named() -> None:
    for confidence, right, message in (
        ([1.5], [1], "must be between 0 and 1"),
        ([float("nan")], [1], "must be between 0 and 1"),
        ([], [], "empty"),
        ([0.5], [1, 0], "confidences against"),
    ):
        with pytest.raises(InputError, match=message):
            expected_calibration_error(confidence, right)
