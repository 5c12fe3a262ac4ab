"""Logistic regression, and the odds that it fits."""

import numpy as np
import pytest

from spacy_gladis.errors import InputError
from spacy_gladis.modeling.calibration import SenseCalibration
from spacy_gladis.research.training.logit import fit_logistic
from spacy_gladis.research.training.sense_calibration import fit_sense_calibration


def test_the_fit_finds_the_odds_that_made_the_data():
    rng = np.random.default_rng(0)
    cosines = rng.uniform(-0.2, 0.9, 20_000)
    labels = rng.random(20_000) < SenseCalibration(6.0, -2.0).probabilities(cosines)
    found = fit_sense_calibration(cosines, labels.tolist())
    assert found.cosine == pytest.approx(6.0, abs=0.3)
    assert found.bias == pytest.approx(-2.0, abs=0.15)


def test_data_without_overlap_has_finite_odds():
    found = fit_sense_calibration([0.1, 0.2, 0.8, 0.9], [False, False, True, True])
    shares = found.probabilities([0.1, 0.5, 0.9])
    assert np.isfinite(shares).all()
    assert shares[0] < 0.1 < 0.9 < shares[2]


def test_logistic_regression_finds_the_weights_that_made_the_data():
    rng = np.random.default_rng(0)
    features = rng.normal(size=(20_000, 3))
    logits = features @ [1.0, -2.0, 0.0] + 0.5
    labels = rng.random(20_000) < 1 / (1 + np.exp(-logits))
    assert fit_logistic(features, labels.tolist(), 1.0) == pytest.approx([1, -2, 0, 0.5], abs=0.1)
    assert np.abs(fit_logistic(features, labels.tolist(), 1e6)).max() < 0.05


@pytest.mark.parametrize("decay", [1e-3, 1.0, 30.0])
def test_the_weights_are_where_the_loss_is_flat(decay):
    rng = np.random.default_rng(1)
    features = rng.normal(size=(500, 3))
    labels = rng.random(500) < 1 / (1 + np.exp(-features @ [1.0, -2.0, 0.0]))
    weights = fit_logistic(features, labels.tolist(), decay)
    inputs = np.column_stack([features, np.ones(500)])
    shares = 1 / (1 + np.exp(-inputs @ weights))
    slope = inputs.T @ (shares - labels) + decay * weights
    curvature = (inputs.T * (shares * (1 - shares))) @ inputs + decay * np.eye(4)
    # What Newton's method would still add to the weights.
    assert np.abs(np.linalg.solve(curvature, slope)).max() < 1e-6


def test_labels_of_one_kind_are_refused() -> None:
    with pytest.raises(InputError, match="examples of both kinds"):
        fit_logistic(np.ones((3, 1)), [True] * 3, 1.0)
