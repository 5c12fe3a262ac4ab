import pytest
from hypothesis import given
from hypothesis import strategies as st

from spacy_gladis.errors import InputError
from spacy_gladis.research.metrics.linking import gold_rank, score_linking
from spacy_gladis.research.metrics.verification import score_verification


def test_linking_example() -> None:
    scores = score_linking([1, 2, 10, 11, 0])
    assert scores.accuracy_at_1 == pytest.approx(1 / 5)
    assert scores.accuracy_at_10 == pytest.approx(3 / 5)
    assert scores.mrr == pytest.approx((1 + 1 / 2 + 1 / 10 + 1 / 11) / 5)
    assert scores.mentions == 5


@given(st.lists(st.integers(0, 30), min_size=1))
def test_linking_bounds(ranks: list[int]) -> None:
    scores = score_linking(ranks)
    assert scores.accuracy_at_1 <= scores.mrr + 1e-12
    assert scores.accuracy_at_1 <= scores.accuracy_at_10
    # Below rank ten at most a tenth is gained for each mention.
    assert scores.mrr <= scores.accuracy_at_10 + (1 - scores.accuracy_at_10) / 11 + 1e-12


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
    assert (scores.precision, scores.recall, scores.f1) == pytest.approx(expected[:3])
    assert scores.accuracy == pytest.approx(metrics.accuracy_score(gold, predicted))


def test_bad_input_is_named() -> None:
    with pytest.raises(InputError, match="empty"):
        score_linking([])
    with pytest.raises(InputError, match="negative"):
        score_linking([1, -1])
    with pytest.raises(InputError, match="empty"):
        score_verification([], [])
    with pytest.raises(InputError, match="1 gold answers against 2"):
        score_verification([True], [True, False])
