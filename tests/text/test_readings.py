"""Single letters before values: which are readings, and which number one of a series."""

import pytest

from spacy_gladis.text.shapes import find_readings
from tests.support.growth import assert_linear


@pytest.mark.parametrize(
    ("text", "letters"),
    [
        ("Na 138, K 4.1, Cl 101 this morning.", "K"),
        ("K 4.1, Na 138", "K"),
        ("K: 3.4 mmol/L after dialysis.", "K"),
        ("Ca 2.3 mmol/L and P 1.1 mmol/L at noon.", "P"),
        ("BP 120/80, P 88, R 16, T 98.6.", "PRT"),
        ("T 38.2 °C, T = 37 C", "TT"),
        ("serum K 5,2mEq/L", "K"),
        ("Take vitamin K 4 ng/mL. Type C 3 mg/dL. Factor V 3 U/L", ""),
        ("Press K 4 times. Go to rows K 4, K 5. Plan A 1, B 2, T 3.", ""),
        ("Room K 4, T 5 km. K4 mmol/L. CK 4 mmol/L. K 4-5 mmol/L", ""),
        ("T 3 Cars. K 12345 mmol/L. K 1.2.3 mmol/L", ""),
    ],
)
def test_letters_of_readings(text, letters):
    assert "".join(text[start:end] for start, end in find_readings(text)) == letters


def test_many_readings_take_linear_time():
    assert_linear(lambda number: list(find_readings("K 4.1, T 3 K: 5 mmol/L " * number)), 2_000)
