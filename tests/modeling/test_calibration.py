"""Probabilities that say how often the first meaning is right."""

import numpy as np
import pytest

from spacy_gladis.dictionary import USER_DOMAIN, Candidate
from spacy_gladis.modeling.acronym_in_document import AcronymInDocument
from spacy_gladis.modeling.answers import answer
from spacy_gladis.modeling.calibration import FEATURES, Calibration, surroundings

SHORT, LONG = (surroundings(3, words, 1) for words in (10, 3000))


def test_the_order_of_meanings_stays() -> None:
    for weights in (
        Calibration(platt=0.5, platt_bias=-2.0),
        Calibration(platt=2.0, platt_bias=3.0),
        Calibration(platt_words=-0.4),
    ):
        for given in ([0.5, 0.45, 0.01], [0.9, 0.05], [0.3], [1.0, 0.0]):
            found = weights.recalibrated(given, LONG)
            assert sorted(found, reverse=True) == found
            assert 0 <= found[-1] <= found[0] <= 1 and sum(found) <= 1 + 1e-6


def test_what_the_first_loses_is_none_of_these() -> None:
    less = Calibration(platt_bias=-1.0).recalibrated([0.6, 0.2], SHORT)
    assert less[0] == pytest.approx(1 / (1 + np.exp(1) / 1.5))
    assert less[1] / less[0] == pytest.approx(0.2 / 0.6)
    more = Calibration(platt_bias=1.0).recalibrated([0.6, 0.2], SHORT)
    assert more[0] > 0.6 and more[1] < 0.2 and sum(more) < 1


def test_long_texts_may_be_answered_sooner_than_short_ones() -> None:
    weights = Calibration(platt_words=0.3, platt_bias=-1.5)
    assert weights.recalibrated([0.5], LONG)[0] > weights.recalibrated([0.5], SHORT)[0]


def test_nothing_changes_without_weights_and_without_meanings() -> None:
    assert Calibration().recalibrated([0.7, 0.2], LONG) == [0.7, 0.2]
    assert Calibration(platt=2.0).recalibrated([], LONG) == []


@pytest.mark.parametrize("own", [False, True])
def test_entries_of_the_user_are_as_sure_as_they_were(own: bool) -> None:
    counts = {USER_DOMAIN: 1} if own else {}
    candidates = [Candidate("one form", counts, 1, -1), Candidate("other", {}, 1, -1)]
    nothing = np.zeros(2, np.float32)
    table = np.zeros((2, len(FEATURES)), np.float32)
    group = AcronymInDocument(0, "OF", [0], candidates, nothing, nothing, LONG, features=[table])
    logits = np.array([2.0, 0.0], np.float32)
    plain = answer(group, logits, Calibration())
    doubted = answer(group, logits, Calibration(platt_bias=-4.0))
    assert [one.long_form for one, _ in doubted] == ["one form", "other"]
    assert (doubted[0][1] == plain[0][1]) is own
