"""How sure the first answer is: trees, their file, and what they may change."""

from pathlib import Path

import numpy as np
import pytest

from spacy_gladis.dictionary import Candidate
from spacy_gladis.errors import FormatError
from spacy_gladis.modeling.confidence import COLUMNS, Confidence, reweigh
from spacy_gladis.research.training.sense_calibration import fit_confidence

SMALL = COLUMNS.index("small")
LOGIT = COLUMNS.index("logit")


def rows(number: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """First answers: one to an acronym in small letters is right only where the odds are high."""
    rng = np.random.default_rng(seed)
    table = rng.normal(size=(number, len(COLUMNS))).astype(np.float32)
    table[:, SMALL] = rng.integers(0, 2, number)
    right = table[:, LOGIT] > np.where(table[:, SMALL] > 0, 1.0, -1.0)
    return table, right


@pytest.fixture(scope="module")
def trees() -> Confidence:
    return fit_confidence(*rows(2000), np.ones(2000, np.float32))


def test_what_hangs_on_two_things_together_is_learnt(trees: Confidence) -> None:
    table, right = rows(500, seed=1)
    sure = trees.probabilities(table)
    assert ((sure > 0.5) == right).mean() > 0.95
    assert (sure > 0).all() and (sure < 1).all()


def test_trees_are_saved_and_a_damaged_file_is_named(trees: Confidence, tmp_path: Path) -> None:
    assert not len(Confidence.load(tmp_path))
    trees.save(tmp_path)
    table, _ = rows(50)
    same = Confidence.load(tmp_path).probabilities(table)
    np.testing.assert_allclose(same, trees.probabilities(table), rtol=1e-6)
    Confidence(0.0, trees.columns + 99, trees.thresholds, trees.values).save(tmp_path)
    with pytest.raises(FormatError, match="damaged"):
        Confidence.load(tmp_path)


@pytest.mark.parametrize("sure", [0.05, 0.3, 0.9])
def test_the_first_answer_stays_first_and_probabilities_stay_below_one(sure: float) -> None:
    names = [Candidate(name, {}, 0, -1) for name in ("first", "second", "third")]
    found = reweigh(list(zip(names, (0.5, 0.3, 0.1), strict=True)), sure)
    assert [one.long_form for one, _ in found] == ["first", "second", "third"]
    values = [value for _, value in found]
    assert values[0] == sure == max(values)
    assert sum(values) <= 1 + 1e-6
