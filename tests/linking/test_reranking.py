"""The trees that rerank candidates: their fit, their file, and what they change."""

from pathlib import Path

import numpy as np
import pytest

from spacy_gladis.dictionary import USER_SOURCE, Candidate
from spacy_gladis.errors import FormatError
from spacy_gladis.linking.calibration import FEATURES, Calibration
from spacy_gladis.linking.features import COMMON, GLOSS
from spacy_gladis.linking.ranking import rank_candidates
from spacy_gladis.linking.reranking import (
    MOST_RERANKED,
    can_rerank,
    compute_features,
    rerank,
)
from spacy_gladis.linking.sense_vectors import AdaptedSenses, sense_key
from spacy_gladis.linking.trees import COLUMNS, BoostedTrees
from spacy_gladis.research.training.boosting import fit_trees
from tests.support.questions import evidence_for

SMALL, LOGIT = COLUMNS.index("small"), COLUMNS.index("logit")
WEIGHTS = Calibration(common=1.0)


def make_rows(number: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Candidates: one of an acronym in small letters is right only where the logit is high."""
    rng = np.random.default_rng(seed)
    table = rng.normal(size=(number, len(COLUMNS))).astype(np.float32)
    table[:, SMALL] = rng.integers(0, 2, number)
    right = table[:, LOGIT] > np.where(table[:, SMALL] > 0, 1.0, -1.0)
    return table, right


@pytest.fixture(scope="module")
def trees() -> BoostedTrees:
    return fit_trees(*make_rows(4000), np.ones(4000, np.float32), trees=60)


@pytest.fixture(scope="module")
def gloss_trees() -> BoostedTrees:
    """Trees for which only the gloss's words near the mention count."""
    rng = np.random.default_rng(0)
    table = np.zeros((2000, len(COLUMNS)), np.float32)
    column = COLUMNS.index("lead_gloss")
    table[:, column] = rng.normal(size=2000)
    return fit_trees(table, table[:, column] > 0, np.ones(2000, np.float32), trees=60)


def make_evidence(count: int = 3):
    """Common sense leads for the first candidate, the gloss for the second."""
    names = [Candidate(f"long form {number}", {"x": 1}, 1, number) for number in range(count)]
    table = np.zeros((count, len(FEATURES)), np.float32)
    table[:, COMMON] = np.arange(count, 0, -1)
    table[1, GLOSS] = 1
    return evidence_for(names, table)


def test_trees_learn_interactions(trees: BoostedTrees) -> None:
    table, right = make_rows(500, seed=1)
    assert ((trees.log_odds(table) > 0) == right).mean() > 0.95


def test_converted_trees_give_the_scores_of_lightgbm() -> None:
    lightgbm = pytest.importorskip("lightgbm")
    table, right = make_rows(2000)
    settings = {"objective": "binary", "max_depth": 6, "num_leaves": 64, "verbose": -1}
    booster = lightgbm.train(settings, lightgbm.Dataset(table, right.astype(int)), 20)
    from spacy_gladis.research.training.boosting import convert_trees

    converted = convert_trees(booster)
    unseen = make_rows(300, seed=5)[0]
    expected = booster.predict(unseen, raw_score=True)
    np.testing.assert_allclose(converted.log_odds(unseen), expected, rtol=1e-4, atol=1e-4)


def test_too_few_rows_give_no_trees() -> None:
    assert not len(fit_trees(*make_rows(50), np.ones(50, np.float32)))


def test_trees_are_saved_and_a_damaged_file_is_named(trees: BoostedTrees, tmp_path: Path) -> None:
    assert not len(BoostedTrees.load(tmp_path))
    trees.save(tmp_path)
    table, _ = make_rows(50)
    loaded = BoostedTrees.load(tmp_path).log_odds(table)
    np.testing.assert_allclose(loaded, trees.log_odds(table), rtol=1e-6)
    BoostedTrees(0.0, trees.columns + 99, trees.thresholds, trees.values).save(tmp_path)
    with pytest.raises(FormatError, match="damaged"):
        BoostedTrees.load(tmp_path)


def test_features_say_how_far_a_candidate_leads() -> None:
    evidence = make_evidence()
    rows, features = compute_features(evidence, WEIGHTS.logits(evidence.mean_table))
    assert rows.tolist() == [0, 1, 2]
    assert features.shape == (3, len(COLUMNS))
    assert features[:, COLUMNS.index("lead_common")].tolist() == [1, -1, -2]
    assert features[:, COLUMNS.index("lead_gloss")].tolist() == [-1, 1, -1]
    assert features[0, COLUMNS.index("candidates")] == 3


def test_reranking_changes_the_first_answer_and_keeps_probabilities_in_range(
    gloss_trees: BoostedTrees,
) -> None:
    evidence = make_evidence(MOST_RERANKED + 4)
    logits = WEIGHTS.logits(evidence.mean_table)
    nil = WEIGHTS.nil_logit(evidence.question.nil)
    before = rank_candidates(evidence, logits, WEIGHTS)
    (reranked,) = rerank(gloss_trees, evidence, [logits], nil)
    after = rank_candidates(evidence, reranked, WEIGHTS)
    assert before[0][0].long_form == "long form 0"
    assert after[0][0].long_form == "long form 1"
    assert 0.5 < after[0][1] < sum(probability for _, probability in after) < 1
    assert reranked[MOST_RERANKED:].max() < reranked[:MOST_RERANKED].min()


def test_contexts_differ_as_much_as_before(gloss_trees: BoostedTrees) -> None:
    evidence = make_evidence()
    logits = WEIGHTS.logits(evidence.mean_table)
    first, second = rerank(gloss_trees, evidence, [logits, logits + np.float32(0.5)], 0.0)
    np.testing.assert_allclose(second - first, 0.5, rtol=1e-5)


def test_evidence_that_the_trees_never_saw_keeps_its_logits() -> None:
    evidence = make_evidence()
    assert can_rerank(evidence, AdaptedSenses())
    adapted = AdaptedSenses()
    adapted.add([sense_key("long form 2")], 4)
    assert not can_rerank(evidence, adapted)
    own = Candidate("in-house meaning", {USER_SOURCE: 1}, 1, -1)
    table = np.zeros((1, len(FEATURES)), np.float32)
    assert not can_rerank(evidence_for([own], table), AdaptedSenses())
    assert not can_rerank(evidence_for([], table[:0]), AdaptedSenses())
