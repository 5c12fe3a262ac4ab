import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from spacy_gladis.errors import FormatError, InputError
from spacy_gladis.metrics.disambiguation import encode_classes, score_classes
from spacy_gladis.research.metrics.equal_wordings import EqualWordings, read_equal_wordings
from spacy_gladis.research.metrics.scores import (
    bootstrap_intervals,
    by_interval,
    by_quartile,
    expected_calibration_error,
    gold_rank,
    score_linking,
    score_verification,
)
from spacy_gladis.text import merge_key


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


def test_interval_borders() -> None:
    similarity = [0.0, 0.2499, 0.25, 0.5, 0.75 - 1e-12, 0.75, 1.0]
    result = by_interval(similarity)
    assert {name: rows.tolist() for name, rows in result.items()} == {
        "[0, .25)": [0, 1],
        "[.25, .5)": [2],
        "[.5, .75)": [3],
        "[.75, 1]": [4, 5, 6],
    }


@given(st.lists(st.floats(0, 1), max_size=40))
def test_groups_hold_every_row_once(similarity: list[float]) -> None:
    quarters = list(by_quartile(similarity).values())
    for groups in (list(by_interval(similarity).values()), quarters):
        assert len(groups) == 4
        assert sorted(np.concatenate(groups).tolist()) == list(range(len(similarity)))
    sizes = [len(rows) for rows in quarters]
    assert max(sizes) - min(sizes) <= 1
    for bounds, other in itertools.pairwise(quarters):
        if len(bounds) and len(other):
            values = np.array(similarity)
            assert values[bounds].max() <= values[other].min()


def test_linking_example() -> None:
    assert score_linking([1, 2, 10, 11, 0]) == pytest.approx(
        {
            "accuracy_at_1": 1 / 5,
            "accuracy_at_10": 3 / 5,
            "mrr": (1 + 1 / 2 + 1 / 10 + 1 / 11) / 5,
            "mentions": 5,
        }
    )


def test_gold_rank_counts_concepts_not_names() -> None:
    assert gold_rank(["C1", "C1", "C2"], {"C2"}) == 2
    assert gold_rank(["C1"], {"C2"}) == 0
    assert gold_rank(["C3", "C2", "C1"], {"C1", "C2"}) == 2


@given(st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=40))
def test_verification_equals_scikit_learn(rows: list[tuple[bool, bool]]) -> None:
    metrics = pytest.importorskip("sklearn.metrics")
    gold, predicted = zip(*rows, strict=True)
    scores = score_verification(gold, predicted)
    expected = metrics.precision_recall_fscore_support(
        gold, predicted, pos_label=True, average="binary", zero_division=0
    )
    assert [scores[name] for name in ("precision", "recall", "f1")] == pytest.approx(expected[:3])
    assert scores["accuracy"] == pytest.approx(metrics.accuracy_score(gold, predicted))


def test_nothing_to_score_is_said() -> None:
    with pytest.raises(InputError, match="has no mentions"):
        score_linking([])
    with pytest.raises(InputError, match="has no rows"):
        score_verification([], [])


def test_keys_and_pairs_are_equal_either_way_round():
    same = EqualWordings(str.lower, [("Colour map", "color map"), ("color map", "colormap")])
    assert same("COLOR MAP", "colour map")
    assert same("colour map", "COLOR map")
    assert same("anything", "Anything")
    assert not same("colour map", "road map")
    # Each pair was judged by itself: two of them say nothing of a third.
    assert not same("colour map", "colormap")


def test_the_packaged_list_is_frozen_in_form():
    pairs = read_equal_wordings()
    assert pairs == sorted(pairs, key=lambda pair: (pair[0].casefold(), pair[1].casefold()))
    for first, other in pairs:
        assert first == first.strip() and other == other.strip()
        assert merge_key(first) != merge_key(other), "equal without the list"
        assert first.casefold() < other.casefold()
    keys = {frozenset(map(merge_key, pair)) for pair in pairs}
    assert len(keys) == len(pairs), "a pair stands there twice"


def test_a_line_that_is_no_pair_is_named(tmp_path):
    path = tmp_path / "list.tsv"
    path.write_text("# remark\n\none\tother\nalone\n", "utf8")
    with pytest.raises(FormatError, match=r"list\.tsv:4"):
        read_equal_wordings(path)


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
    result = expected_calibration_error(
        [sure for sure, _ in rows], [right for _, right in rows], bins
    )
    # A confidence on the border of two bins may fall on either side by rounding.
    borders = [abs(sure * bins - round(sure * bins)) < 1e-9 for sure, _ in rows]
    if not any(borders):
        assert result == pytest.approx(total / len(rows))
    assert 0 <= result <= 1


def test_confidences_that_are_none_are_named() -> None:
    for confidence, right, message in (
        ([1.5], [1], "must be between 0 and 1"),
        ([float("nan")], [1], "must be between 0 and 1"),
        ([], [], "There are no"),
        ([0.5], [1, 0], "Pass two one-dimensional arrays"),
    ):
        with pytest.raises(InputError, match=message):
            expected_calibration_error(confidence, right)
