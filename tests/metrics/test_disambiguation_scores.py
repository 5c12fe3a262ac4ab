import pytest
from hypothesis import given
from hypothesis import strategies as st

from spacy_gladis.errors import InputError
from spacy_gladis.metrics.disambiguation import score_disambiguation

LABELS = st.sampled_from(["a", "b", "c", "d", "e"])
ROWS = st.lists(st.tuples(LABELS, LABELS), min_size=1, max_size=60)


def test_a_worked_example() -> None:
    gold = ["a", "a", "b", "c"]
    predicted = ["a", "b", "b", "d"]
    scores = score_disambiguation(gold, predicted)
    assert scores.accuracy == pytest.approx(0.5)
    # class F1: a 2/3, b 2/3, c 0 (never predicted); scikit-learn adds d with 0.
    assert scores.gladis_macro_f1 == pytest.approx(4 / 9)
    assert scores.sklearn_macro_f1 == pytest.approx(1 / 3)
    # precision: a 1, b 1/2, c 1 (never predicted); recall: a 1/2, b 1, c 0.
    assert scores.sdu_macro_precision == pytest.approx(2.5 / 3)
    assert scores.sdu_macro_recall == pytest.approx(0.5)
    assert scores.sdu_macro_f1 == pytest.approx(2 * (2.5 / 3) * 0.5 / (2.5 / 3 + 0.5))
    assert (scores.rows, scores.gold_classes) == (4, 3)


def test_no_answer_is_wrong_and_no_class() -> None:
    scores = score_disambiguation(["a", "b"], ["a", None])
    assert scores.accuracy == pytest.approx(0.5)
    assert scores.gladis_macro_f1 == scores.sklearn_macro_f1 == pytest.approx(0.5)
    assert score_disambiguation(["a"], [None]).sdu_macro_f1 == 0.0


@pytest.mark.slow
@given(ROWS)
def test_equals_scikit_learn(rows: list[tuple[str, str]]) -> None:
    metrics = pytest.importorskip("sklearn.metrics")
    gold, predicted = zip(*rows, strict=True)
    scores = score_disambiguation(gold, predicted)
    expected = metrics.f1_score(gold, predicted, average="macro", zero_division=0)
    assert scores.sklearn_macro_f1 == pytest.approx(expected)
    in_gold = sorted(set(gold))
    expected = metrics.f1_score(gold, predicted, labels=in_gold, average="macro", zero_division=0)
    assert scores.gladis_macro_f1 == pytest.approx(expected)
    assert scores.accuracy == pytest.approx(metrics.accuracy_score(gold, predicted))


@given(ROWS)
def test_equals_the_definition_of_the_shared_task(rows: list[tuple[str, str]]) -> None:
    precisions, recalls = [], []
    for label in {gold for gold, _ in rows}:
        right = sum(gold == predicted == label for gold, predicted in rows)
        predicted_count = sum(predicted == label for _, predicted in rows)
        precisions.append(right / predicted_count if predicted_count else 1.0)
        recalls.append(right / sum(gold == label for gold, _ in rows))
    scores = score_disambiguation(*zip(*rows, strict=True))
    assert scores.sdu_macro_precision == pytest.approx(sum(precisions) / len(precisions))
    assert scores.sdu_macro_recall == pytest.approx(sum(recalls) / len(recalls))


def test_bad_input_is_named() -> None:
    with pytest.raises(InputError, match="2 gold long forms but 1"):
        score_disambiguation(["a", "b"], ["a"])
    with pytest.raises(InputError, match="no rows to score"):
        score_disambiguation([], [])
