import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from spacy_gladis.errors import InputError
from spacy_gladis.metrics.disambiguation import encode_classes, score_classes
from spacy_gladis.research.metrics.bootstrap import bootstrap_intervals
from spacy_gladis.research.metrics.similarity_intervals import (
    by_interval,
    by_quartile,
    interval_counts,
)


def test_interval_of_a_proportion() -> None:
    right = np.arange(400) % 4 > 0
    statistic = lambda rows: {"accuracy": float(right[rows].mean())}  # noqa: E731
    interval = bootstrap_intervals(statistic, 400, resamples=2000)["accuracy"]
    error = 1.96 * np.sqrt(0.75 * 0.25 / 400)
    assert interval.low == pytest.approx(0.75 - error, abs=0.01)
    assert interval.high == pytest.approx(0.75 + error, abs=0.01)
    assert interval == bootstrap_intervals(statistic, 400, resamples=2000)["accuracy"]
    assert interval != bootstrap_intervals(statistic, 400, resamples=2000, seed=1)["accuracy"]


def test_the_bias_of_fewer_classes_is_taken_out() -> None:
    """Half of 400 classes of one row each are wrong: a resample holds only 63 % of the classes."""
    codes = encode_classes(range(400), [row if row % 2 else None for row in range(400)])

    def statistic(rows: np.ndarray) -> dict[str, float]:
        scores = score_classes(codes, rows)
        return {"classes": scores.gold_classes / 400, "sdu": scores.sdu_macro_f1}

    intervals = bootstrap_intervals(statistic, 400, resamples=200)
    assert intervals["classes"].low < 1.0 == intervals["classes"].high
    assert intervals["sdu"].low < statistic(np.arange(400))["sdu"] < intervals["sdu"].high


def test_a_constant_has_no_width() -> None:
    assert bootstrap_intervals(lambda _: {"one": 1.0}, 5, resamples=10)["one"] == (1.0, 1.0)


def test_bad_settings_are_named() -> None:
    for arguments in ({"rows": 0}, {"rows": 1, "resamples": 0}, {"rows": 1, "level": 1.0}):
        with pytest.raises(InputError):
            bootstrap_intervals(lambda _: {}, **arguments)


def test_interval_borders() -> None:
    similarity = [0.0, 0.2499, 0.25, 0.5, 0.75 - 1e-12, 0.75, 1.0]
    assert [rows.tolist() for rows in by_interval(similarity)] == [[0, 1], [2], [3], [4, 5, 6]]
    assert list(interval_counts(similarity).values()) == [2, 1, 1, 3]


@given(st.lists(st.floats(0, 1), max_size=40))
def test_groups_hold_every_row_once(similarity: list[float]) -> None:
    for groups in (by_interval(similarity), by_quartile(similarity)):
        assert len(groups) == 4
        assert sorted(np.concatenate(groups).tolist()) == list(range(len(similarity)))
    quarters = by_quartile(similarity)
    sizes = [len(rows) for rows in quarters]
    assert max(sizes) - min(sizes) <= 1
    for one, other in itertools.pairwise(quarters):
        if len(one) and len(other):
            values = np.array(similarity)
            assert values[one].max() <= values[other].min()
