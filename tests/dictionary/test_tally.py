"""What a dictionary holds, and which long forms look like none."""

import pytest

from spacy_gladis.dictionary.noise import noise
from spacy_gladis.dictionary.tally import Tally


def test_noise_is_counted_plain_and_by_frequency():
    tally = Tally()
    tally.add("ABC", [("alpha beta channel", 8), ("and big cat", 2)])
    tally.add("DE", [("double entry", 10)])
    figures = tally.to_json()["noise"]
    assert figures["share"] == pytest.approx(1 / 3)
    assert figures["share_by_frequency"] == pytest.approx(0.1)
    assert figures["long_forms"] == {"function word": 1}


@pytest.mark.parametrize(
    ("long_form", "reason"),
    [
        ("support vector machine", None),
        ("Bayesian information criterion", None),
        ("1,3-butadiene synthase", None),
        ("quality of service", None),
        ("the support vector machine", "function word"),
        ("support vector machine and", "function word"),
        ("", "function word"),
        ("x|b = c", "markup"),
        ("https://example.org/site", "markup"),
        ("support (vector machine", "bracket"),
        ("end. New sentence", "sentence end"),
        ("12 34 56 x", "few letters"),
    ],
)
def test_noise_has_a_reason(long_form, reason):
    assert noise(long_form) == reason
